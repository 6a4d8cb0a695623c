/* leak_hint.h - what a program says of its leaks by the functions of
   sanitizer/lsan_interface.h: these chunks are none, and here are more roots.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LEAK_HINT_H
#define HP_LEAK_HINT_H

#include "system/platform.h"

/* What the calling thread allocates between these is no leak; they nest. */
void hp_leak_hint_disable(void);
void hp_leak_hint_enable(void);

void hp_leak_hint_ignore(const void *p); /* what lies there is no leak */
void hp_leak_hint_add_roots(const void *p, size_t size);
void hp_leak_hint_remove_roots(const void *p, size_t size);

/* Puts the times of hp_leak_hint_covers() in order; false: no memory. */
bool hp_leak_hint_sort(void);

/* Calls EACH for every region with roots, and for every chunk that is to be
   taken for one, with END 0 and when it began. */
void hp_leak_hint_each(void (*each)(uintptr_t begin, uintptr_t end,
                                    uint64_t t0));

/* Whether THREAD had said that what it allocates is no leak when it began a
   chunk at T0. */
bool hp_leak_hint_covers(uint32_t thread, uint64_t t0);

void hp_leak_hint_after_fork_child(void);

/* Suppressions that the program has built in; NULL: none. */
const char *hp_leak_hint_suppressions(void);

#endif
