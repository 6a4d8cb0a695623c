/* pools.h - the program's own pools: what it says of them, and how their objects
   begin and end.  What it says wrongly is counted, and changes nothing else.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POOLS_H
#define HP_POOLS_H

#include "chunk/pooled.h"

/* A pool is known by any address that the program gives it.  One that was not
   created is named NAME by its first object, and is forgotten with its last. */
void hp_pool_create(const void *pool, const char *name);
void hp_pool_destroy(const void *pool, const struct hp_caller *caller);
void hp_pool_clear(const void *pool, const struct hp_caller *caller);
void hp_pool_alloc(const void *pool, void *p, size_t size, const char *name,
                   const struct hp_caller *caller);
/* IS_NAMED: what frees is a function that somebody named. */
void hp_pool_free(const void *p, bool is_named, const struct hp_caller *caller);

/* Names of pools are numbered; those of points (origin/point.h) are above
   HP_POINT_POOL_SHIFT.  What comes after HP_POOL_NAMES has the last one. */
#define HP_POOL_NAMES 255u
const char *hp_pool_name(uint32_t number);

/* What the program said wrongly, in the window. */
struct hp_dump_totals;
void hp_pool_totals(struct hp_dump_totals *totals);
void hp_pools_start(void); /* a window begins */

#endif
