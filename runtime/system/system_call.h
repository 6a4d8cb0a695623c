// system_call.h - a call of the system that leaves errno as it is.
// It returns a negative errno where it is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_SYSTEM_CALL_H
#define HP_SYSTEM_CALL_H

#include "sanitizer_common/sanitizer_internal_defs.h"

using __sanitizer::uptr;

inline long system_call(long number, uptr a = 0, uptr b = 0, uptr c = 0,
                        uptr d = 0) {
  long result;
  register uptr r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory", "cc");
  return result;
}

#endif
