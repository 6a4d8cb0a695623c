/* global_records.h - from GLOBALS blocks to the writable pages of modules.
   As aggregate_records.h, whose file they are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GLOBAL_RECORDS_H
#define HP_GLOBAL_RECORDS_H

#include "read/dump_records.h"

hp_record_consumer hp_take_global;

/* Once all of the file is read: as many are there as were written. */
hp_status hp_check_globals(const struct hp_dump *dump, struct hp_error *error);

#endif
