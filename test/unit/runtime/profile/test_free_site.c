/* test_free_site.c - free_site.h: sums by point, place and size; what finds no room.
   Records are read back field by field.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chunk_measure.h"
#include "options/options.h"
#include "origin/call_stack.h"
#include "profile/free_site.h"
#include "read/record.h"

struct seen {
  uint64_t point, size, chunks, flags, first, truncated;
  hp_wide lives;
  uint64_t stack[8];
  size_t depth;
};

/* The record of row I; false: it has none. One buffer for all: each is a mapping. */
static bool read_row(uint32_t i, struct seen *seen) {
  static struct hp_bytes bytes;
  bytes.size = 0;
  *seen = (struct seen){0};
  if (!hp_free_site_put(&bytes, i))
    return false;
  struct hp_cursor at = {bytes.data, bytes.data + bytes.size};
  struct hp_field field;
  while (hp_left(&at)) {
    assert_true(hp_take_field(&at, &field));
    uint64_t value = 0, high = 0;
    if (field.tag == HP_FREE_FIELD_stack) {
      assert_true(hp_left(&field.contents) <= 8 * 8);
      assert_true(hp_field_stack(&field, seen->stack, &seen->depth));
      continue;
    }
    assert_true(hp_take_varint(&field.contents, &value));
    switch (field.tag) {
    case HP_FREE_FIELD_point:
      seen->point = value;
      break;
    case HP_FREE_FIELD_size:
      seen->size = value;
      break;
    case HP_FREE_FIELD_chunks:
      seen->chunks = value;
      break;
    case HP_FREE_FIELD_flags:
      seen->flags = value;
      break;
    case HP_FREE_FIELD_first:
      seen->first = value;
      break;
    case HP_FREE_FIELD_truncated:
      seen->truncated = value;
      break;
    default:
      assert_int_equal(field.tag, HP_FREE_FIELD_lives);
      assert_true(hp_take_varint(&field.contents, &high));
      seen->lives = (hp_wide)high << 64 | value;
    }
  }
  return true;
}

/* The only row of SIZE at PC, which must be there. */
static struct seen row_of(uint32_t point, uint64_t pc, uint64_t size,
                          bool others) {
  struct seen seen, found = {0};
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    if (read_row(i, &seen) && seen.point == point && seen.size == size &&
        seen.depth && seen.stack[0] == pc &&
        others == !!(seen.flags & HP_FREE_SIZES_VARY)) {
      assert_int_equal(found.chunks, 0);
      found = seen;
    }
  assert_int_not_equal(found.chunks, 0);
  return found;
}

static void end(uint32_t point, uint64_t pc, uint64_t size, uint64_t t0,
                uint64_t t1, uint32_t stack) {
  const struct hp_chunk_log chunk = {.t0 = t0,
                                     .t1 = t1,
                                     .size = size,
                                     .free_pc = pc,
                                     .point = point,
                                     .weight = 1,
                                     .free_stack = stack};
  hp_free_site_add(&chunk);
}

static uint32_t stack_of(uint64_t leaf) {
  const uint64_t pc[] = {leaf, 0x1000, 0x2000};
  return hp_stack_intern(pc, 3, false);
}

static uint64_t chunks_of_all(void) {
  uint64_t sum = 0;
  struct seen seen;
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    sum += read_row(i, &seen) ? seen.chunks : 0;
  return sum;
}

static void chunks_are_added_up_by_point_place_and_size(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  end(1, 0x500, 16, 10, 14, 0);
  end(1, 0x500, 16, 20, 26, 0);
  end(1, 0x500, 32, 30, 31, 0);
  end(1, 0x600, 16, 40, 40, 0); /* a tick at least */
  end(2, 0x500, 16, 50, 57, 0);
  struct seen s = row_of(1, 0x500, 16, false);
  assert_true(s.chunks == 2 && s.lives == 10 && s.first == 14 && s.depth == 1);
  assert_int_equal(s.flags, HP_FREE_PART);
  s = row_of(1, 0x500, 32, false);
  assert_true(s.chunks == 1 && s.lives == 1);
  s = row_of(1, 0x600, 16, false);
  assert_true(s.chunks == 1 && s.lives == 1);
  s = row_of(2, 0x500, 16, false);
  assert_true(s.chunks == 1 && s.lives == 7);
  assert_int_equal(chunks_of_all(), 5);
}

static void weights_and_long_lives_do_not_overflow(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  struct hp_chunk_log chunk = {.t1 = UINT64_MAX / 2,
                               .free_pc = 0x500,
                               .point = 3,
                               .weight = UINT32_MAX,
                               .flags = HP_CHUNK_REALLOC};
  hp_free_site_add(&chunk);
  hp_free_site_add(&chunk);
  struct seen s = row_of(3, 0x500, 0, false);
  assert_true(s.chunks == 2 * (uint64_t)UINT32_MAX);
  assert_true(s.lives == (hp_wide)(UINT64_MAX / 2) * 2 * UINT32_MAX);
  assert_int_equal(s.flags, HP_FREE_PART | HP_FREE_REALLOC);
}

static void a_stack_says_where_it_is_folded(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  hp_options.collapse_recursion = true;
  const uint64_t once[] = {0x500, 0x4000, 0x2000},
                 twice[] = {0x500, 0x4000, 0x4000, 0x2000};
  const uint32_t stack = hp_stack_intern(once, 3, false);
  end(1, 0x500, 16, 1, 2, stack);
  assert_int_equal(row_of(1, 0x500, 16, false).flags, 0);
  assert_int_equal(hp_stack_intern(twice, 4, false), stack);
  assert_int_equal(row_of(1, 0x500, 16, false).flags, HP_FREE_FOLDED);
  hp_options.collapse_recursion = false;
}

static void a_stack_is_that_of_the_first_that_brings_one(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  end(1, 0x500, 16, 1, 2, stack_of(0x500));
  end(1, 0x500, 16, 3, 4, stack_of(0x500));
  struct seen s = row_of(1, 0x500, 16, false);
  assert_true(s.depth == 3 && s.stack[1] == 0x1000 && s.stack[2] == 0x2000);
  assert_int_equal(s.flags, 0);
  end(1, 0x500, 16, 5, 6, 0);
  assert_int_equal(row_of(1, 0x500, 16, false).flags, HP_FREE_PART);
  const uint64_t pc[] = {0x500, 0x3000};
  end(1, 0x500, 16, 7, 8, hp_stack_intern(pc, 2, true));
  s = row_of(1, 0x500, 16, false);
  assert_int_equal(s.flags, HP_FREE_PART | HP_FREE_STACKS);
  assert_true(s.depth == 3 && s.chunks == 4 && !s.truncated);
}

static void with_all_stacks_each_has_a_row(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(true));
  const uint64_t pc[] = {0x500, 0x3000};
  const uint32_t cut = hp_stack_intern(pc, 2, true);
  end(1, 0x500, 16, 1, 2, stack_of(0x500));
  end(1, 0x500, 16, 3, 4, cut);
  end(1, 0x500, 16, 5, 6, cut);
  unsigned rows = 0;
  struct seen s;
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    if (read_row(i, &s)) {
      rows++;
      assert_int_equal(s.flags, 0);
      assert_true(s.depth == 3 ? s.chunks == 1 && !s.truncated
                               : s.chunks == 2 && s.truncated);
    }
  assert_int_equal(rows, 2);
}

static void further_sizes_share_a_row(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  for (uint64_t size = 0; size < HP_FREE_SIZES + 5; size++)
    for (uint64_t times = 0; times <= size; times++)
      end(1, 0x500, size, 1, 4, 0);
  for (uint64_t size = 0; size < HP_FREE_SIZES; size++)
    assert_int_equal(row_of(1, 0x500, size, false).chunks, size + 1);
  struct seen s = row_of(1, 0x500, 0, true);
  assert_int_equal(s.chunks, 33 + 34 + 35 + 36 + 37);
  assert_true(s.lives == 3 * s.chunks);
}

static void sizes_of_many_places_are_told_apart(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  for (unsigned round = 0; round < 2; round++)
    for (uint32_t place = 0; place < 100; place++)
      for (uint64_t size = 1; size <= HP_FREE_SIZES + 2; size++)
        end(1 + place % 7, 0x500 + place, size, 1, 4, 0);
  for (uint32_t place = 0; place < 100; place += 33) {
    for (uint64_t size = 1; size <= HP_FREE_SIZES; size++)
      assert_int_equal(row_of(1 + place % 7, 0x500 + place, size, false).chunks,
                       2);
    assert_int_equal(row_of(1 + place % 7, 0x500 + place, 0, true).chunks, 4);
  }
}

/* The row for further sizes that was used last is tried first. */
static void further_sizes_of_places_in_turns_stay_apart(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  end(0, 0, 16, 1, 4, 0); /* no place is known: not the row of all */
  for (uint64_t size = 1; size <= 1000; size++) {
    end(1, 0x500, size, 1, 4, 0);
    end(2, 0x500, size, 1, 5, 0);
    end(1, 0x600, size, 1, 6, 0);
  }
  end(1, 0x700, 1000, 1, 4, 0);
  struct seen s = row_of(1, 0x500, 0, true);
  assert_true(s.chunks == 1000 - HP_FREE_SIZES && s.lives == 3 * s.chunks);
  s = row_of(2, 0x500, 0, true);
  assert_true(s.chunks == 1000 - HP_FREE_SIZES && s.lives == 4 * s.chunks);
  s = row_of(1, 0x600, 0, true);
  assert_true(s.chunks == 1000 - HP_FREE_SIZES && s.lives == 5 * s.chunks);
  assert_int_equal(row_of(1, 0x700, 1000, false).chunks, 1);
  assert_false(read_row(0, &s));
  hp_unwind_forget();
  hp_free_sites_look();
  end(1, 0x600, 1000, 1, 6, 0);
  assert_int_equal(row_of(1, 0x600, 1000, false).chunks, 1);
}

static void what_finds_no_room_is_in_one_row(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  const uint32_t places = 2 * HP_FREE_ROWS, rows = HP_FREE_ROWS - 1;
  for (uint32_t i = 0; i < places; i++)
    end(1, 0x500 + i, 16, 1, 3, 0);
  for (uint32_t i = 0; i < places; i++)
    end(1, 0x500 + i, 16, 1, 3, 0);
  struct seen s;
  assert_int_equal(hp_free_site_count(), HP_FREE_ROWS);
  assert_true(read_row(0, &s));
  assert_int_equal(s.flags, HP_FREE_REST);
  assert_true(s.point == 0 && s.depth == 0 && s.lives == 2 * s.chunks);
  assert_int_equal(s.chunks,
                   2 * (places - rows)); /* no row is without chunks */
  assert_int_equal(chunks_of_all(), 2 * places);
  assert_int_equal(row_of(1, 0x500 + 7, 16, false).chunks, 2);
}

/* Points that came when there was room go on being found, the last of them, too. */
static void later_points_are_in_the_row_of_the_rest(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  const uint32_t rows = HP_FREE_ROWS - 1, first = 10, last = first + rows - 1;
  for (uint32_t i = 0; i < rows; i++)
    end(last - i, 0x500, 16, 1, 3, 0);
  end(last + 1, 0x500, 16, 1, 3, stack_of(0x500));
  end(UINT32_MAX, 0x500, 16, 1, 3, 0);
  end(last, 0x500, 16, 1, 3, 0);
  end(first, 0x500, 16, 1, 3, 0);
  struct seen s;
  assert_true(read_row(0, &s));
  assert_int_equal(s.flags, HP_FREE_REST);
  assert_true(s.chunks == 2 && s.lives == 4);
  assert_int_equal(row_of(last, 0x500, 16, false).chunks, 2);
  assert_int_equal(row_of(first, 0x500, 16, false).chunks, 2);
  assert_true(hp_free_sites_start(false)); /* a window begins: there is room */
  end(last + 1, 0x500, 16, 1, 3, 0);
  assert_int_equal(row_of(last + 1, 0x500, 16, false).chunks, 1);
}

/* Also if it is not the row for further sizes that was used last. */
static void further_sizes_are_found_when_there_is_no_room(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  for (uint64_t size = 1; size <= HP_FREE_SIZES + 1; size++) {
    end(1, 0x500, size, 1, 3, 0);
    end(2, 0x500, size, 1, 3, 0);
  }
  for (uint64_t pc = 0x600; hp_free_site_count() < HP_FREE_ROWS; pc++)
    end(3, pc, 16, 1, 3, 0);
  for (uint64_t size = 100; size < 110; size++) {
    end(1, 0x500, size, 1, 3, 0);
    end(2, 0x500, size, 1, 3, 0);
    end(3, 0x500, size, 1, 3, 0);
  }
  assert_int_equal(row_of(1, 0x500, 0, true).chunks, 11);
  assert_int_equal(row_of(2, 0x500, 0, true).chunks, 11);
  struct seen s;
  assert_true(read_row(0, &s));
  assert_int_equal(s.chunks, 10);
}

static void stacks_are_wanted_as_long_as_there_is_room(void **state) {
  (void)state;
  for (int by_stack = 0; by_stack < 2; by_stack++) {
    assert_true(hp_free_sites_start(by_stack));
    while (hp_free_site_count() < HP_FREE_ROWS) {
      assert_true(hp_free_sites_want_stacks());
      end(1, 0x500 + hp_free_site_count(), 16, 1, 3, 0);
    }
    assert_true(hp_free_sites_want_stacks() == (by_stack == 1));
  }
}

static void
code_that_takes_the_place_of_other_has_rows_of_its_own(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  end(1, 0x500, 16, 1, 3, 0);
  hp_unwind_forget();
  hp_free_sites_look();
  end(1, 0x500, 16, 5, 9, 0);
  hp_free_sites_look(); /* nothing was unloaded since */
  end(1, 0x500, 16, 5, 9, 0);
  unsigned rows = 0;
  struct seen s;
  for (uint32_t i = 0; i < hp_free_site_count(); i++)
    if (read_row(i, &s)) {
      assert_int_equal(s.chunks, s.first == 3 ? 1 : 2);
      rows++;
    }
  assert_int_equal(rows, 2);
  for (uint32_t i = 0; i < 2000; i++) /* the table grows: none comes back */
    end(2, 0x900 + i, 16, 5, 9, 0);
  end(1, 0x500, 16, 5, 9, 0);
  assert_int_equal(chunks_of_all(), 2004);
}

static void a_window_forgets_the_one_before(void **state) {
  (void)state;
  assert_true(hp_free_sites_start(false));
  end(1, 0x500, 16, 1, 3, 0);
  assert_true(hp_free_sites_start(false));
  assert_int_equal(chunks_of_all(), 0);
  end(1, 0x500, 16, 1, 3, 0);
  assert_int_equal(row_of(1, 0x500, 16, false).chunks, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chunks_are_added_up_by_point_place_and_size),
      cmocka_unit_test(weights_and_long_lives_do_not_overflow),
      cmocka_unit_test(a_stack_says_where_it_is_folded),
      cmocka_unit_test(a_stack_is_that_of_the_first_that_brings_one),
      cmocka_unit_test(with_all_stacks_each_has_a_row),
      cmocka_unit_test(further_sizes_share_a_row),
      cmocka_unit_test(sizes_of_many_places_are_told_apart),
      cmocka_unit_test(further_sizes_of_places_in_turns_stay_apart),
      cmocka_unit_test(what_finds_no_room_is_in_one_row),
      cmocka_unit_test(later_points_are_in_the_row_of_the_rest),
      cmocka_unit_test(further_sizes_are_found_when_there_is_no_room),
      cmocka_unit_test(stacks_are_wanted_as_long_as_there_is_room),
      cmocka_unit_test(code_that_takes_the_place_of_other_has_rows_of_its_own),
      cmocka_unit_test(a_window_forgets_the_one_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
