/* replaced.h - whether the program defines malloc's kin or operators itself:
   it keeps them, and what C++ and libc define by them goes there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPLACED_H
#define HP_REPLACED_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most programs do not, so one flag is asked first.  True until
   hp_step_replaced(), at start: before that nobody knows. */
extern HP_HIDDEN bool hp_replaced_any;

/* Our functions of the names that programs use are weak aliases of those with
   hp_ before the name: the linker takes the program's definition for them. */
#define HP_IS_REPLACED(name)                                                   \
  (HP_UNLIKELY(hp_replaced_any) && &name != &hp_##name)

/* Whether the program has a wrapper (--wrap) of OURS: lld gives that to our own uses of
   the name, too, as the other linkers do not. */
bool hp_is_wrapped(const void *ours);
#define HP_DIFFERS(name)                                                       \
  (&name != &hp_##name && !hp_is_wrapped((const void *)&hp_##name))

/* malloc_family.c's part, without the flag. */
bool hp_malloc_family_is_replaced(void);

bool hp_malloc_is_replaced(void);
bool hp_free_is_replaced(void);
/* The program's, if they are replaced. */
void *hp_replaced_malloc(size_t size);
void *hp_replaced_aligned_alloc(size_t alignment, size_t size);
void hp_replaced_free(void *p);

#ifdef __cplusplus
}
#endif
#endif
