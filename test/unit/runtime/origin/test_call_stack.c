/* test_call_stack.c - remembered rules give the stack of the unwind tables.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/options.h"
#include "origin/call_stack.h"
#include "system_double.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static size_t most = 64;
static uint64_t fast[HP_STACK_MAX], slow[HP_STACK_MAX];

/* Stands for an entry point of the allocator. */
HP_NOINLINE static size_t capture(uint64_t *pc, size_t max, bool tables,
                                  bool *truncated) {
  /* Options do not change in a program that runs: with each kind of them. */
  static struct hp_last_stack lasts[2];
  struct hp_last_stack *last = &lasts[tables];
  struct hp_caller caller = HP_CALLER();
  hp_options.fast_unwind_on_malloc = !tables;
  if ((int)max < hp_options.malloc_context_size)
    hp_unwind_forget();
  hp_options.malloc_context_size = (int)max;
  uint32_t stack = hp_call_stack(last, &caller);
  size_t count = hp_stack_frames(stack, pc, truncated);
  __asm__ volatile("" ::: "memory"); /* no tail call */
  return count;
}

/* Both ways at one and the same call, twice: the second time from memory. */
HP_NOINLINE static void compare(int unused) {
  (void)unused;
  for (int round = 0; round < 3; round++) {
    bool truncated_fast, truncated_slow;
    size_t counts[2];
    /* volatile: both ways from one and the same call instruction */
    for (volatile int tables = 0; tables < 2; tables++)
      counts[tables] = capture(tables ? slow : fast, most, tables,
                               tables ? &truncated_slow : &truncated_fast);
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] > 3);
    assert_int_equal(truncated_fast, truncated_slow);
    assert_memory_equal(fast, slow, counts[0] * sizeof fast[0]);
  }
}

HP_NOINLINE static int recurse(int depth) {
  if (depth == 0)
    compare(0);
  else
    recurse(depth - 1);
  __asm__ volatile("" ::: "memory");
  return depth;
}

static void through_frame_pointers(void **state) {
  (void)state;
  recurse(5);
  recurse(9);
}

/* With gcc these have no frame pointer and use its register for something
   else; libc's qsort, below, has none either. */
#ifdef __clang__
#define WITHOUT_FRAME_POINTER __attribute__((noinline))
#else
#define WITHOUT_FRAME_POINTER                                                  \
  __attribute__((noinline, optimize("omit-frame-pointer")))
#endif
WITHOUT_FRAME_POINTER static int
without_frame_pointer(int a, int b, int c, int d, int e, int f, int depth) {
  volatile int keep[3] = {a + b, c + d, e + f};
  if (depth)
    without_frame_pointer(b, c, d, e, f, a, depth - 1);
  else
    compare(0);
  return keep[0] + keep[1] * keep[2] + a * b * c * d * e * f;
}

static void without_frame_pointers(void **state) {
  (void)state;
  without_frame_pointer(1, 2, 3, 4, 5, 6, 0);
  without_frame_pointer(1, 2, 3, 4, 5, 6, 4);
}

static int compare_in_qsort(const void *a, const void *b) {
  compare(0);
  return *(const char *)a - *(const char *)b;
}

static void through_libc(void **state) {
  (void)state;
  char text[] = "cab";
  qsort(text, 3, 1, compare_in_qsort);
}

HP_NOINLINE static void with_alloca(size_t n) {
  volatile char *p = alloca(n);
  p[0] = 0;
  compare(0);
  p[n - 1] = 0;
}

static void through_frames_of_varying_size(void **state) {
  (void)state;
  for (size_t n = 16; n < 5000; n = n * 3)
    with_alloca(n);
}

static void through_a_signal(void **state) {
  (void)state;
  signal(SIGUSR1, compare);
  raise(SIGUSR1);
  signal(SIGUSR1, SIG_DFL);
}

static void cut_at_the_limit(void **state) {
  (void)state;
  bool truncated;
  for (int round = 0; round < 2; round++) {
    assert_int_equal(capture(fast, 3, false, &truncated), 3);
    assert_true(truncated);
  }
  assert_int_equal(capture(fast, 3, true, &truncated), 3);
  assert_true(truncated);
}

static void recursion_collapsed(void **state) {
  (void)state;
  recurse(20);
  hp_options.collapse_recursion = true;
  /* recurse() calls compare(), which asserts both ways alike. */
  recurse(20);
  hp_options.collapse_recursion = false;
  /* compare, recurse(0), recurse(1..20) as one, recursion_collapsed. */
  size_t repeats = 0;
  for (size_t i = 1; i < 6; i++)
    repeats += fast[i] == fast[i - 1];
  assert_int_equal(repeats, 0);
}

/* Random calls: the stack that was captured last is above, below or beside the
   next, or was cut elsewhere. */
static unsigned random_below(unsigned n) {
  static uint64_t seed = 42;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static unsigned calls_left;
static void call_some(unsigned depth);

HP_NOINLINE static void call_plainly(unsigned depth) {
  call_some(depth);
  __asm__ volatile("" ::: "memory");
}
HP_NOINLINE static void call_in_alloca(unsigned depth) {
  size_t n = 16 + 16 * random_below(3);
  volatile char *p = alloca(n);
  p[0] = 0;
  call_some(depth);
  p[n - 1] = 0;
}
WITHOUT_FRAME_POINTER static int call_frameless(unsigned depth, int a, int b) {
  volatile int keep[3] = {a, b, a + b};
  call_some(depth);
  return keep[0] + keep[2] * a + b;
}
static unsigned depth_in_qsort;
static int call_in_comparison(const void *a, const void *b) {
  call_some(depth_in_qsort);
  return *(const char *)a - *(const char *)b;
}

HP_NOINLINE static void call_some(unsigned depth) {
  for (unsigned calls = 1 + random_below(3); calls && calls_left; calls--) {
    calls_left--;
    if (random_below(4) == 0) {
      if (random_below(3) == 0)
        most = 4 + random_below(60);
      compare(0);
    }
    if (depth >= 90)
      return;
    char text[] = "ba";
    switch (random_below(8)) {
    case 0:
      depth_in_qsort = depth + 1;
      qsort(text, 2, 1, call_in_comparison);
      break;
    case 1:
      call_in_alloca(depth + 1);
      break;
    case 2:
    case 3:
      call_frameless(depth + 1, 1, 2);
      break;
    default:
      call_plainly(depth + 1);
    }
  }
}

static void from_stack_to_stack(void **state) {
  (void)state;
  for (unsigned round = 0; round < 300; round++) {
    calls_left = 200;
    call_some(0);
  }
  most = 64;
}

static jmp_buf outside;

HP_NOINLINE static void leave_from(int depth) {
  compare(0);
  if (depth == 0)
    longjmp(outside, 1);
  leave_from(depth - 1);
  __asm__ volatile("" ::: "memory");
}

static void after_a_jump_out_of_calls(void **state) {
  (void)state;
  for (volatile int depth = 0; depth < 6; depth++) {
    if (setjmp(outside) == 0)
      leave_from(depth);
    compare(0);
    recurse(depth);
  }
}

/* Frames of other stacks are above and below in turn, and where frames were
   that are gone. */
static ucontext_t main_context, turns[2];

static void take_turns(void) {
  for (int depth = 0;; depth = (depth + 3) % 8) {
    recurse(depth);
    swapcontext(&turns[0], &turns[1]);
    recurse(1);
    swapcontext(&turns[0], &main_context);
  }
}
static void take_other_turns(void) {
  for (int depth = 0;; depth = (depth + 5) % 8) {
    recurse(depth);
    swapcontext(&turns[1], &turns[0]);
  }
}

static void on_stacks_that_take_turns(void **state) {
  (void)state;
  static char stacks[2][1 << 16];
  void (*const functions[])(void) = {take_turns, take_other_turns};
  for (int again = 0; again < 3; again++) {
    for (int i = 0; i < 2; i++) {
      getcontext(&turns[i]);
      turns[i].uc_stack.ss_sp = stacks[again % 2 ? i : 1 - i];
      turns[i].uc_stack.ss_size = sizeof stacks[i];
      makecontext(&turns[i], functions[i], 0);
    }
    for (int depth = 0; depth < 12; depth++) {
      swapcontext(&main_context, &turns[0]);
      recurse(depth);
    }
  }
}

/* A handler that interrupts a capture leaves what it works on alone. */
static void in_the_middle_of_a_capture(void **state) {
  (void)state;
  static struct hp_last_stack last, before;
  struct hp_caller caller = HP_CALLER();
  uint32_t stack = hp_call_stack(&last, &caller);
  last.forgotten = HP_LAST_BUSY;
  before = last;
  assert_int_equal(hp_call_stack(&last, &caller), stack);
  assert_memory_equal(&last, &before, sizeof last);
}

HP_NOINLINE static void capture_below(struct hp_last_stack *last, int deeper) {
  struct hp_caller caller = HP_CALLER();
  if (deeper)
    capture_below(last, deeper - 1);
  else
    hp_call_stack(last, &caller);
  __asm__ volatile("" ::: "memory");
}

/* Each frame says where its callee saved its bp, also if it was captured before
   as one that had no callee, and a bp that is another now is noticed. */
static void frame_pointers_are_read_again(void **state) {
  (void)state;
  static struct hp_last_stack last;
  hp_options.fast_unwind_on_malloc = true;
  hp_options.malloc_context_size = 64;
  for (volatile int round = 0; round < 6; round++)
    capture_below(&last, round & 1);
  assert_true(last.innermost - last.frames > 3);
  assert_true(last.innermost[-1].saved < 0);
  unsigned compared = 0;
  for (struct hp_stack_frame *frame = last.frames + 1; frame < last.innermost;
       frame++) {
    if (!frame->saved)
      continue;
    uintptr_t bp = ((const uintptr_t *)frame->sp)[frame->saved];
    assert_int_equal(frame->bp, bp);
    frame->bp = bp + 64;
    for (volatile int round = 0; round < 6; round++)
      capture_below(&last, round & 1);
    assert_int_equal(frame->bp, bp);
    compared++;
  }
  assert_true(compared > 0);
}

static void forgetting_is_harmless(void **state) {
  (void)state;
  hp_unwind_forget();
  recurse(3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(through_frame_pointers),
      cmocka_unit_test(without_frame_pointers),
      cmocka_unit_test(through_libc),
      cmocka_unit_test(through_frames_of_varying_size),
      cmocka_unit_test(through_a_signal),
      cmocka_unit_test(cut_at_the_limit),
      cmocka_unit_test(recursion_collapsed),
      cmocka_unit_test(from_stack_to_stack),
      cmocka_unit_test(after_a_jump_out_of_calls),
      cmocka_unit_test(on_stacks_that_take_turns),
      cmocka_unit_test(in_the_middle_of_a_capture),
      cmocka_unit_test(frame_pointers_are_read_again),
      cmocka_unit_test(forgetting_is_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
