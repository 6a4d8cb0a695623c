/* wrapped_symbols.c - where the program's calls go if its linker has --wrap=malloc.
   The compiler made calls of __heapprof_malloc of them, which the linker is to wrap,
   too; each goes on to the program's __wrap_malloc, with the type as its scope.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>

#include "hook_abi.h"

typedef struct hp_type_descriptor hp_descriptor;
typedef const void *hp_nothrow;

/* Weak, so that a program which wraps one of them need not have the others. */
#define HP_WRAPPED(result, name, arguments, ...)                               \
  __attribute__((weak)) result __wrap_##name(__VA_ARGS__);                     \
  result __wrap___heapprof_##name(__VA_ARGS__, hp_descriptor *type);           \
  result __wrap___heapprof_##name(__VA_ARGS__, hp_descriptor *type) {          \
    HP_IN_SCOPE(type, __wrap_##name arguments);                                \
  }

#define HP_WRAPPED_COPY(name, second)                                          \
  __attribute__((weak)) void *__wrap_##name(void *to, second from, size_t n);  \
  void *__wrap___heapprof_##name(void *to, second from, size_t n);             \
  void *__wrap___heapprof_##name(void *to, second from, size_t n) {            \
    return __wrap_##name(to, from, n);                                         \
  }

HP_WRAPPED_COPY(memcpy, const void *)
HP_WRAPPED_COPY(memmove, const void *)
HP_WRAPPED_COPY(memset, int)
HP_WRAPPED(void *, malloc, (size), size_t size)
HP_WRAPPED(void *, calloc, (count, size), size_t count, size_t size)
HP_WRAPPED(void *, realloc, (p, size), void *p, size_t size)
HP_WRAPPED(void *, reallocarray, (p, count, size), void *p, size_t count,
           size_t size)
HP_WRAPPED(void *, aligned_alloc, (alignment, size), size_t alignment,
           size_t size)
HP_WRAPPED(void *, memalign, (alignment, size), size_t alignment, size_t size)
HP_WRAPPED(int, posix_memalign, (out, alignment, size), void **out,
           size_t alignment, size_t size)
HP_WRAPPED(void *, valloc, (size), size_t size)
HP_WRAPPED(void *, pvalloc, (size), size_t size)
HP_WRAPPED(void *, _Znwm, (size), size_t size)
HP_WRAPPED(void *, _Znam, (size), size_t size)
HP_WRAPPED(void *, _ZnwmRKSt9nothrow_t, (size, tag), size_t size,
           hp_nothrow tag)
HP_WRAPPED(void *, _ZnamRKSt9nothrow_t, (size, tag), size_t size,
           hp_nothrow tag)
HP_WRAPPED(void *, _ZnwmSt11align_val_t, (size, alignment), size_t size,
           size_t alignment)
HP_WRAPPED(void *, _ZnamSt11align_val_t, (size, alignment), size_t size,
           size_t alignment)
HP_WRAPPED(void *, _ZnwmSt11align_val_tRKSt9nothrow_t, (size, alignment, tag),
           size_t size, size_t alignment, hp_nothrow tag)
HP_WRAPPED(void *, _ZnamSt11align_val_tRKSt9nothrow_t, (size, alignment, tag),
           size_t size, size_t alignment, hp_nothrow tag)
