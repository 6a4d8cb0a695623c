/* replaced.c - see replaced.h: the addresses of both are compared.
   And calls of the program's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifdef HEAPPROF_PRELOADED
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#endif

#include "entry/replaced.h"
#include "system/symbol_lookup.h"

bool hp_replaced_any = true;

/* standard_library/real_symbols.c, which the compiler wrapper has linked in where lld
   shall wrap something. */
extern
    __attribute__((weak)) HP_HIDDEN const void *const __heapprof_real_symbols[];

bool hp_is_wrapped(const void *ours) {
  const void *const *real = __heapprof_real_symbols;
  while (real && *real != __heapprof_real_symbols)
    if (*real++ == ours)
      return true;
  return false;
}

/* Weak, so that the compiler does not take the two for different. */
#define REPLACEABLE(result, name, ...)                                         \
  result hp_##name(__VA_ARGS__);                                               \
  __attribute__((weak)) result name(__VA_ARGS__);

REPLACEABLE(void *, malloc, size_t)
REPLACEABLE(void *, calloc, size_t, size_t)
REPLACEABLE(void *, realloc, void *, size_t)
REPLACEABLE(void, free, void *)
void *hp_memalign(size_t, size_t);
__attribute__((weak)) void *aligned_alloc(size_t, size_t);

/* A program that is not position-independent and takes a function's address has it
   at a stub of its own, for all libraries; the stub calls ours. */
static bool is_stub(uintptr_t found) {
#ifdef HEAPPROF_PRELOADED
  Dl_info info;
  void *symbol = NULL;
  /* Our own dladdr1 counts for the program, from when the interceptors are there. */
  int (*libcs)(const void *, Dl_info *, void **, int) =
      (__typeof__(libcs))hp_symbol_of_libc("dladdr1");
  return libcs && libcs((void *)found, &info, &symbol, RTLD_DL_SYMENT) &&
         symbol && ((const ElfW(Sym) *)symbol)->st_shndx == SHN_UNDEF;
#else
  (void)found;
  return false;
#endif
}

#define DIFFERS(name) (HP_DIFFERS(name) && !is_stub((uintptr_t)&name))

bool hp_malloc_family_is_replaced(void) {
  return DIFFERS(malloc) || DIFFERS(calloc) || DIFFERS(realloc) ||
         DIFFERS(free);
}

bool hp_malloc_is_replaced(void) { return HP_IS_REPLACED(malloc); }
bool hp_free_is_replaced(void) { return HP_IS_REPLACED(free); }
void *hp_replaced_malloc(size_t size) { return malloc(size); }
void hp_replaced_free(void *p) { free(p); }
void *hp_replaced_aligned_alloc(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
