/* test_check.c - planted contradictions are caught where HP_CHECK is compiled in: a ring, a mark, a cache.
   The failure is this test's own, which jumps out instead of ending the process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#undef HEAPPROF_CHECKS
#define HEAPPROF_CHECKS 1
#include "system/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heap/primary.h"
#include "thread/gate.h"

static jmp_buf out;
static const char *failed;

void hp_check_failed(const char *file, int line, const char *condition) {
  assert_non_null(file);
  assert_true(line > 0);
  failed = condition;
  longjmp(out, 1);
}

/* What was said not to hold when CODE ran; NULL: nothing. */
#define FAILED_IN(code) (failed = NULL, setjmp(out) ? failed : ((code), failed))

static void what_holds_is_said_nothing_of(void **state) {
  (void)state;
  assert_true(FAILED_IN(HP_CHECK(1 + 1 == 2)) == NULL);
  assert_string_equal(FAILED_IN(HP_CHECK(1 + 1 == 3)), "1 + 1 == 3");
}

static void a_ring_takes_no_more_than_it_has_room_for(void **state) {
  (void)state;
  struct hp_events *events =
      aligned_alloc(HP_CACHE_LINE, sizeof(struct hp_events));
  memset(events, 0, sizeof *events);
  for (volatile size_t i = 0; i < HP_BEGINS; i++)
    assert_true(FAILED_IN(hp_events_begin(events, 1, 1, 1, 1)) == NULL);
  assert_true(FAILED_IN(hp_events_begin(events, 1, 1, 1, 1)) != NULL);
  for (volatile size_t i = 0; i < HP_ENDS; i++)
    assert_true(FAILED_IN(hp_events_end(events)) == NULL);
  assert_true(FAILED_IN(hp_events_end(events)) != NULL);
  free(events);
}

static void an_event_has_a_time(void **state) {
  (void)state;
  static struct hp_events events;
  assert_string_equal(FAILED_IN(hp_events_begin(&events, 0, 1, 1, 1)), "t0");
}

static void nobody_leaves_who_is_outside(void **state) {
  (void)state;
  static struct hp_thread thread;
  assert_string_equal(FAILED_IN(hp_gate_leave(&thread, 0, HP_A_BEGIN)),
                      "entered");
}

static void a_slot_is_given_back_once(void **state) {
  (void)state;
  static struct hp_cache cache = {.max = HP_CACHE_MAX};
  static struct hp_chunk chunk;
  assert_true(FAILED_IN(hp_primary_give(&cache, 0, &chunk)) == NULL);
  assert_true(FAILED_IN(hp_primary_give(&cache, 0, &chunk)) != NULL);
  cache.count = HP_CACHE_MAX + 1;
  assert_true(FAILED_IN(hp_primary_take(&cache, 0)) != NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_holds_is_said_nothing_of),
      cmocka_unit_test(a_ring_takes_no_more_than_it_has_room_for),
      cmocka_unit_test(an_event_has_a_time),
      cmocka_unit_test(nobody_leaves_who_is_outside),
      cmocka_unit_test(a_slot_is_given_back_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
