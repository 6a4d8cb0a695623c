/* foreign_malloc.c - see foreign_malloc.h: looks theirs up with the first chunk
   that is not ours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/foreign_malloc.h"

#include "system/symbol_lookup.h"

/* Ours are found before theirs, so what they have is seldom seen: where a
   library calls its own without asking the linker, and gives away the chunk. */
HP_THREAD_LOCAL bool hp_foreign_is_asked;

void *hp_foreign_find(const char *name, void **cache) {
  if (hp_foreign_is_asked)
    return NULL;
  void *found = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
  if (!found && (found = hp_symbol_beside_libc(name)))
    __atomic_store_n(cache, found, __ATOMIC_RELEASE);
  return found;
}

HP_COLD bool hp_foreign_free(void *p) {
  static void *cache;
  void (*theirs)(void *) = (void (*)(void *))hp_foreign_find("free", &cache);
  if (!theirs)
    return false;
  HP_ASK_FOREIGN(theirs(p));
  return true;
}

HP_COLD bool hp_foreign_realloc(void *p, size_t size, void **moved) {
  static void *cache;
  void *(*theirs)(void *, size_t) =
      (void *(*)(void *, size_t))hp_foreign_find("realloc", &cache);
  if (!theirs)
    return false;
  HP_ASK_FOREIGN(*moved = theirs(p, size));
  return true;
}

HP_COLD bool hp_foreign_usable_size(void *p, size_t *size) {
  static void *cache;
  size_t (*theirs)(void *) =
      (size_t (*)(void *))hp_foreign_find("malloc_usable_size", &cache);
  if (!theirs)
    return false;
  HP_ASK_FOREIGN(*size = theirs(p));
  return true;
}
