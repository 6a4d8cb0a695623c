/* typed_family.c - the typed entry points (hook_abi.h): what a call in
   instrumented code became, with the type that it allocates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/plain.h"
#include "entry/operator_new.h"
#include "entry/replaced.h"
#include "hook_abi.h"

/* Each does what the function of its name does.  If the program defined that
   function, the program's is called, with the type as its scope: so what it
   allocates in its turn has that type. */

typedef struct hp_type_descriptor hp_descriptor;

/* Weak, so that the compiler does not take the two for different. */
#define HP_REPLACEABLE(result, linkage, name, ...)                             \
  result hp_##name(__VA_ARGS__);                                               \
  __attribute__((weak)) result name(__VA_ARGS__) __asm__(linkage);

/* ---- malloc and its kin -------------------------------------------------- */

#define HP_TYPED(result, name, arguments, linkage, ...)                        \
  HP_EXPORT result __heapprof_##name(__VA_ARGS__, hp_descriptor *type);        \
  result __heapprof_##name(__VA_ARGS__, hp_descriptor *type) {                 \
    if (HP_IS_REPLACED(linkage))                                               \
      HP_IN_SCOPE(type, linkage arguments);                                    \
    struct hp_caller caller = HP_TYPED_CALLER(type);                           \
    return

#define HP_TYPED_END                                                           \
  ;                                                                            \
  }

HP_REPLACEABLE(void *, "malloc", malloc, size_t)
HP_REPLACEABLE(void *, "calloc", calloc, size_t, size_t)
HP_REPLACEABLE(void *, "realloc", realloc, void *, size_t)
HP_REPLACEABLE(void *, "reallocarray", reallocarray, void *, size_t, size_t)
HP_REPLACEABLE(void *, "memalign", memalign, size_t, size_t)
HP_REPLACEABLE(int, "posix_memalign", posix_memalign, void **, size_t, size_t)
HP_REPLACEABLE(void *, "valloc", valloc, size_t)
HP_REPLACEABLE(void *, "pvalloc", pvalloc, size_t)
void *hp_aligned_alloc(size_t, size_t) __asm__("hp_memalign");
__attribute__((weak)) void *aligned_alloc(size_t, size_t);

HP_EXPORT void *__heapprof_malloc(size_t size, hp_descriptor *type);
/* Not built into it, so that it saves no registers for them; a chunk that is no
   sample takes no frame.  Readers know frames of the runtime, where malloc is the
   program's, by this beginning of their names. */
static HP_NOINLINE void *__heapprof_malloc_framed(size_t size,
                                                  hp_descriptor *type) {
  if (HP_IS_REPLACED(malloc))
    HP_IN_SCOPE(type, malloc(size));
  struct hp_caller caller = HP_TYPED_CALLER(type);
  return hp_entry_malloc(size, HP_ENTRY_MALLOC, &caller);
}

static HP_NOINLINE void *__heapprof_malloc_elsewhere(size_t size,
                                                     hp_descriptor *type) {
  if (HP_LIKELY(!HP_IS_REPLACED(malloc))) {
    void *p = hp_plain_quick_allocate(size, NULL);
    if (p)
      return p;
  }
  __attribute__((musttail)) return __heapprof_malloc_framed(size, type);
}

void *__heapprof_malloc(size_t size, hp_descriptor *type) {
  if (HP_LIKELY(!hp_replaced_any) && HP_LIKELY(!hp_sampling)) {
    struct hp_caller caller = HP_TYPED_CALLER(type);
    return hp_entry_malloc(size, HP_ENTRY_MALLOC, &caller);
  }
  __attribute__((musttail)) return __heapprof_malloc_elsewhere(size, type);
}

HP_TYPED(void *, calloc, (count, size), calloc, size_t count, size_t size)
hp_entry_calloc(count, size, &caller) HP_TYPED_END

    HP_TYPED(void *, realloc, (p, size), realloc, void *p, size_t size)
        hp_entry_realloc(p, size, &caller) HP_TYPED_END

    HP_TYPED(void *, reallocarray, (p, count, size), reallocarray, void *p,
             size_t count, size_t size)
        hp_entry_reallocarray(p, count, size, &caller) HP_TYPED_END

    HP_TYPED(void *, aligned_alloc, (alignment, size), aligned_alloc,
             size_t alignment, size_t size)
        hp_entry_memalign(alignment, size, &caller) HP_TYPED_END

    HP_TYPED(void *, memalign, (alignment, size), memalign, size_t alignment,
             size_t size)
        hp_entry_memalign(alignment, size, &caller) HP_TYPED_END

    HP_TYPED(int, posix_memalign, (out, alignment, size), posix_memalign,
             void **out, size_t alignment, size_t size)
        hp_entry_posix_memalign(out, alignment, size, &caller) HP_TYPED_END

    HP_TYPED(void *, valloc, (size), valloc, size_t size)
        hp_entry_valloc(size, &caller) HP_TYPED_END

    HP_TYPED(void *, pvalloc, (size), pvalloc, size_t size)
        hp_entry_pvalloc(size, &caller) HP_TYPED_END

    /* ---- operator new ---------------------------------------------------- */

    typedef const void *hp_nothrow;

HP_REPLACEABLE(void *, "_Znwm", new, size_t)
HP_REPLACEABLE(void *, "_Znam", new_array, size_t)
HP_REPLACEABLE(void *, "_ZnwmRKSt9nothrow_t", new_nothrow, size_t, hp_nothrow)
HP_REPLACEABLE(void *, "_ZnamRKSt9nothrow_t", new_array_nothrow, size_t,
               hp_nothrow)
HP_REPLACEABLE(void *, "_ZnwmSt11align_val_t", new_aligned, size_t, size_t)
HP_REPLACEABLE(void *, "_ZnamSt11align_val_t", new_array_aligned, size_t,
               size_t)
HP_REPLACEABLE(void *, "_ZnwmSt11align_val_tRKSt9nothrow_t",
               new_aligned_nothrow, size_t, size_t, hp_nothrow)
HP_REPLACEABLE(void *, "_ZnamSt11align_val_tRKSt9nothrow_t",
               new_array_aligned_nothrow, size_t, size_t, hp_nothrow)

/* An array form that is not replaced calls the single one, and a nothrow form
   the throwing one: the form called and those behind it must all be ours.  QUICK:
   a chunk that is no sample, of the two forms that most programs call. */
#define HP_TYPED_NEW(linkage, name, arguments, replaced, quick, how, kind,     \
                     power, ...)                                               \
  HP_EXPORT void *hp_typed_##name(__VA_ARGS__, hp_descriptor *type) __asm__(   \
      HP_TYPED_PREFIX linkage);                                                \
  void *hp_typed_##name(__VA_ARGS__, hp_descriptor *type) {                    \
    if (HP_UNLIKELY(hp_replaced_any) &&                                        \
        ((replaced) || hp_malloc_is_replaced()))                               \
      HP_IN_SCOPE(type, name arguments);                                       \
    void *p = (quick);                                                         \
    if (p)                                                                     \
      return p;                                                                \
    return how(&(struct hp_request){.size = size,                              \
                                    .alignment = (power),                      \
                                    .entry = (kind),                           \
                                    .caller = HP_TYPED_CALLER(type)});         \
  }

HP_TYPED_NEW("_Znwm", new, (size), HP_IS_REPLACED(new),
             hp_plain_quick_allocate(size, type), hp_entry_new, HP_ENTRY_NEW, 0,
             size_t size)
HP_TYPED_NEW("_Znam", new_array, (size),
             HP_IS_REPLACED(new_array) || HP_IS_REPLACED(new),
             hp_plain_quick_allocate(size, type), hp_entry_new,
             HP_ENTRY_NEW_ARRAY, 0, size_t size)
HP_TYPED_NEW("_ZnwmRKSt9nothrow_t", new_nothrow, (size, tag),
             HP_IS_REPLACED(new_nothrow) || HP_IS_REPLACED(new), NULL,
             hp_entry_new_nothrow, HP_ENTRY_NEW, 0, size_t size, hp_nothrow tag)
HP_TYPED_NEW("_ZnamRKSt9nothrow_t", new_array_nothrow, (size, tag),
             HP_IS_REPLACED(new_array_nothrow) || HP_IS_REPLACED(new_array) ||
                 HP_IS_REPLACED(new),
             NULL, hp_entry_new_nothrow, HP_ENTRY_NEW_ARRAY, 0, size_t size,
             hp_nothrow tag)
HP_TYPED_NEW("_ZnwmSt11align_val_t", new_aligned, (size, alignment),
             HP_IS_REPLACED(new_aligned), NULL, hp_entry_new, HP_ENTRY_NEW,
             alignment, size_t size, size_t alignment)
HP_TYPED_NEW("_ZnamSt11align_val_t", new_array_aligned, (size, alignment),
             HP_IS_REPLACED(new_array_aligned) || HP_IS_REPLACED(new_aligned),
             NULL, hp_entry_new, HP_ENTRY_NEW_ARRAY, alignment, size_t size,
             size_t alignment)
HP_TYPED_NEW("_ZnwmSt11align_val_tRKSt9nothrow_t", new_aligned_nothrow,
             (size, alignment, tag),
             HP_IS_REPLACED(new_aligned_nothrow) || HP_IS_REPLACED(new_aligned),
             NULL, hp_entry_new_nothrow, HP_ENTRY_NEW, alignment, size_t size,
             size_t alignment, hp_nothrow tag)
HP_TYPED_NEW("_ZnamSt11align_val_tRKSt9nothrow_t", new_array_aligned_nothrow,
             (size, alignment, tag),
             HP_IS_REPLACED(new_array_aligned_nothrow) ||
                 HP_IS_REPLACED(new_array_aligned) ||
                 HP_IS_REPLACED(new_aligned),
             NULL, hp_entry_new_nothrow, HP_ENTRY_NEW_ARRAY, alignment,
             size_t size, size_t alignment, hp_nothrow tag)
