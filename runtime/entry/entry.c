/* entry.c - see entry.h: glibc 2.36's semantics, and who keeps the chunk: the early
   allocator, the profiled heap, the plain heap or a library's own malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "entry/entry.h"

#include <errno.h>

#include "chunk/bare_chunk.h"
#include "chunk/beside.h"
#include "chunk/plain.h"
#include "chunk/quick_chunk.h"
#include "chunk/reallocate.h"
#include "chunk/sample.h"
#include "entry/foreign_malloc.h"
#include "entry/start.h"
#include "options/options.h"
#include "process/own_profile.h"
#include "system/early_allocator.h"
#include "system/message.h"
#include "system/real_libc.h"

#define HP_PAGE ((size_t)4096)
#define HP_MALLOC_ALIGNMENT ((size_t)16)

/* ---- a new chunk --------------------------------------------------------- */

HP_COLD void hp_entry_out_of_memory(const struct hp_request *request) {
  hp_sys_warn_with_stack(&request->caller,
                         "ERROR: %zu bytes cannot be allocated, and "
                         "allocator_may_return_null=0",
                         request->size);
  hp_finish("out of memory", -1);
  hp_sys_die("out of memory; raise the limit or set "
             "allocator_may_return_null=1");
}

static HP_COLD void *allocate_early(const struct hp_request *request) {
  size_t size = request->size ? request->size : 1;
  return hp_early_allocate(size, request->alignment > HP_MALLOC_ALIGNMENT
                                     ? request->alignment
                                     : HP_MALLOC_ALIGNMENT);
}

HP_INLINE void *allocate_plain(struct hp_thread *self,
                               const struct hp_request *request) {
  void *p = hp_plain_allocate(self, request);
  if (HP_UNLIKELY(!p)) {
    hp_sample_undo(self, request->size);
    if (!hp_options.allocator_may_return_null)
      hp_entry_out_of_memory(request);
  }
  return p;
}

/* The runtime begins, or leaves the allocator to the program. */
static HP_NOINLINE void *allocate_elsewhere(const struct hp_request *request) {
  if (!hp_is_beside() || hp_init_state != HP_STARTED_BESIDE)
    return allocate_early(request);
  void *p = hp_beside_allocate(request);
  if (HP_UNLIKELY(!p && !hp_options.allocator_may_return_null))
    hp_entry_out_of_memory(request);
  return p;
}

static HP_NOINLINE void *allocate_any(const struct hp_request *request) {
  if (HP_UNLIKELY(hp_init_state != HP_STARTED)) {
    hp_init();
    if (hp_init_state != HP_STARTED && hp_init_state != HP_STARTED_UNUSED)
      return allocate_elsewhere(request);
  }
  /* hp_allocate() asks for the thread again: to hand it on takes registers. */
  struct hp_thread *self;
  void *p;
  if (HP_UNLIKELY(hp_allocate_asks)) {
    if (hp_sampling && (self = hp_thread_get()) &&
        !hp_sample_hit(self, request->size))
      return allocate_plain(self, request);
    if ((p = hp_bare_allocate(request)))
      return p;
  }
  p = hp_allocate(request);
  if (HP_UNLIKELY(!p && !hp_options.allocator_may_return_null))
    hp_entry_out_of_memory(request);
  return p;
}

HP_COLD void *hp_entry_no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

static void *or_no_memory(void *p) {
  return HP_LIKELY(p != NULL) ? p : hp_entry_no_memory();
}

#ifdef HEAPPROF_PRELOADED /* most chunks there are bare, elsewhere none */
void *hp_entry_allocate(const struct hp_request *request) {
  void *p = hp_bare_allocate_quickly(request);
  return HP_LIKELY(p != NULL) ? p : allocate_any(request);
}
#else
void *hp_entry_allocate(const struct hp_request *request) {
  void *p = hp_quick_allocate(request);
  return HP_LIKELY(p != NULL) ? p : allocate_any(request);
}
#endif

/* A request that overflows before it reaches the allocator. */
static HP_COLD void *too_much(enum hp_entry entry,
                              const struct hp_caller *caller) {
  struct hp_request request = {
      .size = SIZE_MAX, .entry = entry, .caller = *caller};
  hp_count_failed(SIZE_MAX);
  if (!hp_options.allocator_may_return_null)
    hp_entry_out_of_memory(&request);
  errno = ENOMEM;
  return NULL;
}

/* ---- free ---------------------------------------------------------------- */

/* The chunk at P is the program's allocator's, if it is one. */
static bool is_beside(const void *p) {
  return hp_is_beside() && !hp_early_owns(p);
}

/* Frees P, which is outside the profiled range.  False: nobody keeps a chunk
   there. */
static bool free_elsewhere(void *p, const struct hp_caller *caller,
                           uint32_t flags) {
  if (is_beside(p)) {
    hp_beside_free(p, caller, flags);
    return true;
  }
  if (hp_bare_holds(p)) {
    hp_bare_deallocate(p, caller, flags);
    return true;
  }
  if (HP_LIKELY(hp_plain_owns(p))) {
    struct hp_thread *self = hp_thread_get();
    if (HP_UNLIKELY(!self))
      hp_count_unrecorded_free();
    else if (HP_UNLIKELY(!hp_plain_free(self, p)))
      hp_report_invalid(p, "free", caller);
    return true;
  }
  if (!hp_early_owns(p))
    return hp_foreign_free(p);
  hp_early_free(p);
  return true;
}

static HP_NOINLINE void end_any(void *p, uintptr_t pc, uintptr_t bp,
                                uintptr_t sp, uint32_t flags) {
  const struct hp_caller caller = {.pc = pc, .bp = bp, .sp = sp};
  if (!p || ((!hp_heap_holds(p) || hp_is_beside()) &&
             free_elsewhere(p, &caller, flags)))
    return;
  if (flags)
    hp_deallocate_deleted(p, &caller);
  else
    hp_deallocate(p, &caller);
}

void hp_entry_end(void *p, uintptr_t pc, uintptr_t bp, uintptr_t sp,
                  uint32_t flags) {
#ifdef HEAPPROF_PRELOADED
  if (HP_LIKELY(hp_bare_holds(p))) {
    hp_bare_deallocate(p, &(struct hp_caller){.pc = pc, .bp = bp, .sp = sp},
                       flags);
    return;
  }
#endif
  if (HP_UNLIKELY(!hp_quick_deallocate(p, pc, bp, sp, flags)))
    end_any(p, pc, bp, sp, flags);
}

/* ---- calloc and realloc -------------------------------------------------- */

void *hp_entry_calloc(size_t count, size_t size,
                      const struct hp_caller *caller) {
  size_t bytes;
  if (HP_UNLIKELY(__builtin_mul_overflow(count, size, &bytes)))
    return too_much(HP_ENTRY_CALLOC, caller);
  return or_no_memory(
      hp_entry_allocate(&(struct hp_request){.size = bytes,
                                             .zeroed = true,
                                             .entry = HP_ENTRY_CALLOC,
                                             .caller = *caller}));
}

/* A chunk of the early allocator moves to the heap. */
static HP_COLD void *reallocate_early(void *p,
                                      const struct hp_request *request) {
  void *moved = or_no_memory(hp_entry_allocate(request));
  if (!moved)
    return NULL;
  size_t old = hp_early_size(p);
  hp_real_memcpy(moved, p, old < request->size ? old : request->size);
  hp_early_free(p);
  return moved;
}

static HP_COLD void *reallocate_beside(void *p,
                                       const struct hp_request *request) {
  void *moved = hp_beside_reallocate(p, request);
  if (!moved && request->size && !hp_options.allocator_may_return_null)
    hp_entry_out_of_memory(request);
  return moved;
}

bool hp_entry_is_elsewhere(const void *p) {
  return hp_is_beside() ||
         (!hp_heap_owns(p) && !hp_plain_owns(p) && !hp_bare_holds(p));
}

void *hp_entry_realloc(void *p, size_t size, const struct hp_caller *caller) {
  if (!p)
    return hp_entry_malloc(size, HP_ENTRY_REALLOC, caller);
  if (size == 0 && !is_beside(p)) {
    hp_entry_free(p, caller);
    return NULL;
  }
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_REALLOC, .caller = *caller};
  if (HP_UNLIKELY(hp_entry_is_elsewhere(p))) {
    void *theirs;
    if (hp_early_owns(p))
      return reallocate_early(p, &request);
    if (hp_is_beside())
      return reallocate_beside(p, &request);
    if (hp_foreign_realloc(p, size, &theirs))
      return theirs;
  }
  void *moved = HP_UNLIKELY(hp_bare_holds(p)) ? hp_bare_reallocate(p, &request)
                                              : hp_reallocate(p, &request);
  if (HP_UNLIKELY(!moved && !hp_options.allocator_may_return_null))
    hp_entry_out_of_memory(&request);
  return or_no_memory(moved);
}

void *hp_entry_reallocarray(void *p, size_t count, size_t size,
                            const struct hp_caller *caller) {
  size_t bytes;
  if (HP_UNLIKELY(__builtin_mul_overflow(count, size, &bytes)))
    return too_much(HP_ENTRY_REALLOC, caller);
  return hp_entry_realloc(p, bytes, caller);
}

/* ---- aligned ------------------------------------------------------------- */

static void *allocate_aligned(size_t size, size_t alignment,
                              const struct hp_caller *caller) {
  return hp_entry_allocate(&(struct hp_request){.size = size,
                                                .alignment = alignment,
                                                .entry = HP_ENTRY_ALIGNED,
                                                .caller = *caller});
}

/* glibc 2.36 takes any alignment up to 2^63 and rounds it up to a power of
   two, in aligned_alloc too. */
void *hp_entry_memalign(size_t alignment, size_t size,
                        const struct hp_caller *caller) {
  if (HP_UNLIKELY(alignment > SIZE_MAX / 2 + 1)) {
    hp_count_failed(size);
    errno = EINVAL;
    return NULL;
  }
  size_t power = HP_MALLOC_ALIGNMENT;
  while (power < alignment)
    power <<= 1;
  return or_no_memory(allocate_aligned(size, power, caller));
}

/* Says why by its result, so neither errno nor *OUT changes on failure. */
int hp_entry_posix_memalign(void **out, size_t alignment, size_t size,
                            const struct hp_caller *caller) {
  if (HP_UNLIKELY(alignment < sizeof(void *) ||
                  (alignment & (alignment - 1)) != 0)) {
    hp_count_failed(size);
    return EINVAL;
  }
  void *p = allocate_aligned(size, alignment, caller);
  if (HP_UNLIKELY(!p)) {
    errno = ENOMEM; /* as glibc does */
    return ENOMEM;
  }
  *out = p;
  return 0;
}

void *hp_entry_valloc(size_t size, const struct hp_caller *caller) {
  return or_no_memory(allocate_aligned(size, HP_PAGE, caller));
}

void *hp_entry_pvalloc(size_t size, const struct hp_caller *caller) {
  if (HP_UNLIKELY(size > SIZE_MAX - HP_PAGE + 1))
    return too_much(HP_ENTRY_ALIGNED, caller);
  size_t pages = (size + HP_PAGE - 1) & ~(HP_PAGE - 1);
  return or_no_memory(allocate_aligned(pages, HP_PAGE, caller));
}
