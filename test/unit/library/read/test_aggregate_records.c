/* test_aggregate_records.c - the file aggregates as the library reads it.
   One good record, and what is said where any number of it contradicts another.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "aggregate_fixture.h"

#include <string.h>

#include "heapprof_globals.h"
#include "heapprof_members.h"

static void checkpoint_of_a_killed_process_is_read(void **state) {
  (void)state;
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_changed(&(struct changes){0}, &plain, &profile, &error),
                   HP_OK);
  const struct hp_process *process = hp_process_at(profile, 0);
  assert_false(process->complete);
  assert_true(process->has_aggregates);
  assert_int_equal(process->window_ns, 100);
  assert_int_equal(process->allocations, 2);
  assert_int_equal(process->interval_count, 1);
  assert_int_equal(process->intervals[0].bytes_max, 16);
  assert_non_null(strstr(hp_profile_note_at(profile, 0), "last checkpoint"));
  assert_non_null(strstr(hp_profile_note_at(profile, 1), "0 of 2 chunks"));
  const struct hp_point *const *points;
  size_t count;
  assert_int_equal(hp_profile_query(profile, NULL, &points, &count, &error),
                   HP_OK);
  assert_int_equal(count, 1);
  const struct hp_point *p = points[0];
  assert_int_equal(p->chunks, 2);
  assert_int_equal(p->live_chunks, 1);
  assert_int_equal(p->peak_bytes, 16);
  assert_int_equal(p->bytes_at_global_peak, 16);
  assert_int_equal(p->logged_chunks, 0);
  assert_false(p->estimated);
  assert_true(p->scores.usage > 0.49999 && p->scores.usage < 0.50001);
  assert_true(p->scores.useful_lifetime > 0.24999 &&
              p->scores.useful_lifetime < 0.25001);
  assert_int_equal(p->sizes.lowest, 4);
  assert_int_equal(p->sizes.counts[0], 2);
  assert_int_equal(p->pages.chunks, 2);
  assert_int_equal(p->pages.bytes, 16);
  assert_int_equal(p->pages.touched, 8);
  assert_int_equal(p->pages.resident, 5);
  assert_int_equal(p->pages.unused_chunks, 1);
  assert_int_equal(p->pages.unused_bytes, 8);
  assert_int_equal(p->pages.sparse_chunks, 1);
  assert_int_equal(p->pages.sparse_bytes, 8);
  assert_int_equal(p->pages.sparse_touched, 3);
  assert_int_equal(p->resizes.calls, 5);
  assert_int_equal(p->resizes.in_place, 1);
  assert_int_equal(p->resizes.shrunk_bytes, 7);
  assert_int_equal(p->resizes.jump_from, 10);
  assert_int_equal(p->resizes.jump_to, 35);
  assert_int_equal(p->teardown.watched, 2);
  assert_int_equal(p->teardown.freed, 1);
  assert_int_equal(p->teardown.torn, 1); /* nobody read it then */
  assert_int_equal(p->teardown.late, 1);
  assert_int_equal(p->teardown.unread, 0);
  assert_true(p->teardown.useful_lifetime == 0.5);
  assert_true(p->teardown.settled_lifetime == 0.25);
  assert_null(p->teardown.reader);
  assert_int_equal(p->initialised.chunks, 2);
  assert_int_equal(p->initialised.lost, 1);
  assert_int_equal(p->initialised.filled, 1);
  assert_int_equal(p->initialised.bytes, 16);
  assert_int_equal(p->initialised.only, 9); /* nobody else read it */
  assert_null(p->initialised.reader);
  assert_int_equal(p->contents.chunks, 2);
  assert_int_equal(p->contents.zero_bytes, 9);
  assert_int_equal(p->contents.uniform_bytes, 8);
  assert_int_equal(p->contents.different, 2);
  assert_int_equal(p->contents.all_sparse_zero_bytes, 7);
  const struct hp_members *members = hp_point_members(profile, p);
  assert_non_null(members);
  assert_int_equal(members->chunks_counted, 1);
  assert_true(members->weight == 2);
  assert_int_equal(members->lost, 3);
  assert_int_equal(members->count, 2);
  assert_int_equal(members->rows[0].reads, 7);
  assert_int_equal(members->rows[0].code, 0x401009);
  assert_int_equal(members->rows[1].offset, 4);
  assert_int_equal(members->rows[1].size, 4);
  assert_int_equal(members->rows[1].writes, 2);
  assert_int_equal(members->rows[1].chunks, 0);
  assert_int_equal(members->rows[1].together, 1);
  assert_true(members->rows[0].last_use_ns > members->rows[0].first_use_ns);
  assert_true(members->rows[1].last_use_ns == members->rows[1].first_use_ns);
  assert_true(members->rows[1].first_use_ns > members->rows[0].last_use_ns);
  assert_int_equal(members->line_count, 1);
  assert_int_equal(members->lines[0].offset, 64);
  assert_int_equal(members->lines[0].turns, 9);
  assert_int_equal(members->lines[0].count, 2);
  assert_int_equal(members->lines[0].writers[0].thread, 5);
  assert_int_equal(members->lines[0].writers[0].common, 1);
  assert_int_equal(members->lines[0].writers[1].times, 10);
  assert_true(members->lines[0].writers[1].bytes == 1ull << 63);
  assert_int_equal(p->sampled_pages.chunks, 1);
  assert_int_equal(p->sampled_pages.bytes, 12);
  assert_int_equal(p->sampled_pages.unused_chunks, 1);
  struct hp_chunk_view chunk;
  assert_int_equal(hp_point_chunks(profile, p, 0, &chunk, 1), 0);
  hp_profile_close(profile);
}

static void options_that_need_the_log_are_refused_without_it(void **state) {
  (void)state;
  struct hp_open_options o = plain;
  o.exclude_live = true;
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_changed(&(struct changes){0}, &o, &profile, &error),
                   HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "need the chunk log"));
}

static void a_greater_group_gap_needs_no_log(void **state) {
  (void)state;
  struct hp_open_options o = plain;
  o.group_gap = 0.5;
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_changed(&(struct changes){0}, &o, &profile, &error),
                   HP_OK);
  hp_profile_close(profile);
}

/* The runtime could not keep them all: that takes nothing from the numbers. */
static void groups_of_a_greater_gap_than_asked_for_are_taken(void **state) {
  (void)state;
  const struct field tau = {HP_AGGREGATE_tau, 1, {25}};
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(
      open_changed(&(struct changes){.point = &tau}, &plain, &profile, &error),
      HP_OK);
  const struct hp_point *const *points;
  size_t count;
  assert_int_equal(hp_profile_query(profile, NULL, &points, &count, &error),
                   HP_OK);
  assert_int_equal(points[0]->chunks, 2);
  assert_false(points[0]->estimated);
  assert_non_null(strstr(hp_profile_note_at(profile, 2),
                         "points with too many lifetime groups: 1, whose gap "
                         "is up to 0.25 instead of 0"));
  hp_profile_close(profile);
}

static void numbers_that_contradict_are_refused(void **state) {
  (void)state;
  static const struct {
    struct field field;
    const char *text;
  } rows[] = {
      {{HP_AGGREGATE_point, 1, {7}}, "does not have"},
      {{HP_AGGREGATE_chunks, 1, {0}}, "number of chunks"},
      {{HP_AGGREGATE_chunks, 1, {1}}, "more chunks than the point"},
      {{HP_AGGREGATE_chunks, 1, {3}}, "do not add up"},
      {{HP_AGGREGATE_chunks, 1, {1ull << 60}}, "number of chunks"},
      {{HP_AGGREGATE_bytes, 1, {17}}, "do not add up"},
      {{HP_AGGREGATE_size_min, 1, {9}}, "impossible sizes"},
      {{HP_AGGREGATE_life_min, 1, {6}}, "impossible lives"},
      {{HP_AGGREGATE_life_max, 1, {0}}, "impossible lives"},
      {{HP_AGGREGATE_life_sum, 2, {4, 0}}, "impossible lives"},
      {{HP_AGGREGATE_life_sum, 2, {5, 1}}, "impossible lives"},
      {{HP_AGGREGATE_life_sum, 1, {5}}, "malformed"},
      {{HP_AGGREGATE_peak_bytes, 1, {17}}, "impossible peak"},
      {{HP_AGGREGATE_peak_bytes, 1, {15}}, "impossible peak"},
      {{HP_AGGREGATE_at_peak_chunks, 1, {3}}, "impossible peak"},
      {{HP_AGGREGATE_active, 2, {0, 3}}, "sum of shares"},
      {{HP_AGGREGATE_sample_first, 7, {3, 0, 0, 0, 0, 0, 0}}, "sum of shares"},
      {{HP_AGGREGATE_sample_first, 7, {1, 0, 1, 0, 0, 0, 0}}, "sum of shares"},
      {{HP_AGGREGATE_sample_first, 7, {1, 0, 0, 1, 1, 0, 0}}, "sum of shares"},
      {{HP_AGGREGATE_sample_first, 6, {1, 0, 0, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_classes, 3, {3, 2, 16}}, "malformed"},
      {{HP_AGGREGATE_classes, 4, {1u << 17, 2, 16, 8}}, "malformed"},
      {{HP_AGGREGATE_classes, 8, {3, 2, 16, 8, 1, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_classes, 4, {3, 2, 16, 17}}, "more bytes of a class"},
      {{HP_AGGREGATE_classes, 0, {0}}, "do not add up"},
      {{HP_AGGREGATE_groups, 6, {10, 0, 90, 1, 95, 0}}, "do not add up"},
      {{HP_AGGREGATE_groups, 6, {10, 0, 90, 3, 95, 0}}, "more chunks than"},
      {{HP_AGGREGATE_groups, 6, {10, 0, 90, 0, 95, 0}}, "malformed"},
      {{HP_AGGREGATE_groups, 6, {UINT64_MAX, 0, 90, 2, 9, 0}}, "malformed"},
      {{HP_AGGREGATE_groups, 5, {10, 0, 90, 2, 95}}, "malformed"},
      {{HP_AGGREGATE_sizes, 2, {4, 3}}, "histogram"},
      {{HP_AGGREGATE_sizes, 2, {65, 2}}, "malformed"},
      {{HP_AGGREGATE_sizes, 4, {63, 1, 1, 0}}, "malformed"},
      {{HP_AGGREGATE_lives, 2, {3, 2}}, "histogram"},
      {{HP_AGGREGATE_generations, 1, {UINT64_MAX}}, "malformed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    require_refused(&(struct changes){.point = &rows[i].field}, rows[i].text);
}

static void frees_that_contradict_are_refused(void **state) {
  (void)state;
  static const struct {
    struct field field;
    const char *text;
  } rows[] = {
      {{HP_FREE_FIELD_point, 1, {7}}, "does not have"},
      {{HP_FREE_FIELD_point, 1, {0}}, "more chunks were freed than ended"},
      {{HP_FREE_FIELD_stack, 0, {0}}, "a place that they cannot have"},
      {{HP_FREE_FIELD_chunks, 1, {0}}, "number of freed chunks"},
      {{HP_FREE_FIELD_chunks, 1, {2}}, "more chunks were freed than ended"},
      {{HP_FREE_FIELD_chunks, 1, {1ull << 60}}, "number of freed chunks"},
      {{HP_FREE_FIELD_lives, 2, {0, 0}}, "lives of freed chunks"},
      {{HP_FREE_FIELD_lives, 2, {5, 1}}, "lives of freed chunks"},
      {{HP_FREE_FIELD_lives, 1, {5}}, "malformed"},
      {{HP_FREE_FIELD_flags, 1, {HP_FREE_REST}}, "that they cannot have"},
      {{HP_FREE_FIELD_flags, 1, {HP_FREE_SIZES_VARY}}, "several sizes and"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    require_refused(&(struct changes){.freed = &rows[i].field}, rows[i].text);
  require_refused(&(struct changes){.frees = 2},
                  "more chunks were freed than ended");
  const struct field none = {HP_END_free_records, 1, {2}};
  require_refused(&(struct changes){.totals = &none},
                  "2 records of frees were written but 1 are there");
}

static void mappings_are_read(void **state) {
  (void)state;
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_changed(&(struct changes){0}, NULL, &profile, &error),
                   HP_OK);
  const struct hp_process *p = hp_process_at(profile, 0);
  assert_true(p->mapped.known && p->mapped.live_bytes == 4096 &&
              p->mapped.peak_bytes == 8192 && p->mapped.maps == 0);
  assert_int_equal(p->mapping_count, 1);
  const struct hp_mapping_use *m = p->mappings;
  assert_string_equal(m->function, "mmap");
  assert_true(m->maps == 3 && m->bytes == 12288 && m->live_bytes == 4096 &&
              m->peak_bytes == 8192 && m->at_peak_bytes == 8192 &&
              m->resident_bytes == 4096 && m->resident_known && !m->is_file);
  assert_int_equal(m->stack_count, 1);
  hp_profile_close(profile);
}

static void mappings_that_contradict_are_refused(void **state) {
  (void)state;
  static const struct {
    struct field field;
    const char *text;
  } rows[] = {
      {{HP_MAPPING_FIELD_maps, 1, {0}}, "nothing was mapped"},
      {{HP_MAPPING_FIELD_bytes, 1, {0}}, "nothing was mapped"},
      {{HP_MAPPING_FIELD_bytes, 1, {8191}}, "more is mapped at once"},
      {{HP_MAPPING_FIELD_live_bytes, 1, {8193}}, "more is mapped at once"},
      {{HP_MAPPING_FIELD_at_peak_bytes, 1, {8193}}, "more is mapped at once"},
      {{HP_MAPPING_FIELD_resident_bytes, 1, {4097}}, "more is resident"},
      {{HP_MAPPING_FIELD_maps, 2, {1, 1}}, "malformed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    require_refused(&(struct changes){.mapping = &rows[i].field}, rows[i].text);
  require_refused(&(struct changes){.mappings = 2},
                  "1 records of mappings were written but 2 are there");
}

static void globals_are_read(void **state) {
  (void)state;
  hp_profile *profile;
  struct hp_error error;
  hp_globals *globals;
  assert_int_equal(open_changed(&(struct changes){0}, NULL, &profile, &error),
                   HP_OK);
  assert_int_equal(hp_globals_make(&globals, profile, &error), HP_OK);
  assert_int_equal(hp_globals_count(globals), 1);
  assert_null(hp_globals_at(globals, 1));
  const struct hp_global_module *m = hp_globals_at(globals, 0);
  assert_string_equal(m->module, "a");
  assert_true(m->bytes == 5 * 4096 && m->resident_bytes == 8192 &&
              m->pages_known && !m->file_known && m->variable_count == 0);
  hp_globals_free(globals);
  hp_profile_close(profile);
}

static void globals_that_contradict_are_refused(void **state) {
  (void)state;
  static const struct {
    struct field field;
    const char *text;
  } rows[] = {
      {{HP_GLOBAL_FIELD_path, 0, {0}}, "no module or no pages"},
      {{HP_GLOBAL_FIELD_ranges, 0, {0}}, "no module or no pages"},
      {{HP_GLOBAL_FIELD_ranges, 3, {16, 4, 2}}, "malformed"},
      {{HP_GLOBAL_FIELD_ranges, 2, {16, 0}}, "malformed"},
      {{HP_GLOBAL_FIELD_ranges, 2, {1ull << 53, 1}}, "malformed"},
      {{HP_GLOBAL_FIELD_ranges, 4, {1ull << 51, 1, 1ull << 51, 1}},
       "malformed"},
      {{HP_GLOBAL_FIELD_pages, 2, {17, 6}}, "more is resident"},
      {{HP_GLOBAL_FIELD_resident_bytes, 1, {5 * 4096 + 1}}, "more is resident"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    require_refused(&(struct changes){.global = &rows[i].field}, rows[i].text);
  require_refused(&(struct changes){.globals = 2},
                  "1 records of globals were written but 2 are there");
}

/* Lists of the end record: as long as they are, or cut in the middle of a
   number, nothing is read beyond them; a row that is not whole is none. */
static void lists_of_the_end_are_read_as_far_as_they_are_whole(void **state) {
  (void)state;
  static const struct {
    struct field field;
    size_t threads, calls;
    uint64_t rss;
  } rows[] = {
      {{HP_END_memory_at_end, 2, {1, 4096}}, 0, 0, 4096},
      {{HP_END_memory_at_end, 1, {1}}, 0, 0, 0},
      {{HP_END_memory_at_end, 0, {0}}, 0, 0, 0},
      {{HP_END_threads_told, 8, {1, 2, 3, 4, 5, 6, 7, 8}}, 1, 0, 0},
      {{HP_END_threads_told, 9, {1, 2, 3, 4, 5, 6, 7, 8, 2}}, 1, 0, 0},
      {{HP_END_threads_told, 7, {1, 2, 3, 4, 5, 6, 7}}, 0, 0, 0},
      {{HP_END_functions, 7, {1, 5, 40, 9, 1, 3, 5}}, 0, 1, 0},
      {{HP_END_functions, 6, {1, 5, 40, 9, 1, 3}}, 0, 0, 0},
      {{HP_END_functions, 7, {1, 5, 40, 9, 1ull << 63, 3, 5}}, 0, 0, 0},
      {{HP_END_functions, 7, {1ull << 40, 5, 40, 9, 1, 3, 5}}, 0, 1, 0},
      {{HP_END_functions, 7, {1, 5, 40, 9, 1, 1ull << 40, 5}}, 0, 1, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    hp_profile *profile;
    struct hp_error error;
    const struct changes changes = {.list = &rows[i].field};
    assert_int_equal(open_changed(&changes, NULL, &profile, &error), HP_OK);
    const struct hp_process *p = hp_process_at(profile, 0);
    assert_int_equal(p->thread_use_count, rows[i].threads);
    assert_int_equal(p->call_use_count, rows[i].calls);
    assert_true(p->memory_at_end.rss == rows[i].rss);
    hp_profile_close(profile);
  }
}

/* 198 calls of 4 ticks, and two that waited: 100000 ticks in all. */
static void usual_calls_are_all_but_the_longest_hundredth(void **state) {
  (void)state;
  static const struct field times = {
      HP_END_functions, 9, {1, 400, 40, 100000, 2, 4, 198, 80, 2}};
  hp_profile *profile;
  struct hp_error error;
  const struct changes changes = {.list = &times};
  assert_int_equal(open_changed(&changes, NULL, &profile, &error), HP_OK);
  const struct hp_call_use *use = &hp_process_at(profile, 0)->call_uses[0];
  assert_int_equal(use->timed, 200);
  const double share = use->usual_ns / use->mean_ns;
  assert_true(share > 0.0089 && share < 0.0091); /* 4.5 of 500 */
  hp_profile_close(profile);
}

static void lists_of_the_end_that_are_cut_are_refused(void **state) {
  (void)state;
  static const unsigned tags[] = {HP_END_memory_at_end, HP_END_memory_at_peak,
                                  HP_END_threads_told,  HP_END_functions,
                                  HP_END_mapped,        HP_END_thread_stacks,
                                  HP_END_heap_regions};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    const struct field cut = {tags[i], 3, {1, 300, 300}};
    require_refused(&(struct changes){.list = &cut, .cut_list = true},
                    "is no possible number");
  }
}

static void files_that_contradict_are_refused(void **state) {
  (void)state;
  const struct field late = {HP_TIMELINE_end, 1, {99}};
  const struct field less = {HP_TIMELINE_bytes_max, 1, {UINT64_MAX}};
  const struct field two = {HP_END_aggregates, 1, {2}};
  const struct field other = {HP_END_end, 1, {101}};
  require_refused(&(struct changes){.interval = &late}, "does not reach");
  require_refused(&(struct changes){.totals = &two}, "copy the whole");
  require_refused(&(struct changes){.points = 2}, "is there twice");
  require_refused(&(struct changes){.no_totals = true}, "before its end block");
  require_refused(&(struct changes){.has_end = true}, "copy the whole");
  require_refused(&(struct changes){.has_end = true, .totals = &other},
                  "is of tick 101");
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_changed(&(struct changes){.interval = &less}, &plain,
                                &profile, &error),
                   HP_OK); /* a great number contradicts nothing */
  hp_profile_close(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checkpoint_of_a_killed_process_is_read),
      cmocka_unit_test(options_that_need_the_log_are_refused_without_it),
      cmocka_unit_test(a_greater_group_gap_needs_no_log),
      cmocka_unit_test(groups_of_a_greater_gap_than_asked_for_are_taken),
      cmocka_unit_test(numbers_that_contradict_are_refused),
      cmocka_unit_test(mappings_are_read),
      cmocka_unit_test(mappings_that_contradict_are_refused),
      cmocka_unit_test(globals_are_read),
      cmocka_unit_test(globals_that_contradict_are_refused),
      cmocka_unit_test(lists_of_the_end_are_read_as_far_as_they_are_whole),
      cmocka_unit_test(usual_calls_are_all_but_the_longest_hundredth),
      cmocka_unit_test(lists_of_the_end_that_are_cut_are_refused),
      cmocka_unit_test(frees_that_contradict_are_refused),
      cmocka_unit_test(files_that_contradict_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
