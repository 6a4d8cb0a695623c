/* merge_members.h - rows of members name code by its address in their process; merged, by
   that in the merged dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MERGE_MEMBERS_H
#define HP_MERGE_MEMBERS_H

#include "merge/dump_writer.h"
#include "read/record.h"

/* The address of each row of MEMBERS, the contents of that field, to CODES, which has room
   for as many as these have bytes; how many. */
size_t hp_merge_members_codes(struct hp_cursor members, uint64_t *codes);

/* The field, with CODES instead. */
void hp_merge_members_put(struct hp_buffer *record, struct hp_cursor members,
                          const uint64_t *codes, size_t count);

#endif
