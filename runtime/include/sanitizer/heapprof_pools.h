/*===- sanitizer/heapprof_pools.h - a program's own pools, for heapprof ---===//
   What a program says of objects that it cuts out of chunks of the heap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef SANITIZER_HEAPPROF_POOLS_H
#define SANITIZER_HEAPPROF_POOLS_H

#include <stddef.h>

#ifndef HEAPPROF_WEAK
#define HEAPPROF_WEAK __attribute__((weak))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* None of these does anything in a program that is linked without the runtime.
   A pool is known by any address that is its alone.  docs/pools.md says more. */

/** POOL begins, and is called NAME wherever its objects are told of.  NAME is
    copied, its first 63 bytes.  A pool that was not created has the name "pool". */
HEAPPROF_WEAK void __heapprof_pool_create(const void *pool, const char *name);

/** POOL ends, and so do all of its objects. */
HEAPPROF_WEAK void __heapprof_pool_destroy(const void *pool);

/** POOL hands out SIZE bytes at P: from now on they are an object of their own,
    with the call stack that this is called from, until they are freed, or POOL is
    cleared or destroyed, or the chunk of the heap in which they lie ends.  P NULL:
    nothing. */
HEAPPROF_WEAK void __heapprof_pool_alloc(const void *pool, void *p,
                                         size_t size);

/** The object at P ends.  To be called before its memory is used otherwise. */
HEAPPROF_WEAK void __heapprof_pool_free(const void *pool, void *p);

/** All objects of POOL end; it goes on. */
HEAPPROF_WEAK void __heapprof_pool_clear(const void *pool);

#ifdef __cplusplus
}
#endif

/* Without the runtime they are NULL. */
#ifndef HEAPPROF_POOLS_AS_DECLARED
#define __heapprof_pool_create(pool, name)                                     \
  (__heapprof_pool_create ? __heapprof_pool_create(pool, name) : (void)0)
#define __heapprof_pool_destroy(pool)                                          \
  (__heapprof_pool_destroy ? __heapprof_pool_destroy(pool) : (void)0)
#define __heapprof_pool_alloc(pool, p, size)                                   \
  (__heapprof_pool_alloc ? __heapprof_pool_alloc(pool, p, size) : (void)0)
#define __heapprof_pool_free(pool, p)                                          \
  (__heapprof_pool_free ? __heapprof_pool_free(pool, p) : (void)0)
#define __heapprof_pool_clear(pool)                                            \
  (__heapprof_pool_clear ? __heapprof_pool_clear(pool) : (void)0)
#endif

#endif
