/* replaced.c - see replaced.h: the addresses of both are compared.
   And calls of the program's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/replaced.h"

bool hp_replaced_any = true;

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

bool hp_malloc_family_is_replaced(void) {
  return &malloc != &hp_malloc || &calloc != &hp_calloc ||
         &realloc != &hp_realloc || &free != &hp_free;
}

bool hp_malloc_is_replaced(void) { return HP_IS_REPLACED(malloc); }
bool hp_free_is_replaced(void) { return HP_IS_REPLACED(free); }
void *hp_replaced_malloc(size_t size) { return malloc(size); }
void hp_replaced_free(void *p) { free(p); }
void *hp_replaced_aligned_alloc(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
