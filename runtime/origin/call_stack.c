/* call_stack.c - walks by remembered rules, from the last stack to the next.
   Every word that is read lies between the stack pointer and the stack's top.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/call_stack.h"
#include "options/options.h"
#include "origin/stack_check.h"
#include "unwind/stack_walk.h"
#include "unwind/unwind_rule.h"

uint32_t hp_unwind_times = 1; /* 0: a last stack that is none yet */

void hp_unwind_forget(void) {
  __atomic_fetch_add(&hp_unwind_times, 1, __ATOMIC_RELAXED);
  hp_rules_forget();
}

static uintptr_t word_at(uintptr_t address) {
  return *(const uintptr_t *)address;
}

/* Where the callee of FRAME saved its bp. */
static uintptr_t saved_bp(const struct hp_stack_frame *frame) {
  return ((const uintptr_t *)frame->sp)[frame->saved];
}

/* Values of hp_stack_frame.saved: a callee with a frame pointer saved bp as the
   second word below the frame; the distance from a realigned callee is not
   constant, so that the callee's rule must be applied again. */
#define SAVED_FIRST (-2)
#define SAVED_BY_RULE INT32_MIN

enum step {
  STEP_ON,
  STEP_END,
  STEP_NONE,     /* no table says how */
  STEP_NONE_YET, /* no table does so far; one may be registered */
  STEP_OUT       /* the caller's frame is where this walk may not read */
};

/* Whether a caller's frame at SP is further out than INNER and ends in the stack,
   at TOP: two comparisons in one. */
HP_INLINE bool is_further_out(uintptr_t sp, uintptr_t inner, uintptr_t top) {
  return sp - inner - 1 < top - inner;
}

/* Makes FRAME the caller's frame, which begins at SP.  Its return address is the
   word below; its bp was saved by the callee, or is the callee's, BP. */
HP_INLINE enum step read_frame(struct hp_stack_frame *frame, uintptr_t bp,
                               uintptr_t sp, int32_t saved) {
  frame->sp = sp;
  frame->saved = saved;
  frame->pc = word_at(sp - 8);
  frame->bp = saved ? saved_bp(frame) : bp;
  return HP_LIKELY(frame->pc != 0) ? STEP_ON : STEP_END;
}

/* Makes FRAME its caller where gcc realigned the stack: sp and bp of the caller
   are both saved near where bp points. */
static HP_NOINLINE enum step step_aligned(struct hp_stack_frame *frame,
                                          uint64_t shape, uintptr_t top) {
  uintptr_t at = frame->bp - hp_shape_bytes(shape);
  if (!is_further_out(frame->bp + 8, frame->sp, top) ||
      !is_further_out(at + 8, frame->sp, top) || frame->bp % 8)
    return STEP_OUT;
  uintptr_t sp = word_at(at), bp = word_at(frame->bp);
  if (!is_further_out(sp, frame->sp, top))
    return STEP_OUT;
  *frame = (struct hp_stack_frame){
      .pc = word_at(sp - 8), .bp = bp, .sp = sp, .saved = SAVED_BY_RULE};
  return frame->pc ? STEP_ON : STEP_END;
}

static HP_NOINLINE enum step step_rarely(struct hp_stack_frame *frame,
                                         uint64_t shape, uintptr_t top) {
  uintptr_t sp;
  switch (hp_shape_kind(shape)) {
  case HP_SHAPE_BASE:
    sp = frame->bp + hp_shape_bytes(shape);
    if (!is_further_out(sp, frame->sp, top) ||
        sp - 8 * (uintptr_t)hp_shape_saved(shape) < frame->sp)
      return STEP_OUT;
    return read_frame(frame, frame->bp, sp, -hp_shape_saved(shape));
  case HP_SHAPE_SAVED:
    return step_aligned(frame, shape, top);
  case HP_SHAPE_END:
    return STEP_END;
  case HP_SHAPE_NO_TABLE:
    return shape & HP_SHAPE_FOR_NOW ? STEP_NONE_YET : STEP_NONE;
  default:
    return STEP_OUT;
  }
}

/* Makes FRAME its caller, by SHAPE.  Unless the result is STEP_ON or STEP_END,
   FRAME stays as it was. */
HP_INLINE enum step step(struct hp_stack_frame *frame, uint64_t shape,
                         uintptr_t top) {
  if (HP_LIKELY(shape == HP_SHAPE_FRAME)) {
    uintptr_t sp = frame->bp + 16;
    if (HP_UNLIKELY(!is_further_out(sp, frame->sp, top)))
      return STEP_OUT;
    return read_frame(frame, frame->bp, sp, SAVED_FIRST);
  }
  if (HP_LIKELY(hp_shape_kind(shape) == HP_SHAPE_STACK)) {
    uintptr_t sp = frame->sp + hp_shape_bytes(shape);
    if (HP_UNLIKELY(sp > top))
      return STEP_OUT;
    return read_frame(frame, frame->bp, sp, -hp_shape_saved(shape));
  }
  struct hp_stack_frame copy =
      *frame; /* else it would lie in memory all the time */
  enum step result = step_rarely(&copy, shape, top);
  *frame = copy;
  return result;
}

/* By rules, which know three registers; false where those are not enough. */
static bool walk_by_rules(const struct hp_caller *caller,
                          const struct hp_stack_bounds *own, uintptr_t top,
                          uint64_t *pc, size_t *depth, bool *cut) {
  const size_t max = (size_t)hp_options.malloc_context_size;
  struct hp_stack_frame frame = {
      .pc = caller->pc, .bp = caller->bp, .sp = caller->sp};
  enum step result = STEP_ON;
  for (*depth = 0; *depth < max && result == STEP_ON;) {
    pc[(*depth)++] = frame.pc;
    uint64_t shape = hp_rule_find(frame.pc);
    struct hp_stack_frame before = frame;
    result = step(&frame, shape, top);
    if (result == STEP_OUT) { /* of the pages that are known, it may be */
      frame = before;
      top = hp_stack_reach(own, top, frame.sp + 8 * 4096);
      result = step(&frame, shape, top);
    }
  }
  *cut = result != STEP_END;
  return result != STEP_OUT;
}

/* The stack of one walk that keeps nothing. */
static HP_COLD uint32_t stack_alone(const struct hp_caller *caller,
                                    const struct hp_stack_bounds *own,
                                    uintptr_t top) {
  uint64_t pc[HP_STACK_MAX];
  size_t depth;
  bool cut;
  if (!hp_options.fast_unwind_on_malloc ||
      !walk_by_rules(caller, own, top, pc, &depth, &cut))
    depth = hp_stack_walk(caller, own, pc,
                          (size_t)hp_options.malloc_context_size, &cut);
  return hp_stack_intern(pc, depth, cut);
}

/* ---- from the last stack to the next ------------------------------------- */

/* Else the compiler keeps several offsets in step with a pointer that moves. */
#define HP_IN_REGISTER(pointer) __asm__("" : "+r"(pointer))

/* Its callee, the next frame, says by more than its registers where it is. */
static HP_NOINLINE bool is_still_caller(const struct hp_stack_frame *frame,
                                        uintptr_t top) {
  struct hp_stack_frame again = frame[1];
  return step(&again, hp_rule_find(again.pc), top) == STEP_ON &&
         again.pc == frame->pc && again.bp == frame->bp &&
         again.sp == frame->sp;
}

/* FRAME, which is kept, was called by another callee than before, or anew. */
HP_INLINE void set_saved(struct hp_stack_frame *frame, int32_t saved) {
  static const uintptr_t never[] = {0, 1};
  frame->saved = saved;
  if (!saved)
    frame->at = &frame->bp;
  else if (HP_UNLIKELY(saved == SAVED_BY_RULE))
    frame->at = &never[frame->bp == 0];
  else
    frame->at = (const uintptr_t *)frame->sp + saved;
}

/* FRAME was called from its callee's place in the last stack.  If the callee is
   a frame now, too, its rule leads to the same words of the stack, which are
   read again: four instructions for each.  False of what only a rule says. */
HP_INLINE bool is_unchanged(const struct hp_stack_frame *frame) {
  return *frame->at == frame->bp && word_at(frame->sp - 8) == frame->pc;
}

/* FRAME, of the last stack, is one now, too.  The first one further out that
   does not call its callee any more; ROOT if all do. */
HP_INLINE struct hp_stack_frame *
first_changed(struct hp_stack_frame *frame, const struct hp_stack_frame *root,
              uintptr_t top) {
  for (;;) {
    do
      frame--;
    while (is_unchanged(frame));
    if (frame == root || frame->saved != SAVED_BY_RULE ||
        !is_still_caller(frame, top))
      return frame;
  }
}

static HP_NOINLINE bool has_caller(struct hp_stack_frame frame, uintptr_t top) {
  return step(&frame, hp_rule_find(frame.pc), top) == STEP_ON;
}

/* Word by word: it was just written so, and words still on their way to the
   cache reach a load of the same word, but not one of two at once. */
HP_INLINE struct hp_stack_frame copy_of(const struct hp_stack_frame *frame) {
  uintptr_t pc = frame->pc, bp = frame->bp;
  int32_t saved = frame->saved;
  HP_IN_REGISTER(pc);
  HP_IN_REGISTER(bp);
  HP_IN_REGISTER(saved);
  return (struct hp_stack_frame){.pc = pc,
                                 .bp = bp,
                                 .sp = frame->sp,
                                 .saved = saved,
                                 .stack = frame->stack};
}

/* Adds the frames FRESH .. END - 1 to those up to KEPT; returns the stack. */
HP_INLINE uint32_t add_fresh(struct hp_last_stack *last,
                             struct hp_stack_frame *kept,
                             const struct hp_stack_frame *fresh,
                             const struct hp_stack_frame *end) {
  uint32_t stack = kept->stack;
  for (; fresh < end; fresh++) {
    stack = hp_stack_push(stack, fresh->pc);
    *++kept = copy_of(fresh);
    set_saved(kept, kept->saved);
    kept->stack = stack;
  }
  last->innermost = HP_LIKELY(stack) ? kept : last->frames;
  return stack;
}

/* Steps from CALLER until it meets a frame from which all is as it was. */
HP_INLINE uint32_t capture(struct hp_last_stack *last,
                           const struct hp_caller *caller, uintptr_t top) {
  struct hp_stack_frame *const root = last->frames;
  struct hp_stack_frame *const end = root + HP_LAST_FRAMES;
  struct hp_stack_frame *fresh = end; /* fresh .. end - 1: those met so far */
  struct hp_stack_frame *kept = last->innermost; /* as far as is known */
  struct hp_stack_frame frame = {
      .pc = caller->pc, .bp = caller->bp, .sp = caller->sp};
  ptrdiff_t room = hp_options.malloc_context_size; /* for so many more */
  bool truncated = false;
  enum step result;
  do {
    while (kept->sp < frame.sp)
      kept--;
    HP_IN_REGISTER(kept);
    HP_IN_REGISTER(fresh);
    if (kept->sp == frame.sp && kept->pc == frame.pc && kept->bp == frame.bp) {
      set_saved(kept, frame.saved);
      struct hp_stack_frame *changed = first_changed(kept, root, top);
      if (HP_LIKELY(changed == root &&
                    (last->truncated
                         ? kept - root == room && has_caller(root[1], top)
                         : kept - root <= room)))
        return add_fresh(last, kept, fresh, end);
      for (; kept > changed && room; room--)
        *--fresh = copy_of(kept--);
      truncated = kept > changed;
      if (truncated) {
        result = STEP_ON;
        break;
      }
      /* The caller is another, but where it was. */
      if (kept > root && kept->saved != SAVED_BY_RULE) {
        result = read_frame(&frame, fresh->bp, kept->sp, kept->saved);
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
    uint64_t shape = hp_rule_find(frame.pc);
    result = step(&frame, shape, top);
    if (HP_UNLIKELY(result == STEP_OUT)) {
      last->innermost = root;
      return stack_alone(caller, &last->own, top);
    }
  } while (HP_LIKELY(result == STEP_ON) && room);
  last->truncated = truncated || result == STEP_ON;
  root->stack =
      last->truncated || result != STEP_END ? HP_STACK_CUT : HP_STACK_ROOT;
  uint32_t stack = add_fresh(last, root, fresh, end);
  /* Words that end a stack today may go on with it tomorrow. */
  if (HP_UNLIKELY(result == STEP_NONE_YET || (result == STEP_END && !frame.pc)))
    last->innermost = root;
  return stack;
}

/* The end of what may be read of a stack that is not known to be the thread's
   own.  Frames of the last stack are worth little if not all can be read. */
static HP_COLD uintptr_t find_top(struct hp_last_stack *last, uintptr_t sp) {
  uintptr_t top = hp_stack_find(&last->own, sp);
  if (last->forgotten == HP_LAST_BUSY || last->innermost == last->frames ||
      top == last->own.top)
    return top;
  top = hp_stack_reach(&last->own, top, last->frames[1].sp);
  if (top < last->frames[1].sp)
    last->innermost = last->frames;
  return top;
}

/* What hp_last_stack.forgotten says: a capture goes on.  FORGOTTEN is put there
   when it is over. */
HP_INLINE void begin_capture(struct hp_last_stack *last) {
  last->forgotten = HP_LAST_BUSY;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
HP_INLINE void end_capture(struct hp_last_stack *last, uint32_t forgotten) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  last->forgotten = forgotten;
}

/* Ends the capture that was begun. */
static HP_NOINLINE uint32_t capture_another(struct hp_last_stack *last,
                                            const struct hp_caller *caller,
                                            uintptr_t top, uint32_t forgotten) {
  uint32_t stack = capture(last, caller, top);
  const bool is_whole =
      !last->truncated && hp_stack_is_own(&last->own, caller->sp);
  last->whole = is_whole ? last->frames : NULL;
  end_capture(last, forgotten);
  return stack;
}

/* The first stack of all, and those that options, or where they lie, want to be
   otherwise. */
static HP_NOINLINE uint32_t capture_anew(struct hp_last_stack *last,
                                         const struct hp_caller *caller) {
  const uint32_t forgotten = hp_unwind_forgotten();
  const bool is_busy = last->forgotten == HP_LAST_BUSY;
  if (last->forgotten != forgotten && !is_busy) {
    last->frames->sp = UINTPTR_MAX; /* further out than any */
    set_saved(last->frames, SAVED_BY_RULE);
    last->innermost = last->frames;
  }
  uintptr_t top = last->own.top;
  if (!hp_stack_is_own(&last->own, caller->sp))
    top = find_top(last, caller->sp);
  if (is_busy || !hp_options.fast_unwind_on_malloc)
    return stack_alone(caller, &last->own, top);
  begin_capture(last);
  return capture_another(last, caller, top, forgotten);
}

/* The last stack, or one that is the last but for its innermost frames; 0 if it
   is another, or what may be read of it is to be asked. */
HP_INLINE uint32_t capture_again(struct hp_last_stack *last,
                                 const struct hp_caller *caller) {
  struct hp_stack_frame *kept = last->innermost;
  while (kept->sp < caller->sp)
    kept--;
  if (kept->pc != caller->pc || kept->bp != caller->bp ||
      kept->sp != caller->sp)
    return 0;
  const struct hp_stack_frame *frame = kept;
  do
    frame--;
  while (is_unchanged(frame));
  if (frame != last->whole)
    return 0;
  last->innermost = kept;
  return kept->stack;
}

/* Ends the capture that was begun, of a stack that is not the last one. */
static HP_NOINLINE uint32_t capture_next(struct hp_last_stack *last,
                                         const struct hp_caller *caller,
                                         uint32_t forgotten) {
  if (HP_LIKELY(hp_stack_is_own(&last->own, caller->sp)))
    return capture_another(last, caller, last->own.top, forgotten);
  end_capture(last, forgotten);
  return capture_anew(last, caller);
}

/* Nothing is called but at the end, so that no register is saved for it. */
HP_INLINE uint32_t capture_usually(struct hp_last_stack *last,
                                   const struct hp_caller *caller) {
  const uint32_t forgotten = last->forgotten;
  if (HP_UNLIKELY(forgotten != hp_unwind_forgotten()))
    return capture_anew(last, caller);
  begin_capture(last);
  uint32_t stack = capture_again(last, caller);
  if (!stack)
    return capture_next(last, caller, forgotten);
  end_capture(last, forgotten);
  return stack;
}

static HP_COLD uint32_t capture_checked(struct hp_last_stack *last,
                                        const struct hp_caller *caller) {
  uint32_t stack = capture_usually(last, caller);
  hp_stack_check(stack, caller);
  return stack;
}

uint32_t hp_call_stack(struct hp_last_stack *last,
                       const struct hp_caller *caller) {
  if (HP_UNLIKELY(hp_options.check_stacks))
    return capture_checked(last, caller);
  return capture_usually(last, caller);
}
