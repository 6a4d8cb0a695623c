/* mapping_records.h - from MAPPINGS blocks to what each process mapped itself.
   As aggregate_records.h, whose file they are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPING_RECORDS_H
#define HP_MAPPING_RECORDS_H

#include "read/dump_records.h"

hp_record_consumer hp_take_mapping;

/* Once all of the file is read: as many are there as were written. */
hp_status hp_check_mappings(const struct hp_dump *dump, struct hp_error *error);

#endif
