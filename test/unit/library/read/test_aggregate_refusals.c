/* test_aggregate_refusals.c - sums of members, pools, contents, pages, resizes and teardown that cannot be.
   Those of chunks themselves are in test_aggregate_records.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "aggregate_fixture.h"

static void sums_that_contradict_are_refused(void **state) {
  (void)state;
  static const struct {
    struct field field;
    const char *text;
  } rows[] = {
      {{HP_AGGREGATE_pages, 8, {2, 16, 8, 5, 1, 8, 1, 8}}, "malformed"},
      {{HP_AGGREGATE_pages, 10, {2, 16, 8, 5, 1, 8, 1, 8, 3, 0}}, "malformed"},
      {{HP_AGGREGATE_stale, 2, {2, 8}}, "malformed"},
      {{HP_AGGREGATE_stale, 3, {0, 8, 3}}, "malformed"},
      {{HP_AGGREGATE_stale, 3, {2, 8, 9}}, "malformed"},
      {{HP_AGGREGATE_resizes, 8, {0}}, "malformed"},
      {{HP_AGGREGATE_resizes, 9, {5, 6, 0, 0, 0, 0, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_resizes, 9, {5, 0, 0, 3, 0, 3, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_resizes, 9, {5, 0, 0, 0, 0, 0, 0, 9, 8}}, "malformed"},
      {{HP_AGGREGATE_members, 2, {1, 0}}, "malformed"},
      {{HP_AGGREGATE_members, 3, {0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_members, 3, {1, 0, 1}}, "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1ull << 61, 0, 4, 1, 0, 0, 0, 0}},
       "malformed"},
      {{HP_AGGREGATE_members, 11, {1, 0, 1, 0, 4, 1, 0, 0, 0, 0, 0}},
       "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1, 1ull << 32, 4, 1, 0, 0, 0, 0}},
       "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1, 0, 0, 1, 0, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1, 0, 4, 0, 0, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1, 0, 4, 1, 0, 2, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_members, 10, {1, 0, 1, 0, 4, 1, 0, 0, 0, 1ull << 32}},
       "malformed"},
      {{HP_AGGREGATE_content_bits, 63, {0}}, "malformed"},
      {{HP_AGGREGATE_content_bits, 65, {0}}, "malformed"},
      {{HP_AGGREGATE_member_uses, 3, {10, 5, 20}}, "malformed"},
      {{HP_AGGREGATE_member_uses, 4, {10, 5, 20, UINT64_MAX}}, "malformed"},
      {{HP_AGGREGATE_member_uses, 2, {10, 5}}, "times of other rows"},
      {{HP_AGGREGATE_shared_lines, 1, {0}}, "malformed"},
      {{HP_AGGREGATE_shared_lines, 1, {1ull << 61}}, "malformed"},
      {{HP_AGGREGATE_shared_lines,
        14,
        {1, 8, 9, 2, 5, 2, 1, 2, 1, 6, 1, 0, 1, 2}},
       "malformed"},
      {{HP_AGGREGATE_shared_lines,
        14,
        {1, 0, 0, 2, 5, 2, 1, 2, 1, 6, 1, 0, 1, 2}},
       "malformed"},
      {{HP_AGGREGATE_shared_lines, 9, {1, 0, 9, 1, 5, 2, 1, 2, 1}},
       "malformed"},
      {{HP_AGGREGATE_shared_lines,
        14,
        {1, 0, 9, 3, 5, 2, 1, 2, 1, 6, 1, 0, 1, 2}},
       "malformed"},
      {{HP_AGGREGATE_shared_lines,
        14,
        {1, 0, 9, 2, 5, 2, 1, 2, 1, 6, 1, 0, 1, 0}},
       "malformed"},
      {{HP_AGGREGATE_shared_lines,
        15,
        {1, 0, 9, 2, 5, 2, 1, 2, 1, 6, 1, 0, 1, 2, 0}},
       "malformed"},
      {{HP_AGGREGATE_blocks, 7, {1, 8, 2, 6, 5, 4, 1}}, "malformed"},
      {{HP_AGGREGATE_blocks, 9, {1, 8, 2, 6, 5, 4, 1, 8, 0}}, "malformed"},
      {{HP_AGGREGATE_blocks, 8, {1, 8, 2, 6, 7, 4, 1, 8}}, "malformed"},
      {{HP_AGGREGATE_blocks, 8, {1, 8, 2, 6, 5, 6, 1, 8}}, "malformed"},
      {{HP_AGGREGATE_blocks, 8, {1, 8, 2, 6, 5, 4, 2, 8}}, "malformed"},
      {{HP_AGGREGATE_blocks, 8, {1, 8, 2, 6, 5, 4, 1, 9}}, "malformed"},
      {{HP_AGGREGATE_contents, 20, {0}}, "malformed"},
      {{HP_AGGREGATE_contents, 22, {0}}, "malformed"},
      {{HP_AGGREGATE_contents, 21, {1, 8, 2}}, "malformed"},
      {{HP_AGGREGATE_contents, 21, {1, 8, 0, 0, 0, 9}}, "malformed"},
      {{HP_AGGREGATE_contents,
        21,
        {1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
       "malformed"},
      {{HP_AGGREGATE_sampled_pages, 8, {0}}, "malformed"},
      {{HP_AGGREGATE_teardown, 15, {0}}, "malformed"},
      {{HP_AGGREGATE_teardown, 16, {2, 3}}, "malformed"},
      {{HP_AGGREGATE_teardown, 16, {2, 1, 2}}, "malformed"},
      {{HP_AGGREGATE_teardown, 16, {2, 1, 1, 2}}, "malformed"},
      {{HP_AGGREGATE_teardown, 16, {2, 1, 1, 1, 2}}, "malformed"},
      {{HP_AGGREGATE_teardown, 16, {2, 1, 1, 1, 1, 1ull << 34}}, "malformed"},
      {{HP_AGGREGATE_initialised, 14, {0}}, "malformed"},
      {{HP_AGGREGATE_initialised, 15, {1, 0, 2}}, "malformed"},
      {{HP_AGGREGATE_initialised, 15, {1, 0, 1, 8, 9, 9}}, "malformed"},
      {{HP_AGGREGATE_initialised, 15, {1, 0, 1, 8, 8, 7}}, "malformed"},
      {{HP_AGGREGATE_sampled_pages, 9, {1, 12, 13, 0, 0, 0, 0, 0, 0}},
       "malformed"},
      {{HP_AGGREGATE_pages, 9, {2, 16, 17, 5, 1, 8, 1, 8, 3}}, "malformed"},
      {{HP_AGGREGATE_pages, 9, {2, 16, 8, 9, 1, 8, 1, 8, 3}}, "malformed"},
      {{HP_AGGREGATE_pages, 9, {2, 16, 8, 5, 3, 8, 0, 0, 0}}, "malformed"},
      {{HP_AGGREGATE_pages, 9, {2, 16, 8, 5, 1, 8, 2, 8, 3}}, "malformed"},
      {{HP_AGGREGATE_pages, 9, {2, 16, 8, 5, 1, 8, 1, 8, 9}}, "malformed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    require_refused(&(struct changes){.point = &rows[i].field}, rows[i].text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_that_contradict_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
