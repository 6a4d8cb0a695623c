/* passage.h - functions of the program that only pass an allocation on.
   An xmalloc is the innermost frame of many points, and never what to change.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PASSAGE_H
#define HP_PASSAGE_H

#include "base/store.h"
#include "heapprof.h"

/* Told by the number of places it is called from, or of types that it makes,
   on the way to allocations of which it does not know the type; or by its name, if
   it makes arrays of numbers or pointers, of several sizes. */
struct hp_passages {
  struct hp_passage *functions; /* hash table; {0} is empty */
};

/* What POINT's stack says, from its frame DEPTH outward; false without
   memory. */
bool hp_passages_add(struct hp_passages *passages, const struct hp_point *point,
                     size_t depth, struct hp_store *store);

/* The line of F calls the function of CALLEE, which allocates first of the program's. */
bool hp_passages_calls(const struct hp_passages *passages,
                       const struct hp_frame *f, const struct hp_frame *callee);

/* F calls from there for several callers, whatever it allocates. */
bool hp_passages_is_shared(const struct hp_passages *passages,
                           const struct hp_frame *f);

/* DEPTH, or the first frame outward of it that is no passage; INNERMOST is what POINT was
   added from. */
size_t hp_passages_skip(const struct hp_passages *passages,
                        const struct hp_point *point, size_t innermost,
                        size_t depth);

/* The same of frees, in a table of their own: a yaml_free is called from several
   places, for chunks that several places MADE, of which this is one. */
bool hp_passages_add_free(struct hp_passages *passages,
                          const struct hp_freed *freed, const char *made,
                          struct hp_store *store);

/* Who frees what a STACK of COUNT frames made: of these the one at PLACE and those outward of
   it free for nobody, those inward for others.  *SURE: that is known of all of them. */
const struct hp_frame *hp_passages_freer(const struct hp_passages *passages,
                                         const struct hp_freed *freed,
                                         const struct hp_frame *const *stack,
                                         size_t count, size_t place,
                                         bool *sure);
void hp_passages_free(struct hp_passages *passages);

#endif
