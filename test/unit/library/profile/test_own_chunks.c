/* test_own_chunks.c - own_chunks.h: in whose call chunks are both made and freed.
   Stacks are written by hand, those of frees as well.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/own_chunks.h"

static const char app[] = "/usr/bin/app", wrap[] = "wrap", sends[] = "send",
                  asks[] = "ask", begins[] = "begin", frees[] = "unwrap";
#define AT(name, number) {.function = name, .module = app, .line = number}

static const struct hp_frame wraps = AT(wrap, 5), send = AT(sends, 10),
                             send_ends = AT(sends, 20),
                             send_begins = AT(sends, 8), ask = AT(asks, 30),
                             ask_ends = AT(asks, 31), begin = AT(begins, 40),
                             unwraps = AT(frees, 50);

#define STACK(...)                                                             \
  (const struct hp_frame *const[]) { __VA_ARGS__ }
#define FREED(number, ...)                                                     \
  {.stack = STACK(__VA_ARGS__),                                                \
   .stack_count = sizeof STACK(__VA_ARGS__) / sizeof(struct hp_frame *),       \
   .chunks = number}

static const struct hp_frame *const made[] = {&wraps, &send, &ask, &begin};

static struct hp_point point_of(const struct hp_freed *freed, size_t count) {
  struct hp_point p = {.stack = made,
                       .stack_count = 4,
                       .chunks = 100,
                       .generations = 100,
                       .freed = freed,
                       .freed_count = count};
  for (size_t i = 0; i < count; i++)
    p.freed_chunks += freed[i].chunks;
  return p;
}

static size_t depth_of(const struct hp_freed *freed, size_t count) {
  const struct hp_point p = point_of(freed, count);
  return hp_owner_depth(&p);
}

static void who_frees_behind_its_allocation_is_the_owner(void **state) {
  (void)state;
  const struct hp_freed in_send =
      FREED(100, &unwraps, &send_ends, &ask, &begin);
  assert_int_equal(depth_of(&in_send, 1), 1);
  const struct hp_freed in_ask = FREED(100, &unwraps, &ask_ends, &begin);
  assert_int_equal(depth_of(&in_ask, 1), 2);
}

static void the_outermost_of_several_is_the_owner(void **state) {
  (void)state;
  const struct hp_freed both[] = {FREED(95, &send_ends, &ask, &begin),
                                  FREED(5, &ask_ends, &begin)};
  assert_int_equal(depth_of(both, 2), 2);
}

static void what_an_earlier_call_left_has_no_owner(void **state) {
  (void)state;
  const struct hp_freed ahead =
      FREED(100, &unwraps, &send_begins, &ask, &begin);
  assert_int_equal(depth_of(&ahead, 1), 4);
}

static void what_takes_over_has_no_owner(void **state) {
  (void)state;
  const struct hp_freed in_send =
      FREED(100, &unwraps, &send_ends, &ask, &begin);
  struct hp_point p = point_of(&in_send, 1);
  p.generations = 10;
  assert_int_equal(hp_owner_depth(&p), 4);
  p.generations = 100;
  p.grown.chunks = 50;
  assert_int_equal(hp_owner_depth(&p), 4);
}

static void where_frees_are_not_known_there_is_none(void **state) {
  (void)state;
  const struct hp_freed leaf[] = {FREED(40, &send_ends, &ask, &begin),
                                  FREED(60, &unwraps)};
  assert_int_equal(depth_of(leaf, 2), 4);
  const struct hp_freed others[] = {FREED(50, &send_ends, &ask, &begin),
                                    FREED(50, &unwraps, &begin)};
  assert_int_equal(depth_of(others, 2), 4);
  assert_int_equal(depth_of(NULL, 0), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_frees_behind_its_allocation_is_the_owner),
      cmocka_unit_test(the_outermost_of_several_is_the_owner),
      cmocka_unit_test(what_an_earlier_call_left_has_no_owner),
      cmocka_unit_test(what_takes_over_has_no_owner),
      cmocka_unit_test(where_frees_are_not_known_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
