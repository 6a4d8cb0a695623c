/* check.c - see check.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/check.h"

#include "system/message.h"

void hp_check_failed(const char *file, int line, const char *condition) {
  hp_sys_die("the runtime contradicts itself: %s:%d: %s does not hold; "
             "please report this",
             file, line, condition);
}
