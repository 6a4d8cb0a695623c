/* exception_guard.h - where a C++ exception ends, if it may not go on.
   C++, so that C need not know of exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXCEPTION_GUARD_H
#define HP_EXCEPTION_GUARD_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls BODY(ARG); false if a C++ exception left it, which ends there. */
bool hp_sys_call_guarded(void (*body)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
