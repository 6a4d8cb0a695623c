/* test_chunk_owner.c - which code has hooks, whose chunks are unknown, which
   functions of the C++ library touch none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame_list.h"
#include "read/hooked_ranges.h"
#include "resolve/chunk_owner.h"
#include "resolve/cpp_symbols.h"
#include "resolve/frame_role.h"
#include "resolve/libc_symbols.h"

/* ---- ranges -------------------------------------------------------------- */

static bool read_ranges(struct hp_dump_module *module, struct hp_store *store,
                        const uint8_t *list, size_t size) {
  struct hp_error error;
  bool good = false;
  *module =
      (struct hp_dump_module){.start = 1000, .end = 2000, .says_hooks = true};
  const struct hp_cursor cursor = {list, list + size};
  assert_int_equal(hp_hooked_ranges_read(module, cursor, store, &good, &error),
                   HP_OK);
  return good;
}

static void ranges_are_distances_from_the_start(void **state) {
  (void)state;
  static const uint8_t list[] = {10, 5, 0, 3, 20, 1};
  struct hp_store store = {0};
  struct hp_dump_module module;
  assert_true(read_ranges(&module, &store, list, sizeof list));
  assert_int_equal(module.hooked_count, 3);
  assert_false(hp_is_hooked(&module, 1009));
  assert_true(hp_is_hooked(&module, 1010));
  assert_true(hp_is_hooked(&module, 1014));
  assert_true(hp_is_hooked(&module, 1015));
  assert_true(hp_is_hooked(&module, 1017));
  assert_false(hp_is_hooked(&module, 1018));
  assert_true(hp_is_hooked(&module, 1038));
  assert_false(hp_is_hooked(&module, 1039));
  assert_false(hp_is_hooked(&module, UINT64_MAX));
  hp_store_free(&store);
}

static void ranges_outside_of_the_module_are_refused(void **state) {
  (void)state;
  static const uint8_t beyond[] = {0xe0, 0x07, 9}; /* 992, 9: ends at 2001 */
  static const uint8_t last[] = {0xe0, 0x07, 8};
  static const uint8_t far[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                0xff, 0xff, 0xff, 0x01, 1};
  static const uint8_t half[] = {1, 2, 3};
  static const uint8_t cut[] = {1, 0x80};
  struct hp_store store = {0};
  struct hp_dump_module module;
  assert_false(read_ranges(&module, &store, beyond, sizeof beyond));
  assert_true(read_ranges(&module, &store, last, sizeof last));
  assert_false(read_ranges(&module, &store, far, sizeof far));
  assert_int_equal(module.hooked_count, 0);
  assert_false(read_ranges(&module, &store, half, sizeof half));
  assert_false(read_ranges(&module, &store, cut, sizeof cut));
  assert_true(read_ranges(&module, &store, cut, 0));
  hp_store_free(&store);
}

static void without_a_word_all_code_has_hooks(void **state) {
  (void)state;
  struct hp_dump_module modules[2] = {{.path = "a"}, {.path = "b"}};
  struct hp_dump dump = {
      .modules = modules, .module_count = 2, .complete = true};
  assert_true(hp_is_hooked(&modules[0], 5));
  assert_false(hp_says_hooks(&dump));
  modules[1].says_hooks = true;
  assert_true(hp_says_hooks(&dump));
  assert_true(hp_is_hooked(&modules[0], 5));
  assert_false(hp_is_hooked(&modules[1], 5));
}

/* What ended before it wrote its modules may have been without hooks. */
static void without_modules_no_code_has_hooks(void **state) {
  (void)state;
  struct hp_dump_module module = {.path = "a"};
  struct hp_dump dump = {.complete = false};
  assert_true(hp_lacks_modules(&dump));
  assert_true(hp_says_hooks(&dump));
  dump.modules = &module;
  dump.module_count = 1;
  assert_false(hp_lacks_modules(&dump));
  assert_false(hp_says_hooks(&dump));
  dump.module_count = 0;
  dump.complete = true; /* one that was built so */
  assert_false(hp_lacks_modules(&dump));
  assert_false(hp_says_hooks(&dump));
}

/* ---- owners -------------------------------------------------------------- */

#define LIBC "/lib/libc.so.6"
#define CPP "/usr/lib/libstdc++.so.6"

static const struct hp_frame *unseen(const struct hp_frame *frames,
                                     const bool *hooked, size_t count,
                                     size_t site) {
  return hp_unseen_owner(hp_frame_list(frames, count), hooked, count,
                         &frames[site]);
}

static void owner_ends_at_the_site(void **state) {
  (void)state;
  const struct hp_frame frames[] = {
      {.function = "make"}, {.function = "library_call"}, {.function = "main"}};
  static const bool site_only[] = {true, false, true};
  static const bool none[] = {false, true, true};
  assert_null(unseen(frames, site_only, 3, 0));
  assert_ptr_equal(unseen(frames, none, 3, 0), &frames[0]);
}

static void library_code_within_the_site_counts(void **state) {
  (void)state;
  const struct hp_frame frames[] = {{.function = "grow", .module = CPP},
                                    {.function = "main"}};
  static const bool hooked[] = {false, true}, all[] = {true, true};
  assert_ptr_equal(unseen(frames, hooked, 2, 1), &frames[0]);
  assert_null(unseen(frames, all, 2, 1));
}

static void the_allocator_has_no_say(void **state) {
  (void)state;
  const struct hp_frame frames[] = {{.function = "make"},
                                    {.function = "operator new(unsigned long)"},
                                    {.function = "main"}};
  static const bool hooked[] = {true, false, true};
  assert_null(unseen(frames, hooked, 3, 2));
}

static void what_is_counted_works_for_its_caller(void **state) {
  (void)state;
  const struct hp_frame frames[] = {{.function = "getline", .module = LIBC},
                                    {.function = "read_all"}};
  const struct hp_frame stolen[] = {
      {.function = "getline", .module = "/lib/mine.so"},
      {.function = "read_all"}};
  static const bool hooked[] = {false, true}, neither[] = {false, false};
  assert_null(unseen(frames, hooked, 2, 0));
  assert_ptr_equal(unseen(frames, neither, 2, 0), &frames[1]);
  assert_ptr_equal(unseen(stolen, hooked, 2, 0), &stolen[0]);
}

static void who_asked_for_chunks(void **state) {
  (void)state;
  const struct hp_frame frames[] = {
      {.function = "take"}, {.function = "library_call"}, {.function = "main"}};
  const struct hp_frame sorted[] = {{.function = "compare"},
                                    {.function = "qsort", .module = LIBC},
                                    {.function = "main"}};
  static const bool hooked[] = {true, false, true}, all[] = {true, true, true};
  assert_int_equal(hp_handed_to(hp_frame_list(frames, 3), hooked, 3), 1);
  assert_int_equal(hp_handed_to(hp_frame_list(frames, 3), all, 3), 0);
  assert_int_equal(hp_handed_to(hp_frame_list(sorted, 3), hooked, 3), 0);
  assert_int_equal(hp_handed_to(hp_frame_list(frames, 0), hooked, 0), 0);
}

/* ---- the C++ library ----------------------------------------------------- */

static void streams_and_allocation_touch_no_chunk(void **state) {
  (void)state;
  assert_true(hp_cpp_touches_nothing("_Znwm"));
  assert_true(hp_cpp_touches_nothing("_ZSt20__throw_length_errorPKc"));
  assert_true(hp_cpp_touches_nothing("_ZNSolsEi"));
  assert_true(hp_cpp_touches_nothing("_ZSt4cout"));
  /* They write to objects that may be anywhere. */
  assert_false(hp_cpp_touches_nothing("_ZNSirsERi"));
  assert_false(hp_cpp_touches_nothing(
      "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_"));
  assert_false(hp_cpp_touches_nothing(
      "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode"));
  assert_false(
      hp_cpp_touches_nothing("_ZNSt8__detail15_List_node_base7_M_hookEPS0_"));
  assert_false(hp_cpp_touches_nothing("__dynamic_cast"));
}

/* ---- libc ----------------------------------------------------------------- */

static const char *const libc_names[] = {
#define HP_LIBC_FUNCTION(name, reason) #name,
#include "libc_list.def"
#undef HP_LIBC_FUNCTION
};
#define HP_LIBC_FUNCTION(name, reason) HP_LIBC_REASON_##reason,
enum reason {
  HP_LIBC_REASON_counted,
  HP_LIBC_REASON_compiler,
  HP_LIBC_REASON_parts,
  HP_LIBC_REASON_file,
  HP_LIBC_REASON_opaque,
  HP_LIBC_REASON_address,
  HP_LIBC_REASON_error,
  HP_LIBC_REASON_jump,
  HP_LIBC_REASON_system,
  HP_LIBC_REASON_alias,
  HP_LIBC_REASON_open
};
static const enum reason libc_reasons[] = {
#include "libc_list.def"
};
#undef HP_LIBC_FUNCTION

static void each_uncounted_function_of_libc_is_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof libc_names / sizeof *libc_names; i++) {
    const char *found = hp_libc_uncounted(libc_names[i]);
    if (libc_reasons[i] >= HP_LIBC_REASON_jump)
      assert_string_equal(found, libc_names[i]);
    else
      assert_null(found);
  }
  assert_null(hp_libc_uncounted(""));
  assert_null(hp_libc_uncounted("getpid"));
  assert_null(hp_libc_uncounted("zzz"));
}

static void plain_types_have_no_members(void **state) {
  (void)state;
  assert_true(hp_cpp_is_plain("char"));
  assert_true(hp_cpp_is_plain("unsigned long"));
  assert_true(hp_cpp_is_plain("std::string *"));
  assert_false(hp_cpp_is_plain("std::string"));
  assert_false(hp_cpp_is_plain("int point"));
  assert_false(hp_cpp_is_plain("interval"));
  assert_false(hp_cpp_is_plain(""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_are_distances_from_the_start),
      cmocka_unit_test(ranges_outside_of_the_module_are_refused),
      cmocka_unit_test(without_a_word_all_code_has_hooks),
      cmocka_unit_test(without_modules_no_code_has_hooks),
      cmocka_unit_test(owner_ends_at_the_site),
      cmocka_unit_test(library_code_within_the_site_counts),
      cmocka_unit_test(the_allocator_has_no_say),
      cmocka_unit_test(what_is_counted_works_for_its_caller),
      cmocka_unit_test(who_asked_for_chunks),
      cmocka_unit_test(streams_and_allocation_touch_no_chunk),
      cmocka_unit_test(each_uncounted_function_of_libc_is_found),
      cmocka_unit_test(plain_types_have_no_members),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
