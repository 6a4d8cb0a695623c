/* start.h - start-up: the one place that calls every part.
   hp_init() runs before any constructor, or at the first hook if that is first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_START_H
#define HP_START_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hp_init_state {
  HP_NOT_STARTED,
  HP_STARTING, /* allocations come from the early allocator */
  HP_STARTED,
  HP_STARTED_UNUSED, /* the same, but no chunk has come, and perhaps none will */
  HP_STARTED_BESIDE  /* the same with allocator=program (beside.h) */
};
extern HP_HIDDEN enum hp_init_state hp_init_state;
bool hp_start_is_others(
    void);          /* this one never starts: the program has a runtime */
void hp_init(void); /* also where it is HP_STARTED_UNUSED and a chunk comes */

/* Steps of start-up that belong to parts above this one, which define them: what
   the program replaced, and finding libc's functions (real_libc.h).  Where such a
   part is not linked in, there is nothing to do. */
struct hp_replaced {
  bool any;    /* malloc's kin or operators */
  bool malloc; /* it has a malloc of its own */
};
struct hp_replaced hp_step_replaced(void);
void hp_step_interceptors(void);

#ifdef __cplusplus
}
#endif
#endif
