/* limit.h - whether the program's memory is limited (ulimit -v, ulimit -d).
   Then nothing is taken ahead, and nothing kept that can be given back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIMIT_H
#define HP_LIMIT_H

#include "system/platform.h"

#define HP_NO_LIMIT UINT64_MAX

/* RLIMIT_AS: all that is mapped counts, what is only reserved too. */
extern bool hp_space_is_limited;
/* RLIMIT_DATA: all that can be written counts. */
extern bool hp_data_is_limited;

HP_INLINE bool hp_memory_is_limited(void) {
  return hp_space_is_limited || hp_data_is_limited;
}

/* Asks the system.  What was limited once is taken for limited for ever. */
void hp_limits_look(void);

/* While what is last written is written, only the hard limits hold. */
struct hp_lifted_limits {
  uint64_t space, data;
};
struct hp_lifted_limits hp_limits_lift(void);
void hp_limits_put_back(const struct hp_lifted_limits *lifted);

/* Bytes that the process may have by the tighter of both; HP_NO_LIMIT. */
uint64_t hp_limit_least(void);

#endif
