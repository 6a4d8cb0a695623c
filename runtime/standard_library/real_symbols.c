/* real_symbols.c - what is behind the program's wrappers of --wrap, for lld, which shows
   the runtime the wrappers (entry/replaced.c).  What is not wrapped has no such name: NULL.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* clang-format off */
#define HP_EACH(X) \
  X(malloc) X(calloc) X(realloc) X(free) \
  X(_Znwm) X(_Znam) X(_ZnwmRKSt9nothrow_t) X(_ZnamRKSt9nothrow_t) \
  X(_ZnwmSt11align_val_t) X(_ZnamSt11align_val_t) \
  X(_ZnwmSt11align_val_tRKSt9nothrow_t) X(_ZnamSt11align_val_tRKSt9nothrow_t) \
  X(_ZdlPv) X(_ZdaPv) X(_ZdlPvSt11align_val_t) X(_ZdaPvSt11align_val_t)
/* clang-format on */

#define HP_DECLARE(name) extern __attribute__((weak)) char __real_##name[];
HP_EACH(HP_DECLARE)

/* Its own address ends it. */
#define HP_ADDRESS(name) __real_##name,
extern __attribute__((visibility("hidden")))
const void *const __heapprof_real_symbols[];
const void *const __heapprof_real_symbols[] = {HP_EACH(HP_ADDRESS)
                                                   __heapprof_real_symbols};
