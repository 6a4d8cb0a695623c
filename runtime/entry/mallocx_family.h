/* mallocx_family.h - jemalloc's own functions, which only the preloaded library has (mallocx_family.c).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MALLOCX_FAMILY_H
#define HP_MALLOCX_FAMILY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Has a function between that finds them, where there is one. */
typedef void *hp_dlsym(void *handle, const char *name);
void hp_intercept_mallocx(hp_dlsym **dlsym);

#ifdef __cplusplus
}
#endif
#endif
