/* raw_call.h - a system call as it is: without libc and without errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RAW_CALL_H
#define HP_RAW_CALL_H

#include "system/platform.h"

/* Returns a negative errno on failure. */
HP_INLINE long hp_raw_call(long number, const uintptr_t argument[6]) {
  long result;
  register uintptr_t r10 __asm__("r10") = argument[3];
  register uintptr_t r8 __asm__("r8") = argument[4];
  register uintptr_t r9 __asm__("r9") = argument[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(argument[0]), "S"(argument[1]),
                     "d"(argument[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory", "cc");
  return result;
}

#endif
