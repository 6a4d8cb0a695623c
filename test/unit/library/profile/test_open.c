/* test_open.c - a dump from files to points, scores and totals.
   Numbers are worked out beside the chunks they come from.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dump_builder.h"
#include "heapprof.h"

static const uint64_t stack_a[] = {0x400101, 0x400201};
static const uint64_t stack_b[] = {0x400301};
static const struct hp_build_module app = {"/bin/app", 0x400000, 0x400000,
                                           0x500000,   0,        0};
static const struct hp_build_point two_points[] = {
    {1, stack_a, 2, "int", HP_PROVENANCE_ARGUMENT}, {2, stack_b, 1, NULL, 0}};

static hp_profile *opened(const struct hp_build *builds, size_t count,
                          struct hp_open_options o) {
  char *scratch = hp_scratch_make();
  for (size_t i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/heapprof.app.%zu", scratch, i + 1);
    hp_build_write(&builds[i], path);
  }
  hp_profile *profile;
  struct hp_error error;
  const char *const paths[] = {scratch};
  o.sz = sizeof o;
  o.no_symbols = true;
  if (hp_profile_open(&profile, paths, 1, &o, &error) != HP_OK)
    fail_msg("%s", error.text);
  hp_scratch_remove(scratch);
  return profile;
}

/* Point ID of PROFILE. */
static const struct hp_point *point(hp_profile *profile, uint64_t id) {
  const struct hp_query query = {.sz = sizeof query};
  const struct hp_point *const *points;
  size_t count;
  struct hp_error error;
  assert_int_equal(hp_profile_query(profile, &query, &points, &count, &error),
                   HP_OK);
  for (size_t i = 0; i < count; i++)
    if (points[i]->id == id)
      return points[i];
  return NULL;
}

static struct hp_chunk_log chunk(uint32_t of, uint64_t t0, uint64_t t1,
                                 uint64_t size) {
  return (struct hp_chunk_log){.t0 = t0,
                               .t1 = t1,
                               .first = t0,
                               .last = t1,
                               .size = size,
                               .hi = size,
                               .reads = 1,
                               .writes = 1,
                               .point = of,
                               .thread = 1,
                               .free_thread = 1,
                               .flags = HP_CHUNK_EXACT};
}

static struct hp_build build_of(const struct hp_chunk_log *chunks,
                                size_t count) {
  return (struct hp_build){.window = 1000,
                           .modules = &app,
                           .module_count = 1,
                           .points = two_points,
                           .point_count = 2,
                           .chunks = chunks,
                           .chunk_count = count};
}

static void local_and_global_peaks(void **state) {
  (void)state;
  /* time   point 1   point 2   all
     0      100                 100
     10               50        150
     20     +100                250  peak of all: 200 + 50
     30     -100                150
     40               +80       230  peak of point 2: 130
     50     -100                130                                         */
  const struct hp_chunk_log chunks[] = {
      chunk(1, 0, 50, 100), chunk(1, 20, 30, 100), chunk(2, 10, 60, 50),
      chunk(2, 40, 60, 80)};
  const struct hp_build build = build_of(chunks, 4);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(point(profile, 1)->peak_bytes, 200);
  assert_int_equal(point(profile, 2)->peak_bytes, 130);
  assert_int_equal(hp_profile_global(profile)->peak_bytes, 250);
  assert_int_equal(point(profile, 1)->bytes_at_global_peak, 200);
  assert_int_equal(point(profile, 2)->bytes_at_global_peak, 50);
  hp_profile_close(profile);
}

static void realloc_of_the_whole_heap_is_no_double_peak(void **state) {
  (void)state;
  struct hp_chunk_log grown = chunk(1, 0, 50, 100);
  grown.flags |= HP_CHUNK_REALLOC;
  const struct hp_chunk_log chunks[] = {grown, chunk(2, 50, 90, 120)};
  const struct hp_build build = build_of(chunks, 2);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_global(profile)->peak_bytes, 120);
  assert_int_equal(point(profile, 1)->bytes_at_global_peak, 0);
  hp_profile_close(profile);
}

static void point_is_described(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 50, 100)};
  const struct hp_build build = build_of(chunks, 1);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  const struct hp_point *p = point(profile, 1);
  assert_null(p->key);
  assert_string_equal(p->type, "int");
  assert_string_equal(p->type_provenance, "argument");
  assert_ptr_equal(p->process, hp_process_at(profile, 0));
  assert_int_equal(p->stack_count, 2);
  assert_string_equal(p->stack[0]->module, "/bin/app");
  assert_int_equal(p->stack[0]->address, 0x100); /* 0x400101 - 1 - bias */
  assert_ptr_equal(p->site, p->stack[0]);
  p = point(profile, 2); /* no chunk in the window */
  assert_null(p->type);
  assert_null(p->type_provenance);
  assert_int_equal(p->chunks, 0);
  assert_true(p->scores.lifetime == HP_NULL_SCORE);
  assert_true(p->severity == HP_NULL_SCORE);
  const struct hp_global *g = hp_profile_global(profile);
  assert_int_equal(g->points, 2);
  assert_int_equal(g->lifetime.points, 1);
  assert_int_equal(g->chunks, 1);
  assert_int_equal(g->bytes, 100);
  hp_profile_close(profile);
}

static void modules_are_chosen_by_time(void **state) {
  (void)state;
  static const struct hp_build_module reused[] = {
      {"/lib/first.so", 0x400000, 0x400000, 0x500000, 0, 100},
      {"/lib/second.so", 0x3f0000, 0x400000, 0x500000, 100, 0}};
  const struct hp_chunk_log chunks[] = {chunk(1, 99, 500, 1),
                                        chunk(2, 100, 500, 1)};
  struct hp_build build = build_of(chunks, 2);
  build.modules = reused;
  build.module_count = 2;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_string_equal(point(profile, 1)->site->module, "/lib/first.so");
  assert_string_equal(point(profile, 2)->site->module, "/lib/second.so");
  assert_int_equal(point(profile, 2)->site->address, 0x10300);
  hp_profile_close(profile);
}

static void address_outside_every_module_stays_as_it_is(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 500, 1)};
  struct hp_build build = build_of(chunks, 1);
  build.module_count = 0;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_null(point(profile, 1)->site->module);
  assert_int_equal(point(profile, 1)->site->address, 0x400100);
  hp_profile_close(profile);
}

static void process_is_described(void **state) {
  (void)state;
  static const char *const args[] = {"./app", "-v", NULL};
  struct hp_chunk_log live = chunk(1, 10, 2000, 64);
  live.flags |= HP_CHUNK_LIVE;
  live.free_thread = 0;
  const struct hp_chunk_log chunks[] = {live, chunk(1, 20, 30, 64)};
  struct hp_build build = build_of(chunks, 2);
  build.window = 2000;
  build.ticks_per_second = 2000000000; /* 2 ticks a nanosecond */
  build.args = args;
  build.host = "node1";
  build.pid = 42;
  build.tick_max = 9;
  build.peak_bytes = 128;
  build.failed_requests = 3;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  const struct hp_process *p = hp_process_at(profile, 0);
  assert_string_equal(p->program, "app");
  assert_int_equal(p->arg_count, 2);
  assert_string_equal(p->args[1], "-v");
  assert_string_equal(p->host, "node1");
  assert_null(p->rank);
  assert_int_equal(p->pid, 42);
  assert_int_equal(p->window_ns, 1000);
  assert_string_equal(p->ended, "exit");
  assert_true(p->complete);
  assert_true(p->has_exit_status);
  assert_int_equal(p->allocations, 2);
  assert_int_equal(p->frees, 1);
  assert_int_equal(p->failed_requests, 3);
  assert_int_equal(p->peak_bytes, 128);
  assert_int_equal(p->live_bytes_at_end, 64);
  assert_int_equal(p->chunks_kept, 2);
  assert_int_equal(p->tick_max, 9);
  assert_true(fabs(p->ticks_per_ns - 2) < 1e-12);
  assert_int_equal(point(profile, 1)->lifetime_ns.max, 5);
  assert_int_equal(hp_profile_note_count(profile), 0);
  assert_null(hp_profile_note_at(profile, 0));
  hp_profile_close(profile);
}

static void losses_are_noted(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(0, 0, 50, 100),
                                        chunk(1, 0, 50, 10)};
  struct hp_build build = build_of(chunks, 2);
  build.dropped_points = 1;
  build.dropped_chunks = 5;
  build.late_events = 3;
  build.unsettled_chunks = 4;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 4);
  assert_non_null(strstr(hp_profile_note_at(profile, 0), "5 of 7 chunks"));
  assert_non_null(strstr(hp_profile_note_at(profile, 1), "3 beginnings"));
  assert_non_null(
      strstr(hp_profile_note_at(profile, 2), "4 chunks have unknown accesses"));
  assert_non_null(strstr(hp_profile_note_at(profile, 3), "1 chunks have lost"));
  /* What has no point is still counted, as the last point. */
  const struct hp_point *lost = point(profile, 3);
  assert_int_equal(lost->bytes, 100);
  assert_int_equal(lost->stack_count, 0);
  assert_null(lost->site);
  assert_int_equal(hp_profile_global(profile)->bytes, 110);
  hp_profile_close(profile);
}

static void unrecorded_frees_are_told(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 50, 10)};
  struct hp_build build = build_of(chunks, 1);
  build.unrecorded_frees = 2;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 1);
  assert_non_null(strstr(hp_profile_note_at(profile, 0),
                         "2 frees found no memory for what is kept of their "
                         "threads"));
  hp_profile_close(profile);
}

static void limits_of_memory_are_told(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 50, 10)};
  struct hp_build build = build_of(chunks, 1);
  build.unprofiled_chunks = 7;
  build.unprofiled_bytes = 168;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 1);
  assert_non_null(strstr(hp_profile_note_at(profile, 0),
                         "7 chunks of 168 bytes were given out without a "
                         "profile, since the limit of memory was near"));
  assert_int_equal(hp_process_at(profile, 0)->unprofiled_chunks, 7);
  assert_int_equal(hp_process_at(profile, 0)->unprofiled_bytes, 168);
  hp_profile_close(profile);
  build.undescribed_chunks = 3;
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 2);
  assert_non_null(strstr(hp_profile_note_at(profile, 1),
                         "3 chunks that live at the end have unknown accesses: "
                         "the limit of memory left too little"));
  hp_profile_close(profile);
}

static void late_events_say_how_far_peaks_are_off(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 50, 10)};
  struct hp_build build = build_of(chunks, 1);
  build.late_events = 3;
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_non_null(strstr(hp_profile_note_at(profile, 0), "off by these"));
  hp_profile_close(profile);
  build.late_bytes = 96;
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 1);
  assert_non_null(strstr(hp_profile_note_at(profile, 0),
                         "3 beginnings and ends came too late to be put in "
                         "order: peaks may be off by up to 96 bytes"));
  hp_profile_close(profile);
  build.late_events = 0; /* nothing to speak of */
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 0);
  hp_profile_close(profile);
}

static void what_lived_at_a_fork_is_shared(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 10, 50, 10),
                                        chunk(2, 60, 90, 10)};
  struct hp_build build = build_of(chunks, 2);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_false(point(profile, 1)->accesses_shared);
  assert_int_equal(hp_profile_note_count(profile), 0);
  hp_profile_close(profile);
  build.last_fork = 5; /* nothing lived then */
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(hp_profile_note_count(profile), 0);
  hp_profile_close(profile);
  build.last_fork = 55;
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_true(point(profile, 1)->accesses_shared);
  assert_false(point(profile, 2)->accesses_shared);
  assert_int_equal(hp_profile_global(profile)->shared_points, 1);
  assert_non_null(
      strstr(hp_profile_note_at(profile, 0), "lived when it forked is likely"));
  hp_profile_close(profile);
}

static void processes_stand_side_by_side(void **state) {
  (void)state;
  /* The same clock of 1 tick a nanosecond; the second starts 5 later:
     first  0..10 : 100      second  5..8 : 70, so that both are live at 5 */
  const struct hp_chunk_log first[] = {chunk(1, 0, 10, 100)};
  const struct hp_chunk_log second[] = {chunk(1, 0, 3, 70)};
  struct hp_build builds[] = {build_of(first, 1), build_of(second, 1)};
  builds[0].start_unix_ns = 1000;
  builds[1].start_unix_ns = 1005;
  hp_profile *profile = opened(builds, 2, (struct hp_open_options){0});
  assert_int_equal(hp_process_count(profile), 2);
  assert_int_equal(hp_profile_global(profile)->points, 4);
  assert_ptr_equal(point(profile, 3)->process, hp_process_at(profile, 1));
  assert_int_equal(point(profile, 3)->bytes, 70);
  assert_int_equal(hp_profile_global(profile)->peak_bytes, 170);
  assert_int_equal(point(profile, 3)->bytes_at_global_peak, 70);
  hp_profile_close(profile);
  builds[1].start_unix_ns = 1010; /* the first has just ended */
  profile = opened(builds, 2, (struct hp_open_options){0});
  assert_int_equal(hp_profile_global(profile)->peak_bytes, 100);
  assert_int_equal(point(profile, 3)->bytes_at_global_peak, 0);
  hp_profile_close(profile);
}

static void same_dump_twice_counts_once(void **state) {
  (void)state;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 10, 100)};
  const struct hp_build build = build_of(chunks, 1);
  char *scratch = hp_scratch_make();
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.app.1", scratch);
  hp_build_write(&build, path);
  const char *const paths[] = {scratch, path};
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(hp_profile_open(&profile, paths, 2, &o, &error), HP_OK);
  assert_int_equal(hp_process_count(profile), 1);
  hp_profile_close(profile);
  hp_scratch_remove(scratch);
}

static void options_reach_the_scores(void **state) {
  (void)state;
  /* 0-10 and 5-15 of 1000 ticks: tau = floor(0.001 * 1000) = 1 splits them,
     tau = 10 (memoro) joins them. */
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 10, 8), chunk(1, 5, 15, 8)};
  const struct hp_build build = build_of(chunks, 2);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(point(profile, 1)->groups, 2);
  hp_profile_close(profile);
  profile = opened(&build, 1, (struct hp_open_options){.memoro_compat = true});
  assert_int_equal(point(profile, 1)->groups, 1);
  assert_true(fabs(point(profile, 1)->scores.lifetime - 20.0 / 30) < 1e-12);
  hp_profile_close(profile);
  profile = opened(&build, 1, (struct hp_open_options){.group_gap = 0.005});
  assert_int_equal(point(profile, 1)->groups, 1);
  hp_profile_close(profile);
  profile = opened(&build, 1, (struct hp_open_options){0});
  assert_int_equal(point(profile, 1)->inferences[HP_INF_short_lived].chunks, 2);
  hp_profile_close(profile);
  profile = opened(&build, 1, (struct hp_open_options){.short_ns = 10});
  assert_int_equal(point(profile, 1)->inferences[HP_INF_short_lived].chunks, 0);
  hp_profile_close(profile);
}

static void global_scores_can_be_weighed_by_bytes(void **state) {
  (void)state;
  struct hp_chunk_log unused = chunk(2, 0, 10, 300);
  unused.reads = unused.writes = 0;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 10, 100), unused};
  const struct hp_build build = build_of(chunks, 2);
  hp_profile *profile = opened(&build, 1, (struct hp_open_options){0});
  assert_true(fabs(hp_profile_global(profile)->usage.mean - 0.5) < 1e-12);
  assert_true(fabs(hp_profile_global(profile)->usage.geomean - 0.1) < 1e-12);
  hp_profile_close(profile);
  profile =
      opened(&build, 1, (struct hp_open_options){.weight_by_bytes = true});
  assert_true(fabs(hp_profile_global(profile)->usage.mean - 0.25) < 1e-12);
  hp_profile_close(profile);
}

static void wrong_arguments_are_the_callers_mistake(void **state) {
  (void)state;
  hp_profile *profile;
  struct hp_error error;
  const char *const paths[] = {"/nowhere"};
  assert_int_equal(hp_profile_open(&profile, paths, 0, NULL, &error),
                   HP_E_ARGUMENT);
  struct hp_open_options o = {0};
  assert_int_equal(hp_profile_open(&profile, paths, 1, &o, &error),
                   HP_E_ARGUMENT);
  static const double gaps[] = {-0.5, 1.5, NAN};
  for (size_t i = 0; i < 3; i++) {
    o = (struct hp_open_options){.sz = sizeof o, .group_gap = gaps[i]};
    assert_int_equal(hp_profile_open(&profile, paths, 1, &o, &error),
                     HP_E_ARGUMENT);
    assert_null(profile);
  }
  assert_int_equal(hp_profile_open(&profile, paths, 1, NULL, NULL), HP_E_OPEN);
  hp_profile_close(NULL);
}

static void older_callers_options_take_their_defaults(void **state) {
  (void)state;
  struct hp_open_options o;
  memset(&o, 0xff, sizeof o); /* beyond sz it must not be looked at */
  o.sz = offsetof(struct hp_open_options, debug_dir);
  o.no_symbols = true;
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 10, 100)};
  const struct hp_build build = build_of(chunks, 1);
  char *scratch = hp_scratch_make();
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.app.1", scratch);
  hp_build_write(&build, path);
  const char *const paths[] = {path};
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(hp_profile_open(&profile, paths, 1, &o, &error), HP_OK);
  hp_profile_close(profile);
  hp_scratch_remove(scratch);
}

static void symbols_are_looked_up_and_their_absence_is_noted(void **state) {
  (void)state;
  struct hp_build_module gone = app;
  gone.path = "/nowhere/app";
  const struct hp_chunk_log chunks[] = {chunk(1, 0, 10, 100)};
  struct hp_build build = build_of(chunks, 1);
  build.modules = &gone;
  char *scratch = hp_scratch_make();
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.app.1", scratch);
  hp_build_write(&build, path);
  const char *const paths[] = {path};
  const struct hp_open_options o = {.sz = sizeof o, .no_cache = true};
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(hp_profile_open(&profile, paths, 1, &o, &error), HP_OK);
  assert_int_equal(point(profile, 1)->stack[0]->address, 0x100);
  assert_int_equal(hp_profile_note_count(profile), 1);
  assert_non_null(strstr(hp_profile_note_at(profile, 0), "/nowhere/app"));
  hp_profile_close(profile);
  hp_scratch_remove(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_and_global_peaks),
      cmocka_unit_test(realloc_of_the_whole_heap_is_no_double_peak),
      cmocka_unit_test(point_is_described),
      cmocka_unit_test(modules_are_chosen_by_time),
      cmocka_unit_test(address_outside_every_module_stays_as_it_is),
      cmocka_unit_test(process_is_described),
      cmocka_unit_test(losses_are_noted),
      cmocka_unit_test(late_events_say_how_far_peaks_are_off),
      cmocka_unit_test(unrecorded_frees_are_told),
      cmocka_unit_test(limits_of_memory_are_told),
      cmocka_unit_test(what_lived_at_a_fork_is_shared),
      cmocka_unit_test(processes_stand_side_by_side),
      cmocka_unit_test(same_dump_twice_counts_once),
      cmocka_unit_test(options_reach_the_scores),
      cmocka_unit_test(global_scores_can_be_weighed_by_bytes),
      cmocka_unit_test(wrong_arguments_are_the_callers_mistake),
      cmocka_unit_test(older_callers_options_take_their_defaults),
      cmocka_unit_test(symbols_are_looked_up_and_their_absence_is_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
