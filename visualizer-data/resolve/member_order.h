/* member_order.h - how small a record could be if its members were sorted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_ORDER_H
#define HP_MEMBER_ORDER_H

#include <elfutils/libdw.h>

#include "base/store.h"
#include "resolve/layout_of.h"

/* Sets items, reordered_size and order of LAYOUT, made of RECORD, if its members could be
   put closer: none that it inherits, no bit-field away from its neighbours, no member of
   a packed record.  False: no memory. */
bool hp_member_order(struct hp_store *store, Dwarf_Die *record,
                     struct hp_layout *layout);

/* The item that has the byte at OFFSET; NULL: none.  All of its members are to go. */
const struct hp_layout_item *hp_layout_item_at(const struct hp_layout *layout,
                                               uint64_t offset);
bool hp_layout_item_goes(const struct hp_layout *layout, const bool *leave,
                         const struct hp_layout_item *item);

/* How large LAYOUT would be without those of its members that LEAVE[i] names, the
   others in their order; no smaller than that is known for certain. */
uint64_t hp_layout_size_without(const struct hp_layout *layout,
                                const bool *leave);

/* How large LAYOUT would be, sorted, if its member i had NEEDS[i] bytes; 0: none of it. */
uint64_t hp_layout_size_of(struct hp_layout const *layout,
                           const uint64_t *needs);

#endif
