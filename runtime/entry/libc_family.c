/* libc_family.c - malloc and its kin by the names of libc alone, in the preloaded library: with allocator=program they are libc's.
   For another allocator may be made of them, which would else be called by itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

#include "chunk/beside.h"
#include "system/next_allocator.h"
#include "system/symbol_lookup.h"

/* Libc is whose allocator is called; else *LIBCS is its function of NAME. */
static bool is_next(void **libcs, const char *name) {
  static void *malloc_of_libc;
  if (!malloc_of_libc)
    malloc_of_libc = hp_symbol_of_libc("malloc");
  if ((void *)hp_next.malloc == malloc_of_libc)
    return true;
  if (!*libcs)
    *libcs = hp_symbol_of_libc(name);
  return !*libcs;
}

/* Stronger than those of malloc_family.c, to which they jump, so that the caller is the
   same.  Libc's own where that is not what the program has. */
#define BY_LIBC(result, name, arguments, ...)                                  \
  result hp_##name(__VA_ARGS__);                                               \
  HP_EXPORT result __libc_##name(__VA_ARGS__);                                 \
  result __libc_##name(__VA_ARGS__) {                                          \
    static void *libcs;                                                        \
    if (HP_LIKELY(!hp_is_beside()) || is_next(&libcs, "__libc_" #name))        \
        __attribute__                                                          \
      ((musttail)) return hp_##name arguments;                                 \
    __attribute__((musttail)) return (                                         \
        (result (*)(__VA_ARGS__))libcs)arguments;                              \
  }

BY_LIBC(void *, malloc, (size), size_t size)
BY_LIBC(void *, calloc, (count, size), size_t count, size_t size)
BY_LIBC(void *, realloc, (p, size), void *p, size_t size)
BY_LIBC(void *, memalign, (alignment, size), size_t alignment, size_t size)
BY_LIBC(void *, valloc, (size), size_t size)
BY_LIBC(void *, pvalloc, (size), size_t size)
BY_LIBC(void, free, (p), void *p)
