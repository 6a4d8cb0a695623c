/* test_type.c - which of two types a chunk has: the call's or the scope's.
   Each row is one chunk; a scope is taken once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/type.h"
#include "system_double.h"

#include <string.h>

static struct hp_type_descriptor record = {
    .name = "record", .element_size = 40, .provenance = HP_PROVENANCE_ARGUMENT};
static struct hp_type_descriptor sized = {.name = "sized",
                                          .element_size = 40,
                                          .provenance = HP_PROVENANCE_ARGUMENT,
                                          .flags = HP_TYPE_SIZED};
static struct hp_type_descriptor header = {.name = "header",
                                           .element_size = 8,
                                           .provenance = HP_PROVENANCE_ARGUMENT,
                                           .flags = HP_TYPE_HEADER};
static struct hp_type_descriptor bytes = {.name = "char",
                                          .element_size = 1,
                                          .provenance = HP_PROVENANCE_ARGUMENT,
                                          .flags = HP_TYPE_WEAK};

/* NULL: no type. */
static void expect(const char *name, enum hp_provenance provenance,
                   struct hp_type_descriptor *argument,
                   struct hp_type_descriptor *scope, size_t size) {
  __heapprof_scoped_type = scope;
  const struct hp_type *type = hp_type_of_chunk(argument, size, 0);
  assert_null(__heapprof_scoped_type);
  if (!name) {
    assert_null(type);
    return;
  }
  assert_non_null(type);
  assert_string_equal(type->name, name);
  assert_int_equal(type->provenance, provenance);
}

static void without_a_scope_the_call_says_it(void **state) {
  (void)state;
  expect("record", HP_PROVENANCE_ARGUMENT, &record, NULL, 40);
  expect("header", HP_PROVENANCE_ARGUMENT, &header, NULL, 40);
  expect("char", HP_PROVENANCE_ARGUMENT, &bytes, NULL, 40);
  expect(NULL, HP_PROVENANCE_UNKNOWN, NULL, NULL, 40);
}

static void a_call_that_says_nothing_takes_the_scope(void **state) {
  (void)state;
  expect("record", HP_PROVENANCE_WRAPPER, NULL, &record, 40);
  expect("sized", HP_PROVENANCE_WRAPPER, NULL, &sized, 40);
  expect("char", HP_PROVENANCE_WRAPPER, NULL, &bytes, 40);
}

static void
a_record_is_in_no_fewer_bytes_unless_its_size_says_so(void **state) {
  (void)state;
  expect(NULL, HP_PROVENANCE_UNKNOWN, NULL, &record, 39);
  expect("sized", HP_PROVENANCE_WRAPPER, NULL, &sized, 39);
}

static void a_definite_type_stays(void **state) {
  (void)state;
  expect("record", HP_PROVENANCE_ARGUMENT, &record, &sized, 40);
  expect("sized", HP_PROVENANCE_ARGUMENT, &sized, &record, 40);
  expect("char", HP_PROVENANCE_ARGUMENT, &hp_type_char, &sized, 40);
}

static void bytes_give_way_to_what_fits(void **state) {
  (void)state;
  expect("record", HP_PROVENANCE_WRAPPER, &bytes, &record, 40);
  expect("char", HP_PROVENANCE_ARGUMENT, &bytes, &record, 39);
}

static void a_header_gives_way_to_a_size_only(void **state) {
  (void)state;
  expect("sized", HP_PROVENANCE_WRAPPER, &header, &sized, 40);
  expect("header", HP_PROVENANCE_ARGUMENT, &header, &sized, 39);
  expect("header", HP_PROVENANCE_ARGUMENT, &header, &record, 40);
  expect("header", HP_PROVENANCE_ARGUMENT, &header, &bytes, 40);
}

static void libraries_leave_the_scope_to_the_program(void **state) {
  (void)state;
  for (uintptr_t i = 1; i <= 6; i++) /* more than there is room for */
    hp_type_add_library(i * 1000, i * 1000 + 100);
  __heapprof_scoped_type = &record;
  assert_null(hp_type_of_chunk(NULL, 40, 1000));
  assert_null(hp_type_of_chunk(NULL, 40, 4099));
  assert_ptr_equal(__heapprof_scoped_type, &record);
  assert_string_equal(hp_type_of_chunk(NULL, 40, 1100)->name, "record");
  assert_null(__heapprof_scoped_type);
  /* But what was asked of the library itself is its. */
  struct hp_type_descriptor text = {.name = "wchar_t",
                                    .flags = HP_TYPE_OF_LIBC};
  __heapprof_scoped_type = &text;
  assert_string_equal(hp_type_of_chunk(NULL, 40, 1000)->name, "wchar_t");
  assert_null(__heapprof_scoped_type);
}

static void equal_types_are_one(void **state) {
  (void)state;
  struct hp_type *one = hp_type_intern("same", 8, HP_PROVENANCE_USER);
  assert_non_null(one);
  assert_ptr_equal(hp_type_intern("same", 8, HP_PROVENANCE_USER), one);
  assert_ptr_not_equal(hp_type_intern("same", 9, HP_PROVENANCE_USER), one);
  assert_ptr_not_equal(hp_type_intern("same", 8, HP_PROVENANCE_SYMBOL), one);
  assert_null(hp_type_intern("", 8, HP_PROVENANCE_USER));
}

static void long_names_are_cut(void **state) {
  (void)state;
  static char name[HP_TYPE_NAME_MAX + 10];
  memset(name, 'n', sizeof name - 1);
  const struct hp_type *type = hp_type_intern(name, 0, HP_PROVENANCE_USER);
  assert_non_null(type);
  assert_int_equal(type->length, HP_TYPE_NAME_MAX);
  assert_int_equal(strlen(type->name), HP_TYPE_NAME_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_scope_the_call_says_it),
      cmocka_unit_test(a_call_that_says_nothing_takes_the_scope),
      cmocka_unit_test(a_record_is_in_no_fewer_bytes_unless_its_size_says_so),
      cmocka_unit_test(a_definite_type_stays),
      cmocka_unit_test(bytes_give_way_to_what_fits),
      cmocka_unit_test(a_header_gives_way_to_a_size_only),
      cmocka_unit_test(libraries_leave_the_scope_to_the_program),
      cmocka_unit_test(equal_types_are_one),
      cmocka_unit_test(long_names_are_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
