/* call_filter.h - what a filter of system calls (seccomp) would do to a call.
   Follows all ways that a filter may go; asks nobody and changes nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALL_FILTER_H
#define HP_CALL_FILTER_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A system call of which the number is known and some of the arguments. */
struct hp_filtered_call {
  uint32_t number;
  uint32_t known; /* bit N: argument[N] is what it says; and this: */
#define HP_MUST_PASS (1u << 31) /* an error in its place harms, too */
  uint64_t argument[6];
};

/* As the kernel's struct sock_filter: one instruction. */
struct hp_filter_step {
  uint16_t code;
  uint8_t if_true, if_false;
  uint32_t k;
};
_Static_assert(sizeof(struct hp_filter_step) == 8, "as the kernel has it");

/* What is known where an instruction is reached. */
struct hp_filter_state {
  uint32_t a, x;
  bool reached, a_known, x_known;
};

#define HP_FILTER_MOST 4096u /* instructions */

/* True if the filter may kill, trap or hand over the caller instead of letting
   the call pass, or fail if it may; false for one that the kernel refuses.
   STATES: room for COUNT. */
bool hp_filter_harms(const struct hp_filter_step *steps, uint32_t count,
                     const struct hp_filtered_call *call,
                     struct hp_filter_state *states);

#ifdef __cplusplus
}
#endif
#endif
