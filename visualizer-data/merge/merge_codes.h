/* merge_codes.h - fields of AGGREGATES that name code by its address in their process;
   merged, by that in the merged dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MERGE_CODES_H
#define HP_MERGE_CODES_H

#include "merge/dump_writer.h"
#include "read/record.h"

/* A field of that TAG has addresses of code. */
bool hp_merge_has_codes(enum hp_block_kind kind, uint64_t tag);

/* The address of all code in FIELDS, such ones, to CODES, which has room for as many as
   these have bytes; how many. */
size_t hp_merge_codes(struct hp_cursor fields, uint64_t *codes);

/* The fields, with CODES instead; 0 stays. */
void hp_merge_codes_put(struct hp_buffer *record, struct hp_cursor fields,
                        const uint64_t *codes);

#endif
