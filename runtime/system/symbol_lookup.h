/* symbol_lookup.h - libc's functions behind ours, found without libc.
   Neither allocates nor takes a lock but that of the list of modules.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYMBOL_LOOKUP_H
#define HP_SYMBOL_LOOKUP_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first definition of NAME behind the executable, as for
   dlsym(RTLD_NEXT); VERSION NULL: the default one.  NULL: there is none. */
void *hp_symbol_next(const char *name, const char *version);

/* The same, into the pointer at FOUND.  False: there is none. */
bool hp_symbol_find(const char *name, void *found);
bool hp_symbol_find_version(const char *name, const char *version, void *found);

/* Only in libc itself; only in other libraries.  Keep errno. */
void *hp_symbol_of_libc(const char *name);
void *hp_symbol_beside_libc(const char *name);

/* From now on our functions are what libc's symbols name: also who is bound to
   libc itself gets them, but for the functions above.  False: the system does
   not let us, or libraries have another malloc, which such a one may be bound to;
   or we are no library that is preloaded. */
bool hp_symbols_give_ours(void);

#ifdef __cplusplus
}
#endif
#endif
