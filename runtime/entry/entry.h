/* entry.h - what the allocation functions of C and of C++ have in common.
   Callers pass their own caller's frame and whatever errno says afterwards.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ENTRY_H
#define HP_ENTRY_H

#include "chunk/allocator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new chunk; NULL if it cannot be had and options.allocator_may_return_null
   allows that.  Starts the runtime if need be; keeps errno. */
void *hp_entry_allocate(const struct hp_request *request);

/* NULL, and errno ENOMEM. */
void *hp_entry_no_memory(void);

/* A new chunk as malloc gives it. */
HP_INLINE void *hp_entry_malloc(size_t size, enum hp_entry entry,
                                const struct hp_caller *caller) {
  struct hp_request request = {size, 0, 0, entry, *caller};
  void *p = hp_entry_allocate(&request);
  return HP_LIKELY(p != NULL) ? p : hp_entry_no_memory();
}

/* The others, with the semantics and the errno of the function named. */
void *hp_entry_calloc(size_t count, size_t size,
                      const struct hp_caller *caller);
void *hp_entry_realloc(void *p, size_t size, const struct hp_caller *caller);
void *hp_entry_reallocarray(void *p, size_t count, size_t size,
                            const struct hp_caller *caller);
void *hp_entry_memalign(size_t alignment, size_t size,
                        const struct hp_caller *caller);
int hp_entry_posix_memalign(void **out, size_t alignment, size_t size,
                            const struct hp_caller *caller);
void *hp_entry_valloc(size_t size, const struct hp_caller *caller);
void *hp_entry_pvalloc(size_t size, const struct hp_caller *caller);

/* P is no chunk of the heap's: the program's own allocator's, the early one's, or
   somebody's. */
bool hp_entry_is_elsewhere(const void *p);

/* Ends the chunk at P, with HP_ENDED_BY_DELETE or no FLAGS in its event; the others
   are the caller's registers.  Keeps errno. */
void hp_entry_end(void *p, uintptr_t pc, uintptr_t bp, uintptr_t sp,
                  uint32_t flags);
HP_INLINE void hp_entry_free(void *p, const struct hp_caller *caller) {
  hp_entry_end(p, caller->pc, caller->bp, caller->sp, 0);
}
HP_INLINE void hp_entry_delete(void *p, const struct hp_caller *caller) {
  hp_entry_end(p, caller->pc, caller->bp, caller->sp, HP_ENDED_BY_DELETE);
}

/* Without memory and not allowed to say so: reports, writes the dump, ends. */
HP_NORETURN void hp_entry_out_of_memory(const struct hp_request *request);

#ifdef __cplusplus
}
#endif

#endif
