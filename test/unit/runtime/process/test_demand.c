/* test_demand.c - when a dump is due: signals, times, bytes, allocations; once, or again and again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options/options.h"
#include "process/demand.h"
#include "process/own_profile.h"
#include "process/window.h"
#include "profile/collector.h"
#include "system/waiting.h"
#include "thread/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

/* needs the two above */
#include <cmocka.h>

struct hp_options hp_options;
static uint32_t window;
static uint64_t now_ns, bytes, allocations;
static size_t asked;       /* times that the writer was */
static bool can_dump;      /* else: not now, ask again */
static const char *dumped; /* the reason of the last dump */

uint64_t hp_sys_monotonic_ns(void) { return now_ns; }
void hp_collect_counts(uint64_t *live_bytes, uint64_t *begun) {
  *live_bytes = bytes;
  *begun = allocations;
}
uint32_t hp_window_number(void) { return window; }
void hp_writer_ask(enum hp_write what) {
  assert_int_equal(what, HP_WRITE_DEMAND);
  asked++;
}
bool hp_profile_dump_by_runtime(const char *reason) {
  if (can_dump)
    dumped = reason;
  return can_dump;
}

static int reset(void **state) {
  (void)state;
  memset(&hp_options, 0, sizeof hp_options);
  window++;
  now_ns = 5000000000u;
  bytes = allocations = asked = 0;
  can_dump = true;
  dumped = NULL;
  hp_demand_after_fork_child(); /* nothing asked for, nothing due */
  return 0;
}

/* What is written if the runtime's thread looks now; NULL: nothing. */
static const char *look(void) {
  dumped = NULL;
  hp_demand_look();
  hp_demand_dump();
  return dumped;
}

static void nothing_asked_for_needs_no_thread(void **state) {
  (void)state;
  assert_false(hp_demand_needs_thread());
  hp_demand_by_signal();
  assert_null(look());
  assert_int_equal(asked, 0);
}

static void each_signal_is_answered_once(void **state) {
  (void)state;
  hp_options.dump_signal = 10;
  assert_null(look());
  hp_demand_by_signal();
  hp_demand_by_signal(); /* both came before anybody looked */
  assert_string_equal(look(), "dump_signal");
  assert_null(look());
  hp_demand_by_signal();
  assert_string_equal(look(), "dump_signal");
}

static void a_time_comes_once_or_repeats(void **state) {
  (void)state;
  hp_options.dump_after_ms = 100;
  assert_null(look());
  now_ns += 99999999;
  assert_null(look());
  now_ns += 1;
  assert_string_equal(look(), "dump_after_ms");
  now_ns += 1000000000;
  assert_null(look());

  hp_options.dump_repeat = true;
  window++;
  assert_null(look());
  for (int i = 0; i < 3; i++) {
    now_ns += 100000000;
    assert_string_equal(look(), "dump_after_ms");
    assert_null(look());
  }
}

/* What was passed several times over in one look is one dump. */
static void levels_repeat_at_multiples(void **state) {
  (void)state;
  hp_options.dump_at_bytes = 1000;
  hp_options.dump_repeat = true;
  bytes = 999;
  assert_null(look());
  bytes = 3500;
  assert_string_equal(look(), "dump_at_bytes");
  assert_null(look());
  bytes = 3999;
  assert_null(look());
  bytes = 4000;
  assert_string_equal(look(), "dump_at_bytes");
}

static void allocations_are_counted(void **state) {
  (void)state;
  hp_options.dump_at_allocations = 10;
  allocations = 10;
  assert_string_equal(look(), "dump_at_allocations");
  allocations = 1000;
  assert_null(look()); /* it does not repeat */
}

static void what_cannot_be_written_now_is_asked_for_again(void **state) {
  (void)state;
  hp_options.dump_at_allocations = 10;
  allocations = 10;
  can_dump = false;
  assert_null(look());
  can_dump = true;
  allocations = 0;
  assert_string_equal(look(), "dump_at_allocations");
}

/* A new window: levels count anew, but who sent a signal waits for its dump. */
static void a_new_window_keeps_signals(void **state) {
  (void)state;
  hp_options.dump_signal = 10;
  hp_options.dump_at_bytes = 5;
  can_dump = false;
  hp_demand_by_signal();
  assert_null(look());
  window++;
  can_dump = true;
  assert_string_equal(look(), "dump_signal");
  can_dump = false;
  bytes = 5;
  assert_null(look());
  bytes = 0;
  window++;
  can_dump = true;
  assert_null(look());
}

/* The signal was the parent's. */
static void a_child_answers_no_signal_of_its_parent(void **state) {
  (void)state;
  hp_options.dump_signal = 10;
  hp_demand_by_signal();
  hp_demand_after_fork_child();
  assert_null(look());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(nothing_asked_for_needs_no_thread, reset),
      cmocka_unit_test_setup(each_signal_is_answered_once, reset),
      cmocka_unit_test_setup(a_time_comes_once_or_repeats, reset),
      cmocka_unit_test_setup(levels_repeat_at_multiples, reset),
      cmocka_unit_test_setup(allocations_are_counted, reset),
      cmocka_unit_test_setup(what_cannot_be_written_now_is_asked_for_again,
                             reset),
      cmocka_unit_test_setup(a_new_window_keeps_signals, reset),
      cmocka_unit_test_setup(a_child_answers_no_signal_of_its_parent, reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
