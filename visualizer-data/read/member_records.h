/* member_records.h - reads what AGGREGATES records say of places in chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_RECORDS_H
#define HP_MEMBER_RECORDS_H

#include "base/store.h"
#include "read/point_sums.h"
#include "read/record.h"

/* Each takes one field, AT its contents, to M.  False: malformed; *MEMORY becomes false
   where there was none. */
bool hp_take_members(struct hp_store *store, struct hp_cursor at,
                     struct hp_member_sum *m, bool *memory);
bool hp_take_lines(struct hp_store *store, struct hp_cursor at,
                   struct hp_member_sum *m, bool *memory);
bool hp_take_member_uses(struct hp_store *store, struct hp_cursor at,
                         struct hp_member_sum *m, bool *memory);

/* The words of the field content_bits, AT its contents; as above. */
bool hp_take_content_bits(struct hp_store *store, struct hp_cursor at,
                          const uint64_t **words, bool *memory);

#endif
