/* test_query.c - filter, order and groups as heapprof.h documents them.
   One profile of two processes and five points serves all.
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
#include "frame_list.h"
#include "query/filter.h"
#include "query/grouping.h"

/* id  module+address        type   chunks (size, read, written)
   1   /bin/app+0x100        node   2 x 100  both
   2   /bin/app+0x200        leaf   1 x 300  never
   3   /lib/libx.so+0x100    node   1 x  40  written only
   4   /lib/libx.so+0x300    -      none
   5   /bin/app+0x100        node   1 x  60  both      (second process)    */
static hp_profile *profile;

static const uint64_t at_app[] = {0x400101}, at_app2[] = {0x400201},
                      at_lib[] = {0x600101}, at_lib3[] = {0x600301};
static const struct hp_build_module modules[] = {
    {"/bin/app", 0x400000, 0x400000, 0x500000, 0, 0},
    {"/lib/libx.so", 0x600000, 0x600000, 0x700000, 0, 0}};
static const struct hp_build_point points[] = {
    {1, at_app, 1, "node", HP_PROVENANCE_ARGUMENT},
    {2, at_app2, 1, "leaf", HP_PROVENANCE_ARGUMENT},
    {3, at_lib, 1, "node", HP_PROVENANCE_SYMBOL},
    {4, at_lib3, 1, NULL, 0}};

static struct hp_chunk_log chunk(uint32_t of, uint64_t t0, uint64_t t1,
                                 uint64_t size, uint64_t reads,
                                 uint64_t writes) {
  return (struct hp_chunk_log){.t0 = t0,
                               .t1 = t1,
                               .first = t0,
                               .last = t1,
                               .size = size,
                               .hi = size,
                               .reads = reads,
                               .writes = writes,
                               .point = of,
                               .thread = 1,
                               .free_thread = 1,
                               .flags = HP_CHUNK_EXACT};
}

static int open_profile(void **state) {
  (void)state;
  const struct hp_chunk_log first[] = {
      chunk(1, 0, 100, 100, 1, 1), chunk(1, 300, 400, 100, 1, 1),
      chunk(2, 50, 350, 300, 0, 0), chunk(3, 200, 250, 40, 0, 9)};
  const struct hp_chunk_log second[] = {chunk(1, 0, 100, 60, 5, 5)};
  const struct hp_build builds[] = {{.window = 1000,
                                     .start_unix_ns = 5000,
                                     .modules = modules,
                                     .module_count = 2,
                                     .points = points,
                                     .point_count = 4,
                                     .chunks = first,
                                     .chunk_count = 4},
                                    {.window = 1000,
                                     .start_unix_ns = 5050,
                                     .pid = 2,
                                     .modules = modules,
                                     .module_count = 1,
                                     .points = points,
                                     .point_count = 1,
                                     .chunks = second,
                                     .chunk_count = 1}};
  char *scratch = hp_scratch_make();
  for (size_t i = 0; i < 2; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/heapprof.app.%zu", scratch, i + 1);
    hp_build_write(&builds[i], path);
  }
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  const char *const paths[] = {scratch};
  struct hp_error error;
  hp_status status = hp_profile_open(&profile, paths, 1, &o, &error);
  hp_scratch_remove(scratch);
  return status == HP_OK ? 0 : -1;
}

static int close_profile(void **state) {
  (void)state;
  hp_profile_close(profile);
  return 0;
}

static const struct hp_point *const *answer;
static size_t answers;

static hp_status ask(const char *filter, const char *sort, const char *by,
                     bool reverse, struct hp_error *error) {
  const struct hp_query query = {sizeof query, filter, sort, by, reverse};
  return hp_profile_query(profile, &query, &answer, &answers, error);
}

/* The ids of the answer, as "1 2 3". */
static const char *ids(const char *filter, const char *sort, bool reverse) {
  static char text[256];
  struct hp_error error;
  if (ask(filter, sort, NULL, reverse, &error) != HP_OK)
    fail_msg("%s", error.text);
  text[0] = 0;
  for (size_t i = 0; i < answers; i++)
    sprintf(text + strlen(text), "%s%d", i ? " " : "", (int)answer[i]->id);
  return text;
}

static void everything_worst_first(void **state) {
  (void)state;
  /* 2: usage 0, useful 0; 3: usage 0; 1 and 5 are perfect, 1 has more bytes;
     4 has no score. */
  assert_string_equal(ids(NULL, NULL, false), "2 3 1 5 4");
  assert_string_equal(ids("", "severity", false), "2 3 1 5 4");
  assert_string_equal(ids(NULL, NULL, true), "1 5 3 2 4");
}

static void each_sort_key(void **state) {
  (void)state;
  assert_string_equal(ids(NULL, "bytes", false), "2 1 5 3 4");
  assert_string_equal(ids(NULL, "bytes", true), "4 3 5 1 2");
  assert_string_equal(ids(NULL, "chunks", false), "1 2 5 3 4");
  assert_string_equal(ids(NULL, "peak", false), "2 1 5 3 4");
  assert_string_equal(ids(NULL, "live", false), "2 1 5 3 4");
  assert_string_equal(ids(NULL, "usage", false), "2 3 1 5 4");
  assert_string_equal(ids(NULL, "useful_lifetime", false), "2 1 5 3 4");
  assert_string_equal(ids(NULL, "lifetime", false), "2 1 5 3 4");
  assert_string_equal(ids(NULL, "reads", false), "5 1 2 3 4");
  assert_string_equal(ids(NULL, "writes", false), "3 5 1 2 4");
  assert_string_equal(ids(NULL, "site", false), "2 1 5 3 4");
}

static void filters(void **state) {
  (void)state;
  assert_string_equal(ids("type=node", NULL, false), "3 1 5");
  assert_string_equal(ids("type=no?e", NULL, false), "3 1 5");
  assert_string_equal(ids("type=o", NULL, false), "3 1 5");
  assert_string_equal(ids("type=o*", NULL, false), "");
  assert_string_equal(ids("!type=node", NULL, false), "2 4");
  assert_string_equal(ids("module=libx", NULL, false), "3 4");
  assert_string_equal(ids("libx", NULL, false), "3 4");
  assert_string_equal(ids("node", NULL, false), "3 1 5");
  assert_string_equal(ids("  type=node\tmodule=/bin/* ", NULL, false), "1 5");
  assert_string_equal(ids("flag=unused", NULL, false), "2");
  assert_string_equal(ids("!flag=unused type=*", NULL, false), "3 1 5");
  assert_string_equal(ids("flag=write_only", NULL, false), "3");
  assert_string_equal(ids("function=main", NULL, false), "");
  assert_string_equal(ids("!file=x.c", NULL, false), "2 3 1 5 4");
}

static void wrong_words_are_refused_with_the_right_ones(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(ask("flag=unusd", NULL, NULL, false, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "write_only"));
  assert_int_equal(ask("fucntion=x", NULL, NULL, false, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "function="));
  assert_int_equal(ask("type=", NULL, NULL, false, &error), HP_E_ARGUMENT);
  assert_int_equal(ask("!", NULL, NULL, false, &error), HP_E_ARGUMENT);
  assert_int_equal(ask(NULL, "size", NULL, false, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "useful_lifetime"));
  assert_int_equal(ask(NULL, NULL, "line", false, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "module"));
  assert_int_equal(answers, 0);
  const struct hp_query none = {0};
  assert_int_equal(hp_profile_query(profile, &none, &answer, &answers, &error),
                   HP_E_ARGUMENT);
  assert_int_equal(hp_profile_query(profile, NULL, &answer, &answers, &error),
                   HP_OK);
  assert_int_equal(answers, 5);
}

static void every_flag_is_in_the_message(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(ask("flag=x", NULL, NULL, false, &error), HP_E_ARGUMENT);
  for (int i = 0; i < HP_INF_COUNT; i++)
    assert_non_null(
        strstr(error.text, hp_inference_name((enum hp_inference)i)));
}

static const struct hp_point *group(const char *filter, const char *by,
                                    const char *key) {
  struct hp_error error;
  if (ask(filter, NULL, by, false, &error) != HP_OK)
    fail_msg("%s", error.text);
  for (size_t i = 0; i < answers; i++)
    if (strcmp(answer[i]->key, key) == 0)
      return answer[i];
  fail_msg("no group \"%s\"", key);
  return NULL;
}

static void groups_add_up(void **state) {
  (void)state;
  const struct hp_point *node = group(NULL, "type", "node");
  assert_int_equal(answers, 3);
  assert_int_equal(node->chunks, 4);
  assert_int_equal(node->bytes, 300);
  assert_int_equal(node->reads, 7);
  assert_int_equal(node->writes, 16);
  assert_int_equal(node->size.min, 40);
  assert_int_equal(node->size.max, 100);
  assert_int_equal(node->inferences[HP_INF_write_only].chunks, 1);
  assert_true(fabs(node->scores.usage - 260.0 / 300) < 1e-12);
  assert_true(fabs(node->scores.lifetime - 1) < 1e-12);
  assert_int_equal(node->groups, 4);
}

static void local_peak_of_a_group_is_from_its_events(void **state) {
  (void)state;
  /* Processes meet on the wall clock: 100 at 5000-5100, 60 at 5050-5150,
     40 at 5200-5250, 100 at 5300-5400.  The sum of local peaks were 200. */
  assert_int_equal(group(NULL, "type", "node")->peak_bytes, 160);
  /* 100 at 0-100, 300 at 50-350, 100 at 300-400, and 60 at 50-150. */
  assert_int_equal(group(NULL, "module", "/bin/app")->peak_bytes, 460);
  assert_int_equal(group(NULL, "module", "/bin/app")->bytes_at_global_peak,
                   460);
}

static void group_keeps_what_its_points_share(void **state) {
  (void)state;
  const struct hp_point *node = group(NULL, "type", "node");
  assert_null(node->process);
  assert_string_equal(node->type, "node");
  assert_null(node->type_provenance); /* argument and symbol */
  assert_null(node->site);
  const struct hp_point *leaf = group(NULL, "type", "leaf");
  assert_non_null(leaf->process);
  assert_string_equal(leaf->type_provenance, "argument");
  const struct hp_point *app = group(NULL, "module", "/bin/app");
  assert_null(app->type);
  const struct hp_point *site = group(NULL, "site", "/bin/app+0x100");
  assert_int_equal(site->chunks, 3);
  assert_non_null(site->site);
}

static void unknown_is_a_group(void **state) {
  (void)state;
  assert_int_equal(group(NULL, "type", "unknown")->chunks, 0);
  assert_true(group(NULL, "type", "unknown")->severity == HP_NULL_SCORE);
  /* Without a name its calls are told apart. */
  assert_int_equal(group(NULL, "function", "/bin/app+0x100")->chunks, 3);
  assert_int_equal(group(NULL, "file", "unknown")->chunks, 5);
}

static void filter_comes_before_grouping(void **state) {
  (void)state;
  const struct hp_point *node = group("libx", "type", "node");
  assert_int_equal(node->chunks, 1);
  assert_int_equal(answers, 2);
  struct hp_error error;
  assert_int_equal(ask("nothing", NULL, "type", false, &error), HP_OK);
  assert_int_equal(answers, 0);
}

/* ---- parts --------------------------------------------------------------- */

static void site_keys(void **state) {
  (void)state;
  struct hp_store store = {0};
  struct hp_known_keys known = {0};
  static const struct {
    struct hp_frame site;
    const char *key;
  } cases[] = {
      {{.function = "f", .file = "a.c", .line = 3, .column = 9}, "f a.c:3:9"},
      {{.file = "a.c", .line = 3}, "a.c:3:0"},
      {{.function = "f", .module = "/m"}, "f /m"},
      {{.function = "f"}, "f"},
      {{.module = "/m", .address = 255}, "/m+0xff"},
      {{.address = 255}, "unknown"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hp_point point = {.site = &cases[i].site};
    assert_string_equal(hp_grouping_key(HP_BY_SITE, &point, &known, &store),
                        cases[i].key);
  }
  const struct hp_point none = {0};
  assert_string_equal(hp_grouping_key(HP_BY_SITE, &none, &known, &store),
                      "unknown");
  /* Of one frame it is made once, of one in its place again. */
  struct hp_frame frames[HP_KEYS_KNOWN + 1] = {{.function = "first"}};
  frames[HP_KEYS_KNOWN].function = "last";
  const struct hp_point two[] = {{.site = &frames[0]},
                                 {.site = &frames[HP_KEYS_KNOWN]}};
  const char *first = hp_grouping_key(HP_BY_SITE, &two[0], &known, &store);
  assert_ptr_equal(hp_grouping_key(HP_BY_SITE, &two[0], &known, &store), first);
  assert_string_equal(hp_grouping_key(HP_BY_SITE, &two[1], &known, &store),
                      "last");
  assert_string_equal(hp_grouping_key(HP_BY_SITE, &two[0], &known, &store),
                      "first");
  hp_store_free(&store);
}

static void filter_looks_at_every_frame(void **state) {
  (void)state;
  const struct hp_frame stack[] = {
      {.function = "std::vector<int>::push_back(int const&)",
       .file = "/usr/include/c++/12/bits/stl_vector.h"},
      {.function = "main", .file = "/src/app.cc"}};
  const struct hp_point point = {.stack = hp_frame_list(stack, 2),
                                 .stack_count = 2};
  static const struct {
    const char *filter;
    bool passes;
  } cases[] = {{"function=main", true},
               {"function=mai?", true},
               {"!function=main", false},
               {"file=*.cc", true},
               {"file=*.c", false},
               {"function=push*", false},
               {"function=*push_back*", true},
               {"app.cc main", true},
               {"app.cc !main", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hp_store store = {0};
    struct hp_filter filter;
    struct hp_error error;
    assert_int_equal(hp_filter_parse(&filter, cases[i].filter, &store, &error),
                     HP_OK);
    if (hp_filter_passes(&filter, &point) != cases[i].passes)
      fail_msg("%s", cases[i].filter);
    hp_store_free(&store);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_worst_first),
      cmocka_unit_test(each_sort_key),
      cmocka_unit_test(filters),
      cmocka_unit_test(wrong_words_are_refused_with_the_right_ones),
      cmocka_unit_test(every_flag_is_in_the_message),
      cmocka_unit_test(groups_add_up),
      cmocka_unit_test(local_peak_of_a_group_is_from_its_events),
      cmocka_unit_test(group_keeps_what_its_points_share),
      cmocka_unit_test(unknown_is_a_group),
      cmocka_unit_test(filter_comes_before_grouping),
      cmocka_unit_test(site_keys),
      cmocka_unit_test(filter_looks_at_every_frame),
  };
  return cmocka_run_group_tests(tests, open_profile, close_profile);
}
