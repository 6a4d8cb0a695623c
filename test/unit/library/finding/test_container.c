/* test_container.c - container.h: the place of what libc allocates for a library of the system.
   Stacks are written by hand, since no test can install a library there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding/container.h"
#include "frame_list.h"

#define LIBC "/usr/lib/x86_64-linux-gnu/libc.so.6"
#define GLIB "/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0.7400.6"
#define GTK "/usr/lib/x86_64-linux-gnu/libgtk-3.so.0"
#define OPENMP "/usr/lib/x86_64-linux-gnu/libomp.so.5"
#define OWN "/home/me/build/libown.so"
#define APP "/usr/bin/app"
#define FRAME(name, path) {.function = name, .module = path}

/* What is said of a chunk of TYPE with this stack. */
static struct hp_origin origin_of(const struct hp_frame *frames, size_t count,
                                  const char *type, const char *provenance) {
  struct hp_point point = {.type = type,
                           .type_provenance = provenance,
                           .stack = hp_frame_list(frames, count),
                           .stack_count = count};
  struct hp_store store = {0};
  struct hp_error error;
  struct hp_origin origin;
  point.place = hp_place_innermost(&point) < point.stack_count
                    ? point.stack[hp_place_innermost(&point)]
                    : NULL;
  assert_int_equal(hp_origin_find(&origin, &point, &store, &error), HP_OK);
  hp_store_free(&store);
  return origin;
}
#define ORIGIN(frames, type, provenance)                                       \
  origin_of(frames, sizeof frames / sizeof *frames, type, provenance)

static void who_calls_a_library_that_formats_is_the_place(void **state) {
  (void)state;
  const struct hp_frame frames[] = {FRAME("__vasprintf_internal", LIBC),
                                    FRAME("g_vasprintf", GLIB),
                                    FRAME("g_strdup_vprintf", GLIB),
                                    FRAME("g_strdup_printf", GLIB),
                                    FRAME("name_of", APP),
                                    FRAME("main", APP)};
  struct hp_origin o = ORIGIN(frames, "char", "symbol");
  assert_string_equal(o.place->function, "name_of");
  assert_true(o.libc == HP_LIBC_FORMATTED && o.by_library);
  o = ORIGIN(frames, NULL, NULL);
  assert_string_equal(o.place->function, "name_of");
  /* Not a text, or not libc's: the library has its reasons. */
  o = ORIGIN(frames, "FILE", "symbol");
  assert_string_equal(o.place->function, "g_vasprintf");
  assert_true(o.libc == HP_LIBC_NONE && o.by_library);
  o = origin_of(frames + 1, 5, "struct _GList", "argument");
  assert_string_equal(o.place->function, "g_vasprintf");
  assert_true(o.libc == HP_LIBC_NONE && !o.by_library);
}

static void another_library_has_asked_for_it(void **state) {
  (void)state;
  const struct hp_frame frames[] = {
      FRAME("__GI___getdelim", LIBC), FRAME("g_next_line", GLIB),
      FRAME("gtk_style_read", GTK), FRAME("main", APP)};
  struct hp_origin o = ORIGIN(frames, NULL, NULL);
  assert_string_equal(o.place->function, "gtk_style_read");
  assert_int_equal(o.libc, HP_LIBC_LINE);
}

static void what_the_user_builds_keeps_its_place(void **state) {
  (void)state;
  const struct hp_frame own[] = {FRAME("realpath_stk", LIBC),
                                 FRAME("realpath@@GLIBC_2.3", LIBC),
                                 FRAME("own_path", OWN), FRAME("main", APP)};
  struct hp_origin o = ORIGIN(own, "char", "symbol");
  assert_string_equal(o.place->function, "own_path");
  assert_int_equal(o.libc, HP_LIBC_PATH);
  const struct hp_frame direct[] = {FRAME("__asprintf", LIBC),
                                    FRAME("main", APP)};
  o = ORIGIN(direct, "char", "symbol");
  assert_string_equal(o.place->function, "main");
}

/* Called back by libc, from nowhere, or too deep: the wrapper it is. */
static void a_library_that_nobody_calls_keeps_its_place(void **state) {
  (void)state;
  const struct hp_frame back[] = {FRAME("__asprintf", LIBC),
                                  FRAME("compare", GLIB), FRAME("qsort", LIBC),
                                  FRAME("main", APP)};
  struct hp_origin o = ORIGIN(back, "char", "symbol");
  assert_string_equal(o.place->function, "compare");
  const struct hp_frame alone[] = {FRAME("__asprintf", LIBC),
                                   FRAME("g_thread", GLIB)};
  o = ORIGIN(alone, "char", "symbol");
  assert_string_equal(o.place->function, "g_thread");
  struct hp_frame deep[10] = {FRAME("__asprintf", LIBC)};
  for (size_t i = 1; i < 9; i++)
    deep[i] = (struct hp_frame)FRAME("g_deep", GLIB);
  deep[9] = (struct hp_frame)FRAME("main", APP);
  o = ORIGIN(deep, "char", "symbol");
  assert_string_equal(o.place->function, "g_deep");
}

/* The frame of strdup is the allocator's, and left out. */
static void a_copy_by_a_library_is_told_by_its_type(void **state) {
  (void)state;
  const struct hp_frame frames[] = {FRAME("g_copy", GLIB), FRAME("main", APP)};
  struct hp_origin o = ORIGIN(frames, "char", "argument");
  assert_string_equal(o.place->function, "main");
  assert_true(o.libc == HP_LIBC_COPY && o.by_library);
  o = ORIGIN(frames, "char", "symbol");
  assert_string_equal(o.place->function, "g_copy");
  assert_int_equal(o.libc, HP_LIBC_NONE);
}

/* Only addresses are known inside a library that was stripped. */
static void who_calls_what_has_no_name_is_the_place(void **state) {
  (void)state;
  const struct hp_frame inside[] = {FRAME(NULL, GTK), FRAME(NULL, GTK),
                                    FRAME("gtk_init", GTK), FRAME("main", APP)};
  struct hp_origin o = ORIGIN(inside, NULL, NULL);
  assert_string_equal(o.place->function, "gtk_init");
  assert_false(o.by_library);
  const struct hp_frame entry[] = {FRAME(NULL, GTK), FRAME("main", APP)};
  o = ORIGIN(entry, NULL, NULL);
  assert_string_equal(o.place->function, "main");
  assert_true(o.by_library);
  /* A thread of its own, another library without names, or the user's own. */
  const struct hp_frame thread[] = {FRAME(NULL, GTK),
                                    FRAME("start_thread", LIBC)};
  assert_null(ORIGIN(thread, NULL, NULL).place->function);
  const struct hp_frame other[] = {FRAME(NULL, GTK), FRAME(NULL, GLIB),
                                   FRAME("main", APP)};
  assert_null(ORIGIN(other, NULL, NULL).place->function);
  const struct hp_frame own[] = {FRAME(NULL, OWN), FRAME("main", APP)};
  assert_null(ORIGIN(own, NULL, NULL).place->function);
  struct hp_frame deep[10] = {FRAME(NULL, GTK)};
  for (size_t i = 1; i < 9; i++)
    deep[i] = (struct hp_frame)FRAME(NULL, GTK);
  deep[9] = (struct hp_frame)FRAME("main", APP);
  assert_null(ORIGIN(deep, NULL, NULL).place->function);
}

static void what_runs_parallel_regions_is_no_place(void **state) {
  (void)state;
  const struct hp_frame frames[] = {FRAME(NULL, OPENMP),
                                    FRAME("__kmpc_omp_task_alloc", OPENMP),
                                    FRAME("work [clone .omp_outlined]", APP),
                                    FRAME("__kmpc_fork_call", OPENMP),
                                    FRAME("work", APP),
                                    FRAME("main", APP)};
  struct hp_origin o = ORIGIN(frames, NULL, NULL);
  assert_string_equal(o.place->function, "work [clone .omp_outlined]");
  assert_true(o.by_library);
  o = origin_of(frames + 2, 4, "char", "argument");
  assert_string_equal(o.place->function, "work [clone .omp_outlined]");
  assert_false(o.by_library);
}

static void a_header_of_libc_is_no_place(void **state) {
  (void)state;
  struct hp_frame frames[] = {FRAME("__getdelim", LIBC), FRAME("getline", APP),
                              FRAME("main", APP)};
  frames[1].file = "/usr/include/x86_64-linux-gnu/bits/stdio.h";
  frames[1].inlined = true;
  struct hp_origin o = ORIGIN(frames, NULL, NULL);
  assert_string_equal(o.place->function, "main");
  frames[1].file = "/home/me/usr/include/x86_64-linux-gnu/bits/stdio.h";
  o = ORIGIN(frames, NULL, NULL);
  assert_string_equal(o.place->function, "getline");
}

/* The container that asks is not who has the block. */
static void a_block_of_a_resource_is_no_container(void **state) {
  (void)state;
  const struct hp_frame frames[] = {
      FRAME("std::pmr::monotonic_buffer_resource::_M_new_buffer(unsigned long, "
            "unsigned long)",
            "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"),
      FRAME("std::vector<int>::vector(std::vector<int> const&)", APP),
      FRAME("main", APP)};
  struct hp_origin o = ORIGIN(frames, "int", "wrapper");
  assert_true(o.container && !o.is_block);
  o = ORIGIN(frames, "pmr block", "symbol");
  assert_true(o.is_block && o.by_library && !o.container);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_calls_a_library_that_formats_is_the_place),
      cmocka_unit_test(another_library_has_asked_for_it),
      cmocka_unit_test(what_the_user_builds_keeps_its_place),
      cmocka_unit_test(a_library_that_nobody_calls_keeps_its_place),
      cmocka_unit_test(a_copy_by_a_library_is_told_by_its_type),
      cmocka_unit_test(who_calls_what_has_no_name_is_the_place),
      cmocka_unit_test(what_runs_parallel_regions_is_no_place),
      cmocka_unit_test(a_header_of_libc_is_no_place),
      cmocka_unit_test(a_block_of_a_resource_is_no_container)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
