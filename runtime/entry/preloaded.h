/* preloaded.h - the runtime as a library ahead of a program built without it.
   Only here does it matter whether it was linked in or preloaded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PRELOADED_H
#define HP_PRELOADED_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The program has a runtime of its own, which is found before this one: FOUND
   is where the linker found a function that lies at OWN in this one. */
bool hp_runtime_is_second(uintptr_t found, uintptr_t own);

/* Takes the runtime's library out of LD_PRELOAD in ENVIRONMENT, the program's
   first one, so that what it executes runs without; the rest stays. */
void hp_preloaded_leave(char **environment);

/* The entry of ENVIRONMENT that has our library in LD_PRELOAD; NULL: none has. */
char *const *hp_preloaded_find(char *const *environment);

/* The library's path in that ENTRY; "": it is longer than SIZE. */
void hp_preloaded_path(const char *entry, char *path, size_t size);

/* What is executed in ENVIRONMENT only has the loader list its libraries, as ldd does. */
bool hp_preloaded_is_listed(char *const *environment);

#ifdef __cplusplus
}
#endif
#endif
