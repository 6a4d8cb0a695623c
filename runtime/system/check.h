/* check.h - HP_CHECK(condition): what the runtime believes of its own data holds.
   Compiled into libheapprof_rt of build/checked alone; else it costs nothing and
   evaluates nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHECK_H
#define HP_CHECK_H

#include "system/platform.h"

#ifndef HEAPPROF_CHECKS
#define HEAPPROF_CHECKS 0
#endif

/* Says in one line which condition does not hold where, and ends the process:
   whatever comes after it would be wrong numbers.  No check is of what a
   program may write over or ask for; such cases are reported and survived. */
HP_NORETURN HP_COLD void hp_check_failed(const char *file, int line,
                                         const char *condition);

#if HEAPPROF_CHECKS
#define HP_CHECK(condition)                                                    \
  (HP_LIKELY(condition) ? (void)0                                              \
                        : hp_check_failed(__FILE__, __LINE__, #condition))
#else
#define HP_CHECK(condition) ((void)(0 && (condition)))
#endif

#endif
