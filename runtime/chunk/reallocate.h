/* reallocate.h - a chunk takes over from another, where it is or elsewhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REALLOCATE_H
#define HP_REALLOCATE_H

#include "chunk/request.h"

/* metrics.md section 3, row realloc, for P not NULL and size > 0.  NULL: it
   failed and P is as before. */
void *hp_reallocate(void *p, const struct hp_request *request);

/* hp_begin_chunk() of one that COPIED bytes of another were copied into, which is an
   access of it. */
struct hp_thread;
struct hp_alloc_point;
void hp_begin_copied(struct hp_thread *self, struct hp_chunk *chunk,
                     const void *start, const struct hp_request *request,
                     struct hp_alloc_point *point, uint64_t now,
                     uint64_t copied);

#endif
