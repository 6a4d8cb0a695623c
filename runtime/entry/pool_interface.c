/* pool_interface.c - what a program says of its pools, and what the pass says of
   calls of functions that it was told of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HEAPPROF_POOLS_AS_DECLARED
#include <sanitizer/heapprof_pools.h>

#include <errno.h>

#include "chunk/pools.h"
#include "entry/start.h"

/* Each is called from the code whose frame is the innermost one, and keeps errno. */
#define HP_SAID(call)                                                          \
  do {                                                                         \
    const int saved = errno;                                                   \
    if (hp_init_state >= HP_STARTED && hp_init_state != HP_STARTED_BESIDE)     \
      call;                                                                    \
    errno = saved;                                                             \
  } while (false)

HP_EXPORT void __heapprof_pool_create(const void *pool, const char *name) {
  HP_SAID(hp_pool_create(pool, name));
}

HP_EXPORT void __heapprof_pool_destroy(const void *pool) {
  const struct hp_caller caller = HP_CALLER();
  HP_SAID(hp_pool_destroy(pool, &caller));
}

HP_EXPORT void __heapprof_pool_alloc(const void *pool, void *p, size_t size) {
  const struct hp_caller caller = HP_CALLER();
  HP_SAID(hp_pool_alloc(pool, p, size, "pool", &caller));
}

HP_EXPORT void __heapprof_pool_free(const void *pool, void *p) {
  (void)pool; /* the place says which object it is */
  const struct hp_caller caller = HP_CALLER();
  HP_SAID(hp_pool_free(p, false, &caller));
}

HP_EXPORT void __heapprof_pool_clear(const void *pool) {
  const struct hp_caller caller = HP_CALLER();
  HP_SAID(hp_pool_clear(pool, &caller));
}

HP_EXPORT void __heapprof_pooled(const void *pool, void *p, uint64_t size,
                                 const char *name,
                                 struct hp_type_descriptor *type);
void __heapprof_pooled(const void *pool, void *p, uint64_t size,
                       const char *name, struct hp_type_descriptor *type) {
  const struct hp_caller caller = HP_TYPED_CALLER(type);
  HP_SAID(hp_pool_alloc(pool, p, size, name, &caller));
}

HP_EXPORT void __heapprof_unpooled(void *p);
void __heapprof_unpooled(void *p) {
  const struct hp_caller caller = HP_CALLER();
  HP_SAID(hp_pool_free(p, true, &caller));
}
