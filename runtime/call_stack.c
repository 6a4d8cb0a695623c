/* call_stack.c - one rule a return address, learned from unwind tables.
   A rule is published by one atomic store; a lost race asks the tables again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "call_stack.h"
#include "options.h"

#include <unwind.h>

/* How to go from a frame (pc, bp, sp as they are when its callee has returned)
   to its caller's.  At one call site the frame has one shape, so that the rule
   holds each time the address is met again.

     +0   u64 pc     0 = empty entry
     +8   u64 shape  bits 0..2   enum shape_kind; 0 = not yet published
                     bits 3..32  words from sp to the CFA                 STACK
                     bits 33..62 words from the CFA down to where the
                                 caller's bp was saved; 0 = not saved     STACK

   The return address is at CFA - 8 in every kind but TABLES. */
struct rule {
  uint64_t pc;
  uint64_t shape;
};
enum shape_kind {
  SHAPE_FRAME =
      1,       /* CFA = bp + 16, caller's bp at bp: code with frame pointers */
  SHAPE_STACK, /* CFA = sp + constant */
  SHAPE_END,   /* no caller */
  SHAPE_TABLES /* neither, such as a signal's frame: ask the tables each time */
};
#define SHAPE_WORDS (((uint64_t)1 << 30) - 1)

#define RULE_COUNT ((size_t)1 << 16)
#define RULE_COUNT_MAX (RULE_COUNT / 4 * 3) /* so that every search ends */

static struct rule rules[RULE_COUNT];
static size_t rule_count;

struct frame {
  uintptr_t pc, bp, sp;
};

static size_t first_entry(uintptr_t pc) {
  return (size_t)(pc * 0x9e3779b97f4a7c15u >> 48) % RULE_COUNT;
}

/* 0 if it is not known. */
static uint64_t find_shape(uintptr_t pc) {
  for (size_t i = first_entry(pc);; i = (i + 1) % RULE_COUNT) {
    uint64_t there = __atomic_load_n(&rules[i].pc, __ATOMIC_ACQUIRE);
    if (there == pc)
      return __atomic_load_n(&rules[i].shape, __ATOMIC_ACQUIRE);
    if (!there)
      return 0;
  }
}

static void learn_shape(uintptr_t pc, uint64_t shape) {
  if (__atomic_load_n(&rule_count, __ATOMIC_RELAXED) >= RULE_COUNT_MAX)
    return;
  for (size_t i = first_entry(pc);; i = (i + 1) % RULE_COUNT) {
    uint64_t there = 0;
    if (__atomic_compare_exchange_n(&rules[i].pc, &there, pc, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      __atomic_fetch_add(&rule_count, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&rules[i].shape, shape, __ATOMIC_RELEASE);
      return;
    }
    if (there == pc)
      return;
  }
}

void hp_unwind_forget(void) {
  for (size_t i = 0; i < RULE_COUNT; i++)
    __atomic_store_n(&rules[i].shape, 0, __ATOMIC_RELAXED);
  for (size_t i = 0; i < RULE_COUNT; i++)
    __atomic_store_n(&rules[i].pc, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&rule_count, 0, __ATOMIC_RELAXED);
}

static uintptr_t word_at(uintptr_t address) {
  return *(const uintptr_t *)address;
}

/* What leads from INNER to its caller OUTER, as the tables gave both. */
static uint64_t shape_between(const struct frame *inner,
                              const struct frame *outer) {
  if (inner->bp + 16 == outer->sp && word_at(outer->sp - 8) == outer->pc &&
      word_at(inner->bp) == outer->bp)
    return SHAPE_FRAME;
  uint64_t words = (outer->sp - inner->sp) / sizeof(uintptr_t);
  if (outer->sp <= inner->sp || words > SHAPE_WORDS ||
      word_at(outer->sp - 8) != outer->pc)
    return SHAPE_TABLES;
  uint64_t saved = 0;
  if (outer->bp != inner->bp) { /* saved registers lie right below the CFA */
    for (saved = 2; saved <= words; saved++)
      if (word_at(outer->sp - saved * sizeof(uintptr_t)) == outer->bp)
        break;
    if (saved > words)
      return SHAPE_TABLES;
  }
  return SHAPE_STACK | words << 3 | saved << 33;
}

/* Takes FRAME to its caller by SHAPE; false at the end of the stack. */
static bool step(struct frame *frame, uint64_t shape) {
  if ((shape & 7) == SHAPE_END)
    return false;
  if ((shape & 7) == SHAPE_FRAME) {
    uintptr_t bp = frame->bp;
    *frame = (struct frame){word_at(bp + 8), word_at(bp), bp + 16};
  } else {
    uintptr_t cfa = frame->sp + (shape >> 3 & SHAPE_WORDS) * sizeof(uintptr_t);
    uint64_t saved = shape >> 33;
    uintptr_t bp = saved ? word_at(cfa - saved * sizeof(uintptr_t)) : frame->bp;
    *frame = (struct frame){word_at(cfa - 8), bp, cfa};
  }
  return frame->pc != 0;
}

struct walk {
  const struct hp_caller *caller;
  uint64_t *pc;
  size_t count, max;
  struct frame last; /* pc 0: the caller's frame has not been met yet */
  bool last_is_signal;
  bool truncated;
};

#define DWARF_RBP 6

static _Unwind_Reason_Code each_frame(struct _Unwind_Context *context,
                                      void *arg) {
  struct walk *walk = arg;
  int before = 0;
  struct frame frame = {_Unwind_GetIPInfo(context, &before),
                        _Unwind_GetGR(context, DWARF_RBP),
                        _Unwind_GetCFA(context)};
  if (!walk->last.pc &&
      (frame.sp != walk->caller->sp || frame.pc != walk->caller->pc))
    return _URC_NO_REASON; /* still inside the runtime */
  if (!frame.pc)
    return _URC_NO_REASON; /* beyond the outermost frame */
  if (walk->last.pc)
    learn_shape(walk->last.pc, before || walk->last_is_signal
                                   ? (uint64_t)SHAPE_TABLES
                                   : shape_between(&walk->last, &frame));
  if (walk->count == walk->max) {
    walk->truncated = true;
    return _URC_END_OF_STACK;
  }
  walk->pc[walk->count++] = frame.pc;
  walk->last = frame;
  walk->last_is_signal = before;
  return _URC_NO_REASON;
}

static HP_COLD size_t unwind_by_tables(const struct hp_caller *caller,
                                       uint64_t *pc, size_t max,
                                       bool *truncated) {
  struct walk walk = {.caller = caller, .pc = pc, .max = max};
  _Unwind_Backtrace(each_frame, &walk);
  *truncated = walk.truncated;
  if (!walk.count) { /* no tables for the caller itself */
    pc[0] = caller->pc;
    return 1;
  }
  if (!walk.truncated)
    learn_shape(walk.last.pc, SHAPE_END);
  return walk.count;
}

/* Keeps one of each run of equal neighbours, then of equal pairs, and so on:
   recursion through a few functions shows once. */
static size_t collapse(uint64_t *pc, size_t depth) {
  for (size_t period = 1; period <= 4; period++) {
    size_t kept = depth < period ? depth : period;
    for (size_t i = kept; i < depth; i++) {
      pc[kept++] = pc[i];
      bool repeats = kept >= 2 * period;
      for (size_t k = 1; repeats && k <= period; k++)
        repeats = pc[kept - k] == pc[kept - k - period];
      if (repeats)
        kept -= period;
    }
    depth = kept;
  }
  return depth;
}

size_t hp_unwind(const struct hp_caller *caller, uint64_t *pc, size_t max,
                 bool *truncated) {
  struct frame frame = {caller->pc, caller->bp, caller->sp};
  size_t count = 0;
  uint64_t shape = 0;
  *truncated = false;
  if (HP_LIKELY(hp_options.fast_unwind_on_malloc)) {
    do {
      if (count == max) {
        *truncated = true;
        break;
      }
      pc[count++] = frame.pc;
      shape = find_shape(frame.pc);
    } while (shape && (shape & 7) != SHAPE_TABLES && step(&frame, shape));
  }
  if (!*truncated && (!shape || (shape & 7) == SHAPE_TABLES))
    count = unwind_by_tables(caller, pc, max, truncated);
  return HP_UNLIKELY(hp_options.collapse_recursion) ? collapse(pc, count)
                                                    : count;
}
