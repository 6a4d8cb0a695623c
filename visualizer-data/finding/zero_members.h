/* zero_members.h - which members of a record are zero, or hold small numbers only, in all
   chunks that were looked at; a record cannot be stored sparse.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ZERO_MEMBERS_H
#define HP_ZERO_MEMBERS_H

#include "finding/suspect.h"

/* Names them in V, which says what the point's zeros are, and what a record without
   them saves.  False: the zeros are nowhere that could be left out. */
bool hp_zero_members_find(const struct hp_suspect *s, struct hp_verdict *v);

#endif
