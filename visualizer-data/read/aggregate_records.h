/* aggregate_records.h - from AGGREGATES and TIMELINE blocks to summaries.
   No number is believed that contradicts another one of its record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_RECORDS_H
#define HP_AGGREGATE_RECORDS_H

#include "read/dump_records.h"

hp_block_consumer hp_take_aggregates; /* of an `aggregates` file: any kind */

#endif
