/* replaced.c - see replaced.h: the addresses of both are compared.
   And the mallocs of libraries, which the program does not call but has from.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/replaced.h"

#include "system/sanitizer_binding.h"

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

void hp_replaced_look(void) {
  hp_replaced_any =
      hp_malloc_family_is_replaced() || hp_operators_are_replaced();
}

bool hp_malloc_is_replaced(void) { return HP_IS_REPLACED(malloc); }
bool hp_free_is_replaced(void) { return HP_IS_REPLACED(free); }
void *hp_replaced_malloc(size_t size) { return malloc(size); }
void hp_replaced_free(void *p) { free(p); }
void *hp_replaced_aligned_alloc(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

/* ---- libraries ----------------------------------------------------------- */

/* Ours are found before theirs, so what they have is seldom seen: where a
   library calls its own without asking the linker, and gives away the chunk. */
static HP_THREAD_LOCAL bool is_asking;

static void *find(const char *name, void **cache) {
  if (is_asking)
    return NULL;
  void *found = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
  if (!found && (found = hp_sys_symbol_beside_libc(name)))
    __atomic_store_n(cache, found, __ATOMIC_RELEASE);
  return found;
}

HP_COLD bool hp_foreign_free(void *p) {
  static void *cache;
  void (*theirs)(void *) = (void (*)(void *))find("free", &cache);
  if (!theirs)
    return false;
  is_asking = true;
  theirs(p);
  is_asking = false;
  return true;
}

HP_COLD bool hp_foreign_realloc(void *p, size_t size, void **moved) {
  static void *cache;
  void *(*theirs)(void *, size_t) =
      (void *(*)(void *, size_t))find("realloc", &cache);
  if (!theirs)
    return false;
  is_asking = true;
  *moved = theirs(p, size);
  is_asking = false;
  return true;
}

HP_COLD bool hp_foreign_usable_size(void *p, size_t *size) {
  static void *cache;
  size_t (*theirs)(void *) =
      (size_t (*)(void *))find("malloc_usable_size", &cache);
  if (!theirs)
    return false;
  is_asking = true;
  *size = theirs(p);
  is_asking = false;
  return true;
}
