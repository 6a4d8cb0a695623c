/* set_members.h - keys of the language of sets that ask what was done to a member: answered
   of all points before the first of them is looked at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_MEMBERS_H
#define HP_SET_MEMBERS_H

#include "query/set.h"

/* Fills in what the terms of ROOT ask of members, if any does.  It is an error if
   nothing was counted by member. */
hp_status hp_set_find_members(const hp_profile *profile,
                              struct hp_set_node *root,
                              const struct hp_set_place *place,
                              struct hp_store *store, struct hp_error *error);

#endif
