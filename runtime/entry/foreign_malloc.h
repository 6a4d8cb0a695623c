/* foreign_malloc.h - the mallocs of libraries, which the program does not call
   but has chunks from.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FOREIGN_MALLOC_H
#define HP_FOREIGN_MALLOC_H

#include "system/platform.h"

/* P is nothing of ours.  If a library beside libc has a malloc of its own, what
   P is there; false if there is none, or if it calls here itself. */
bool hp_foreign_free(void *p);
bool hp_foreign_realloc(void *p, size_t size, void **moved);
bool hp_foreign_usable_size(void *p, size_t *size);

/* Theirs of NAME, which is kept in CACHE; NULL: there is none, or it calls here itself.
   It is called so. */
void *hp_foreign_find(const char *name, void **cache);
#define HP_ASK_FOREIGN(call)                                                   \
  do {                                                                         \
    hp_foreign_is_asked = true;                                                \
    call;                                                                      \
    hp_foreign_is_asked = false;                                               \
  } while (false)
extern HP_HIDDEN HP_THREAD_LOCAL bool hp_foreign_is_asked;

#endif
