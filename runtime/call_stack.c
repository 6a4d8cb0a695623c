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
static uint32_t times_forgotten = 1; /* 0: a last stack that is none yet */

/* Code of one page has its rules on few pages. */
static size_t first_entry(uintptr_t pc) { return pc / 8 % RULE_COUNT; }

/* 0 if it is not known. */
static HP_NOINLINE uint64_t search_shape(uintptr_t pc) {
  for (size_t i = first_entry(pc);; i = (i + 1) % RULE_COUNT) {
    uint64_t there = __atomic_load_n(&rules[i].pc, __ATOMIC_ACQUIRE);
    if (there == pc)
      return __atomic_load_n(&rules[i].shape, __ATOMIC_ACQUIRE);
    if (!there)
      return 0;
  }
}

/* The same, quick where no other rule is in the way. */
HP_INLINE uint64_t find_shape(uintptr_t pc) {
  const struct rule *first = &rules[first_entry(pc)];
  if (HP_LIKELY(__atomic_load_n(&first->pc, __ATOMIC_ACQUIRE) == pc))
    return __atomic_load_n(&first->shape, __ATOMIC_ACQUIRE);
  return search_shape(pc);
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
  __atomic_fetch_add(&times_forgotten, 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < RULE_COUNT; i++)
    __atomic_store_n(&rules[i].shape, 0, __ATOMIC_RELAXED);
  for (size_t i = 0; i < RULE_COUNT; i++)
    __atomic_store_n(&rules[i].pc, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&rule_count, 0, __ATOMIC_RELAXED);
}

static uintptr_t word_at(uintptr_t address) {
  return *(const uintptr_t *)address;
}

/* Where the callee of FRAME saved its bp. */
static uintptr_t saved_bp(const struct hp_frame *frame) {
  return ((const uintptr_t *)frame->sp)[frame->saved];
}

/* What leads from INNER to its caller OUTER, as the tables gave both. */
static uint64_t shape_between(const struct hp_frame *inner,
                              const struct hp_frame *outer) {
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

/* False: only the tables know. */
static bool is_rule(uint64_t shape) {
  return shape && (shape & 7) != SHAPE_TABLES;
}

/* hp_frame.saved, if the callee has a frame pointer. */
#define SAVED_FIRST (-2)

/* Makes FRAME the one at SP, whose callee has BP: the words of the stack below
   SP say the rest.  False beyond the end of the stack. */
HP_INLINE bool read_frame(struct hp_frame *frame, uintptr_t bp, uintptr_t sp,
                          int32_t saved) {
  frame->sp = sp;
  frame->saved = saved;
  frame->pc = word_at(sp - 8);
  frame->bp = saved ? saved_bp(frame) : bp;
  return frame->pc != 0;
}

/* Makes FRAME its caller, by SHAPE; false at the end of the stack. */
HP_INLINE bool step(struct hp_frame *frame, uint64_t shape) {
  if (HP_LIKELY(shape == SHAPE_FRAME))
    return read_frame(frame, frame->bp, frame->bp + 16, SAVED_FIRST);
  if (shape == SHAPE_END)
    return false;
  return read_frame(frame, frame->bp,
                    frame->sp +
                        (shape >> 3 & SHAPE_WORDS) * sizeof(uintptr_t),
                    -(int32_t)(shape >> 33));
}

struct walk {
  const struct hp_caller *caller;
  uint64_t *pc;
  size_t count, max;
  struct hp_frame last; /* pc 0: the caller's frame has not been met yet */
  bool last_is_signal;
  bool truncated;
};

#define DWARF_RBP 6

static _Unwind_Reason_Code each_frame(struct _Unwind_Context *context,
                                      void *arg) {
  struct walk *walk = arg;
  int before = 0;
  struct hp_frame frame = {.pc = _Unwind_GetIPInfo(context, &before),
                           .bp = _Unwind_GetGR(context, DWARF_RBP),
                           .sp = _Unwind_GetCFA(context)};
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

/* The stack of one walk that keeps nothing. */
static HP_COLD uint32_t stack_alone(const struct hp_caller *caller) {
  const size_t max = (size_t)hp_options.malloc_context_size;
  uint64_t pc[HP_STACK_MAX];
  struct hp_frame frame = {
      .pc = caller->pc, .bp = caller->bp, .sp = caller->sp};
  size_t depth = 0;
  uint64_t shape = 0;
  bool truncated = false, more = hp_options.fast_unwind_on_malloc;
  while (more) {
    pc[depth++] = frame.pc;
    shape = find_shape(frame.pc);
    more = is_rule(shape) && step(&frame, shape);
    truncated = more && depth == max;
    if (truncated)
      break;
  }
  if (!is_rule(shape) && !truncated)
    depth = unwind_by_tables(caller, pc, max, &truncated);
  if (hp_options.collapse_recursion)
    depth = collapse(pc, depth);
  return hp_stack_intern(pc, depth, truncated);
}

/* ---- from the last stack to the next
 * ----------------------------------------------------- */

/* Else the compiler keeps several offsets in step with a pointer that moves. */
#define HP_IN_REGISTER(pointer) __asm__("" : "+r"(pointer))

/* FRAME was called from its callee's place in the last stack.  If the callee is
   a frame now, too, its rule leads to the same words of the stack, which are
   read again. */
HP_INLINE bool still_calls(const struct hp_frame *frame) {
  return word_at(frame->sp - 8) == frame->pc &&
         (!frame->saved || saved_bp(frame) == frame->bp);
}

/* FRAME, of the last stack, is one now, too.  The first one further out that
   does not call its callee any more; ROOT if all do. */
HP_INLINE struct hp_frame *first_changed(struct hp_frame *frame,
                                         const struct hp_frame *root) {
  for (;;) {
    do
      frame--;
    while (frame->saved == SAVED_FIRST &&
           word_at(frame->sp - 8) == frame->pc &&
           word_at(frame->sp - 16) == frame->bp);
    if (frame == root || frame->saved == SAVED_FIRST || !still_calls(frame))
      return frame;
  }
}

static HP_NOINLINE bool has_caller(struct hp_frame frame) {
  uint64_t shape = find_shape(frame.pc);
  return is_rule(shape) && step(&frame, shape);
}

/* Word by word: it was just written so, and words still on their way to the
   cache reach a load of the same word, but not one of two at once. */
HP_INLINE struct hp_frame copy_of(const struct hp_frame *frame) {
  uintptr_t pc = frame->pc, bp = frame->bp;
  int32_t saved = frame->saved;
  HP_IN_REGISTER(pc);
  HP_IN_REGISTER(bp);
  HP_IN_REGISTER(saved);
  return (struct hp_frame){pc, bp, frame->sp, saved, frame->stack};
}

/* Adds the frames FRESH .. END - 1 to those up to KEPT; returns the stack. */
HP_INLINE uint32_t add_fresh(struct hp_last_stack *last, struct hp_frame *kept,
                             const struct hp_frame *fresh,
                             const struct hp_frame *end) {
  uint32_t stack = kept->stack;
  for (; fresh < end; fresh++) {
    stack = hp_stack_push(stack, fresh->pc);
    *++kept = copy_of(fresh);
    kept->stack = stack;
  }
  last->innermost = HP_LIKELY(stack) ? kept : last->frames;
  return stack;
}

/* Steps from CALLER until it meets a frame from which all is as it was. */
HP_INLINE uint32_t capture(struct hp_last_stack *last,
                           const struct hp_caller *caller) {
  struct hp_frame *const root = last->frames;
  struct hp_frame *const end = root + HP_LAST_FRAMES;
  struct hp_frame *fresh = end; /* fresh .. end - 1: those met so far */
  struct hp_frame *kept = last->innermost; /* as far as is known */
  struct hp_frame frame = {
      .pc = caller->pc, .bp = caller->bp, .sp = caller->sp};
  ptrdiff_t room = hp_options.malloc_context_size; /* for so many more */
  bool truncated = false, more;
  do {
    while (kept->sp < frame.sp)
      kept--;
    HP_IN_REGISTER(kept);
    HP_IN_REGISTER(fresh);
    if (kept->sp == frame.sp && kept->pc == frame.pc && kept->bp == frame.bp) {
      kept->saved = frame.saved; /* by another callee than before */
      struct hp_frame *changed = first_changed(kept, root);
      if (HP_LIKELY(changed == root &&
                    (last->truncated
                         ? kept - root == room && has_caller(root[1])
                         : kept - root <= room)))
        return add_fresh(last, kept, fresh, end);
      for (; kept > changed && room; room--)
        *--fresh = copy_of(kept--);
      truncated = kept > changed;
      if (truncated)
        break;
      /* The caller is another, but where it was. */
      if (kept > root) {
        more = read_frame(&frame, fresh->bp, kept->sp, kept->saved);
        continue;
      }
      frame = *fresh;
    } else {
      fresh--;
      fresh->pc = frame.pc;
      fresh->bp = frame.bp;
      fresh->sp = frame.sp;
      fresh->saved = frame.saved;
      room--;
    }
    uint64_t shape = find_shape(frame.pc);
    if (HP_UNLIKELY(shape != SHAPE_FRAME && !is_rule(shape))) {
      last->innermost = root;
      return stack_alone(caller);
    }
    more = step(&frame, shape);
  } while (more && room);
  last->truncated = truncated || more;
  root->stack = last->truncated ? HP_STACK_CUT : HP_STACK_ROOT;
  return add_fresh(last, root, fresh, end);
}

uint32_t hp_call_stack(struct hp_last_stack *last,
                       const struct hp_caller *caller) {
  if (HP_UNLIKELY(last->busy || !hp_options.fast_unwind_on_malloc ||
                  hp_options.collapse_recursion))
    return stack_alone(caller);
  uint32_t forgotten = __atomic_load_n(&times_forgotten, __ATOMIC_RELAXED);
  if (HP_UNLIKELY(last->forgotten != forgotten)) {
    last->forgotten = forgotten;
    last->frames->sp = UINTPTR_MAX; /* further out than any */
    last->innermost = last->frames;
  }
  last->busy = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint32_t stack = capture(last, caller);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  last->busy = false;
  return stack;
}
