/* smaller_record.h - what several rules say of a record that could be smaller: what that
   saves, and the names of its members.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SMALLER_RECORD_H
#define HP_SMALLER_RECORD_H

#include <stdio.h>

#include "finding/suspect.h"

/* S's record, of the program itself, whose layout is known; NULL: none. */
const struct hp_member_type *hp_record_own_type(const struct hp_suspect *s);

/* Says in V which record is meant. */
void hp_record_mean(const struct hp_suspect *s, struct hp_verdict *v);

/* *V is of that record. */
void hp_record_begin(const struct hp_suspect *s, struct hp_verdict *v);

/* A record needs LESS bytes fewer, which saves at the peak; of malloc's memory. */
void hp_record_take_less(const struct hp_suspect *s, struct hp_verdict *v,
                         uint64_t less);
uint64_t hp_record_memory_of_less(const struct hp_suspect *s,
                                  const struct hp_verdict *v);

/* Room to say of each member of T whether it is meant, freed by the caller; NULL: none. */
bool *hp_record_choice(const struct hp_member_type *t);

/* Adds the names of those that LEAVE says to V: "a, head.b and 3 more". */
void hp_record_name(struct hp_verdict *v, const struct hp_member_type *t,
                    const bool *leave);

/* "TYPE (FILE:LINE)" */
void hp_record_put(FILE *out, const struct hp_verdict *v);

#endif
