/* test_point.c - each call stack is stored once, whoever asks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/options.h"
#include "origin/point.h"
#include "system_double.h"

#include <pthread.h>

static struct hp_alloc_point *point_of(const uint64_t *pc, size_t depth,
                                       bool truncated, enum hp_entry entry) {
  return hp_point_intern(hp_stack_intern(pc, depth, truncated), entry, NULL);
}

static void the_same_stack_is_the_same_point(void **state) {
  (void)state;
  uint64_t a[] = {1, 2, 3}, b[] = {1, 2, 4}, c[] = {4, 2, 3};
  struct hp_alloc_point *first = point_of(a, 3, false, HP_ENTRY_MALLOC);
  assert_non_null(first);
  assert_ptr_equal(first, point_of(a, 3, false, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(b, 3, false, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(c, 3, false, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(a, 2, false, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(a + 1, 2, false, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(a, 3, true, HP_ENTRY_MALLOC));
  assert_ptr_not_equal(first, point_of(a, 3, false, HP_ENTRY_CALLOC));
  struct hp_type_descriptor named = {.name = "t"};
  const struct hp_type *type = hp_type_of_chunk(&named, 1, 0);
  uint32_t stack = hp_stack_intern(a, 3, false);
  struct hp_alloc_point *typed = hp_point_intern(stack, HP_ENTRY_MALLOC, type);
  assert_ptr_not_equal(first, typed);
  assert_ptr_equal(typed, hp_point_intern(stack, HP_ENTRY_MALLOC, type));
  assert_ptr_equal(first, point_of(a, 3, false, HP_ENTRY_MALLOC));
  assert_ptr_equal(hp_point_get(hp_point_id(first)), first);
}

enum { CALLEES = 9 }; /* more than are listed */

static void intern_callees(uint64_t frame, uint32_t stacks[CALLEES]) {
  for (uint64_t i = 0; i < CALLEES; i++)
    stacks[i] = hp_stack_intern((uint64_t[]){0x7100 + i, frame, 0x9}, 3, false);
}

/* Which of both a frame does first. */
static void check_both(uint64_t frame, bool allocates_first, unsigned listed) {
  const uint64_t pc[] = {frame, 0x9};
  struct hp_alloc_point *point =
      allocates_first ? point_of(pc, 2, false, HP_ENTRY_MALLOC) : NULL;
  uint32_t stacks[CALLEES], again[CALLEES];
  for (uint64_t i = 0; i < listed; i++)
    hp_stack_intern((uint64_t[]){0x7100 + i, frame, 0x9}, 3, false);
  if (!point)
    point = point_of(pc, 2, false, HP_ENTRY_MALLOC);
  assert_non_null(point);
  intern_callees(frame, stacks);
  struct hp_alloc_point *other = point_of(pc, 2, false, HP_ENTRY_NEW);
  assert_ptr_not_equal(other, point);
  intern_callees(frame, again);
  assert_memory_equal(again, stacks, sizeof stacks);
  assert_ptr_equal(point_of(pc, 2, false, HP_ENTRY_MALLOC), point);
  assert_ptr_equal(point_of(pc, 2, false, HP_ENTRY_NEW), other);
  assert_int_equal(point->stack, other->stack);
  for (int i = 0; i < CALLEES; i++) {
    uint64_t frames[HP_STACK_MAX];
    bool cut;
    assert_int_equal(hp_stack_frames(stacks[i], frames, &cut), 3);
    assert_int_equal(frames[0], 0x7100 + (uint64_t)i);
    assert_int_equal(frames[1], frame);
    for (int j = 0; j < i; j++)
      assert_int_not_equal(stacks[i], stacks[j]);
  }
}

static void a_frame_may_allocate_and_call(void **state) {
  (void)state;
  uint64_t frame = 0x7000;
  for (unsigned listed = 0; listed <= CALLEES; listed++) {
    check_both(frame++, true, listed);
    check_both(frame++, false, listed);
  }
}

/* The stack of a point is what it was made of. */
static void check_frames(const uint64_t *pc, size_t depth, bool truncated) {
  uint64_t frames[HP_STACK_MAX];
  bool cut;
  struct hp_alloc_point *point = point_of(pc, depth, truncated, HP_ENTRY_NEW);
  assert_non_null(point);
  assert_int_equal(hp_stack_frames(point->stack, frames, &cut), depth);
  assert_int_equal(cut, truncated);
  for (size_t i = 0; i < depth; i++)
    assert_int_equal(frames[i], pc[i]);
}

static void an_empty_and_a_deep_stack(void **state) {
  (void)state;
  uint64_t deep[HP_STACK_MAX];
  for (uint64_t i = 0; i < HP_STACK_MAX; i++)
    deep[i] = i;
  check_frames(deep, 0, false);
  check_frames(deep, 0, true);
  check_frames(deep, 3, false);
  check_frames(deep, HP_STACK_MAX, false);
  check_frames(deep, HP_STACK_MAX, true);
}

enum { THREADS = 4, STACKS = 50000 };

static void *intern_all(void *arg) {
  uint32_t *ids = arg;
  for (uint64_t i = 0; i < STACKS; i++) {
    uint64_t stack[] = {0x1000 + i, i % 7};
    ids[i] = hp_point_id(point_of(stack, 2, false, HP_ENTRY_MALLOC));
  }
  return NULL;
}

static void threads_agree(void **state) {
  (void)state;
  static uint32_t ids[THREADS][STACKS];
  uint32_t before = hp_point_count();
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, intern_all, ids[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  for (int i = 1; i < THREADS; i++)
    assert_memory_equal(ids[0], ids[i], sizeof ids[0]);
  assert_int_equal(hp_point_count(), before + STACKS);
}

/* Frames 0x5001 .. 0x6000 are of code that goes, and comes again. */
static void
code_in_the_place_of_other_code_has_points_of_its_own(void **state) {
  (void)state;
  enum { OFTEN = 3000 }; /* so that the table grows meanwhile */
  uint64_t inside[] = {0x6000, 0x1}, above[] = {0x7, 0x5001, 0x1};
  uint64_t beside[] = {0x5000, 0x1}, behind[] = {0x6001, 0x1};
  uint32_t first = hp_stack_intern(inside, 2, false);
  uint32_t second = hp_stack_intern(above, 3, false);
  uint32_t low = hp_stack_intern(beside, 2, false);
  uint32_t high = hp_stack_intern(behind, 2, false);
  hp_stack_set_aside(0x5000, 0x6000, 1);
  assert_int_equal(hp_stack_intern(beside, 2, false), low);
  assert_int_equal(hp_stack_intern(behind, 2, false), high);
  uint32_t other = hp_stack_intern(inside, 2, false);
  uint32_t other_above = hp_stack_intern(above, 3, false);
  assert_int_not_equal(other, first);
  assert_int_not_equal(other_above, second);
  assert_int_equal(hp_stack_intern(inside, 2, false), other);
  for (uint64_t i = 0; i < OFTEN; i++)
    hp_stack_intern((uint64_t[]){0x100000 + i, 0x1}, 2, false);

  /* It is told by what it was, whether it is there or not. */
  uint64_t frames[HP_STACK_MAX];
  bool cut;
  assert_int_equal(hp_stack_frames(second, frames, &cut), 3);
  assert_memory_equal(frames, above, sizeof above);

  hp_stack_set_aside(0x5000, 0x6000, HP_STACK_ASIDES);
  hp_stack_put_back(1);
  assert_int_equal(hp_stack_intern(inside, 2, false), first);
  assert_int_equal(hp_stack_intern(above, 3, false), second);
  hp_stack_set_aside(0x5000, 0x6000, 1);
  hp_stack_put_back(HP_STACK_ASIDES);
  assert_int_equal(hp_stack_intern(inside, 2, false), other);
  assert_int_equal(hp_stack_intern(above, 3, false), other_above);
}

/* Of more callees than a frame lists: in the table, too. */
static void a_call_that_goes_on_is_one_frame(void **state) {
  (void)state;
  hp_options.collapse_recursion = true;
  uint32_t once[CALLEES];
  for (uint64_t i = 0; i < CALLEES; i++)
    once[i] = hp_stack_intern((uint64_t[]){0x7100 + i, 0xa}, 2, false);
  for (uint64_t i = 0; i < CALLEES; i++)
    for (uint64_t j = 0; j < CALLEES; j++) {
      const uint64_t pc[] = {0x7100 + j, 0x7100 + i, 0xa}, callee = 0xb;
      const uint32_t stack = hp_stack_intern(pc, 3, false);
      uint64_t frames[HP_STACK_MAX];
      bool cut;
      if (i == j)
        assert_int_equal(stack, once[i]);
      assert_int_equal(hp_stack_push(stack, 0x7100 + i), once[i]);
      assert_int_equal(hp_stack_push(stack, 0x7100 + j), stack);
      assert_int_equal(hp_stack_push(hp_stack_push(once[i], callee), 0xa),
                       hp_stack_intern(&pc[2], 1, false));
      assert_int_equal(hp_stack_frames(stack, frames, &cut), i == j ? 2 : 3);
      assert_memory_equal(frames, &pc[i == j],
                          (i == j ? 2 : 3) * sizeof *frames);
    }
  hp_options.collapse_recursion = false;
  assert_int_equal(
      hp_stack_frames(hp_stack_intern((uint64_t[]){0xc, 0xc}, 2, false),
                      (uint64_t[HP_STACK_MAX]){0}, &(bool){false}),
      2);
}

static void without_memory_there_is_no_point(void **state) {
  (void)state;
  double_commit_limit = 0;
  struct hp_alloc_point *point = NULL;
  for (uint64_t i = 0; i < 200000; i++) {
    uint64_t stack[] = {0x9000000 + i};
    point = point_of(stack, 1, false, HP_ENTRY_MALLOC);
    if (!point)
      break;
  }
  double_commit_limit = SIZE_MAX;
  assert_null(point);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_stack_is_the_same_point),
      cmocka_unit_test(an_empty_and_a_deep_stack),
      cmocka_unit_test(a_frame_may_allocate_and_call),
      cmocka_unit_test(threads_agree),
      cmocka_unit_test(code_in_the_place_of_other_code_has_points_of_its_own),
      cmocka_unit_test(a_call_that_goes_on_is_one_frame),
      cmocka_unit_test(without_memory_there_is_no_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
