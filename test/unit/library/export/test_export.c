/* test_export.c - export_text.c and protobuf.c: names, numbering, fields.
   Expected bytes are worked out by hand from the wire format.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/numbered_text.h"
#include "export/export_text.h"
#include "export/protobuf.h"
#include "heapprof_export.h"

static void names_are_cleaned(void **state) {
  struct hp_line l = {0};
  (void)state;
  hp_line_name(&l,
               "a;b\n\x7f"
               "c\xff"
               "d\xc3\xb6",
               ";");
  assert_string_equal(l.text, "a?b??c\xef\xbf\xbd"
                              "d\xc3\xb6");
  hp_line_clear(&l);
  hp_line_name(&l, "", ";");
  assert_string_equal(l.text, "");
  assert_int_equal(l.length, 0);
  hp_line_free(&l);
}

static void long_lines_are_whole(void **state) {
  struct hp_line l = {0};
  char name[3000];
  (void)state;
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  for (int i = 0; i < 5; i++)
    hp_line_print(&l, "%s.", name);
  assert_int_equal(l.length, 5 * sizeof name);
  assert_int_equal(strlen(l.text), l.length);
  hp_line_free(&l);
}

static void functions_without_names_are_addresses(void **state) {
  const struct hp_frame in_module = {.module = "/a/b.so", .address = 0x12};
  const struct hp_frame outside = {.address = 0x34};
  struct hp_line l = {0};
  (void)state;
  hp_line_function(&l, &in_module, "");
  hp_line_print(&l, " ");
  hp_line_function(&l, &outside, "");
  assert_string_equal(l.text, "b.so+0x12 ?+0x34");
  hp_line_free(&l);
}

static void texts_are_numbered_by_first_use(void **state) {
  struct hp_numbered n = {0};
  (void)state;
  assert_int_equal(hp_number_of(&n, ""), 0);
  assert_int_equal(hp_number_of(&n, "b"), 1);
  assert_int_equal(hp_number_of(&n, "a"), 2);
  assert_int_equal(hp_number_of(&n, "b"), 1);
  assert_int_equal(n.count, 3);
  hp_numbered_free(&n);
}

static void fields_have_their_wire_form(void **state) {
  static const unsigned char wanted[] = {
      0x08, 0x96, 0x01,                   /* field 1 = 150 */
      0x7a, 0x02, 'h',  'i',              /* field 15 = "hi" */
      0x12, 0x04, 0x00, 0x7f, 0x80, 0x01, /* field 2 = 0, 127, 128, packed */
      0x82, 0x01, 0x00,                   /* field 16 = "" */
      0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  static const uint64_t values[] = {0, 127, 128};
  struct hp_message m = {0};
  (void)state;
  hp_message_integer(&m, 1, 150);
  hp_message_bytes(&m, 15, "hi", 2);
  hp_message_packed(&m, 2, values, 3);
  hp_message_bytes(&m, 16, NULL, 0);
  hp_message_integer(&m, 3, UINT64_MAX);
  assert_false(m.failed);
  assert_int_equal(m.size, sizeof wanted);
  assert_memory_equal(m.bytes, wanted, sizeof wanted);
  hp_message_free(&m);
}

static void failure_of_a_part_is_failure_of_the_whole(void **state) {
  struct hp_message whole = {0}, part = {.failed = true};
  (void)state;
  hp_message_nested(&whole, 1, &part);
  assert_true(whole.failed);
  hp_message_free(&whole);
}

static void every_format_and_metric_has_a_name(void **state) {
  const struct hp_export_format *f, *previous = NULL;
  (void)state;
  for (size_t i = 0; (f = hp_export_format_at(i)) != NULL; i++) {
    assert_non_null(f->write);
    assert_true(!previous || strcmp(previous->name, f->name) < 0);
    previous = f;
  }
  for (int i = 0; i < HP_EXPORT_METRIC_COUNT; i++)
    assert_non_null(hp_export_metric_name((enum hp_export_metric)i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_cleaned),
      cmocka_unit_test(long_lines_are_whole),
      cmocka_unit_test(functions_without_names_are_addresses),
      cmocka_unit_test(texts_are_numbered_by_first_use),
      cmocka_unit_test(fields_have_their_wire_form),
      cmocka_unit_test(failure_of_a_part_is_failure_of_the_whole),
      cmocka_unit_test(every_format_and_metric_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
