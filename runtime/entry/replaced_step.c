/* replaced_step.c - a step of start-up (start.h): looks which of malloc's kin and
   of the operators the program has replaced.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/operator_new.h"
#include "entry/replaced.h"
#include "entry/start.h"

struct hp_replaced hp_step_replaced(void) {
  hp_replaced_any =
      hp_malloc_family_is_replaced() || hp_operators_are_replaced();
  return (struct hp_replaced){.any = hp_replaced_any,
                              .malloc = hp_malloc_is_replaced()};
}
