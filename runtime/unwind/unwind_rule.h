/* unwind_rule.h - one rule a return address, learned from unwind tables: how to
   go from a frame to its caller's by three registers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNWIND_RULE_H
#define HP_UNWIND_RULE_H

#include "system/platform.h"

/* At one call site the frame has one shape, so that the rule holds each time
   the address is met again.

     +0   u64 pc     0 = empty entry
     +8   u64 shape  bits 0..2   enum hp_shape_kind; 0 = not yet published
                     bits 3..32  words from sp to the CFA               STACK
                                 words from bp to the CFA               BASE
                                 words from bp down to where the CFA is
                                 saved; the caller's bp is at bp        SAVED
                     bits 33..62 words from the CFA down to where the
                                 caller's bp was saved; 0 = not saved   STACK,
                                                                        BASE
                     bit 63      only for now: a table may come      NO_TABLE
   The return address is at CFA - 8. */
struct hp_rule {
  uint64_t pc;
  uint64_t shape;
};
enum hp_shape_kind {
  HP_SHAPE_FRAME =
      1,          /* CFA = bp + 16, caller's bp at bp: usual frame pointers */
  HP_SHAPE_STACK, /* CFA = sp + constant */
  HP_SHAPE_BASE,  /* CFA = bp + constant */
  HP_SHAPE_SAVED, /* gcc's frames that are aligned to more than the ABI says */
  HP_SHAPE_END,   /* no caller */
  HP_SHAPE_NO_TABLE, /* nobody knows */
  HP_SHAPE_TABLES    /* another, such as a signal's: needs other registers */
};
#define HP_SHAPE_WORDS (((uint64_t)1 << 30) - 1)
#define HP_SHAPE_FOR_NOW ((uint64_t)1 << 63)

HP_INLINE enum hp_shape_kind hp_shape_kind(uint64_t shape) {
  return (enum hp_shape_kind)(shape & 7);
}
HP_INLINE uintptr_t hp_shape_bytes(uint64_t shape) {
  return (shape >> 3 & HP_SHAPE_WORDS) * sizeof(uintptr_t);
}
HP_INLINE int32_t hp_shape_saved(uint64_t shape) {
  return (int32_t)(shape >> 33);
}

#define HP_RULE_COUNT ((size_t)1 << 16)
extern HP_HIDDEN struct hp_rule hp_rules[HP_RULE_COUNT];

/* Code of one page has its rules on few pages. */
HP_INLINE size_t hp_rule_first(uintptr_t pc) { return pc / 8 % HP_RULE_COUNT; }

/* The rule of PC, asked of the tables if it is not known. */
uint64_t hp_rule_search(uintptr_t pc);

/* Quick where it is known and no other is in the way.  An entry that is
   forgotten gets another address before it gets another shape. */
HP_INLINE uint64_t hp_rule_find(uintptr_t pc) {
  const struct hp_rule *first = &hp_rules[hp_rule_first(pc)];
  if (HP_LIKELY(__atomic_load_n(&first->pc, __ATOMIC_ACQUIRE) == pc)) {
    uint64_t shape = __atomic_load_n(&first->shape, __ATOMIC_ACQUIRE);
    if (HP_LIKELY(shape && __atomic_load_n(&first->pc, __ATOMIC_RELAXED) == pc))
      return shape;
  }
  return hp_rule_search(pc);
}

void hp_rules_forget(void);
void hp_rules_lock(void); /* around fork */
void hp_rules_unlock(void);

#endif
