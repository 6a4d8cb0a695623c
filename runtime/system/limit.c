/* limit.c - see limit.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/limit.h"

#include "system/memory.h"

bool hp_space_is_limited, hp_data_is_limited;

void hp_limits_look(void) {
  hp_space_is_limited |= hp_sys_limit(HP_SYS_LIMIT_SPACE) != HP_NO_LIMIT;
  hp_data_is_limited |= hp_sys_limit(HP_SYS_LIMIT_DATA) != HP_NO_LIMIT;
}

uint64_t hp_limit_least(void) {
  const uint64_t space = hp_sys_limit(HP_SYS_LIMIT_SPACE);
  const uint64_t data = hp_sys_limit(HP_SYS_LIMIT_DATA);
  return space < data ? space : data;
}

struct hp_lifted_limits hp_limits_lift(void) {
  return (struct hp_lifted_limits){
      .space = hp_sys_lift_limit(HP_SYS_LIMIT_SPACE),
      .data = hp_sys_lift_limit(HP_SYS_LIMIT_DATA)};
}

void hp_limits_put_back(const struct hp_lifted_limits *lifted) {
  hp_sys_put_limit_back(HP_SYS_LIMIT_SPACE, lifted->space);
  hp_sys_put_limit_back(HP_SYS_LIMIT_DATA, lifted->data);
}
