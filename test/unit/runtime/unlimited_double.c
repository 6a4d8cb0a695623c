/* unlimited_double.c - a process without limits, for every test of the runtime.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/memory.h"

uint64_t hp_sys_limit(enum hp_sys_limit what) {
  (void)what;
  return UINT64_MAX;
}
uint64_t hp_sys_lift_limit(enum hp_sys_limit what) {
  return hp_sys_limit(what);
}
void hp_sys_put_limit_back(enum hp_sys_limit what, uint64_t limit) {
  (void)what;
  (void)limit;
}
