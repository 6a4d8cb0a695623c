/* free_records.h - from FREES blocks to where each point's chunks were freed.
   As aggregate_records.h, whose file they are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FREE_RECORDS_H
#define HP_FREE_RECORDS_H

#include "read/dump_records.h"

hp_record_consumer hp_take_free;

/* Once all of the file is read: points whose chunks are freed more often than
   they end are an error. */
hp_status hp_check_frees(const struct hp_dump *dump, struct hp_error *error);

#endif
