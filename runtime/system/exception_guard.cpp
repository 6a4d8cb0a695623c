// exception_guard.cpp - where a C++ exception ends, if it may not go on.
// Refers to the C++ library weakly: a C program has none, and throws none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/exception_guard.h"

__asm__(".weak __gxx_personality_v0\n"
        ".weak __cxa_begin_catch\n"
        ".weak __cxa_end_catch\n"
        ".weak _ZSt9terminatev\n");

extern "C" bool hp_sys_call_guarded(void (*body)(void *arg), void *arg) {
  try {
    body(arg);
    return true;
  } catch (...) {
    return false;
  }
}
