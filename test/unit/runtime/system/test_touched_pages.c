/* test_touched_pages.c - touched and resident bytes against what was touched:
   whole pages and parts of them, many at once, read and written, not there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/touched_pages.h"

#include "system_double.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#define PAGE ((size_t)4096)
#define PAGES ((size_t)2000) /* several of the calls that are made */

static char *map(void) {
  char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(p, MAP_FAILED);
  madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
  return p;
}

/* By mincore alone, and by pagemap, too. */
static void expect(const char *begin, size_t size, uint64_t touched) {
  struct hp_touched_bytes bytes;
  const uintptr_t from = (uintptr_t)begin;
  for (int swap = 0; swap < 2; swap++) {
    double_has_swap = swap;
    assert_true(hp_look_at_pages(from, from + size, &bytes));
    assert_int_equal(bytes.touched, touched);
    assert_true(bytes.resident <= bytes.touched);
  }
}

static void nothing_was_touched(void **state) {
  (void)state;
  char *p = map();
  expect(p, PAGES * PAGE, 0);
  expect(p + 100, 5 * PAGE, 0);
  munmap(p, PAGES * PAGE);
}

static void everything_was(void **state) {
  (void)state;
  char *p = map();
  for (size_t i = 0; i < PAGES; i++)
    p[i * PAGE] = 1;
  expect(p, PAGES * PAGE, PAGES * PAGE);
  expect(p + 100, 5 * PAGE, 5 * PAGE);
  munmap(p, PAGES * PAGE);
}

static void parts_of_pages_count_as_such(void **state) {
  (void)state;
  char *p = map();
  p[0] = p[3 * PAGE] = p[1999 * PAGE] = 1;
  expect(p, PAGES * PAGE, 3 * PAGE);
  expect(p + 64, PAGES * PAGE - 64, 3 * PAGE - 64);
  expect(p + 64, PAGES * PAGE - 1064, 3 * PAGE - 1064);
  expect(p + 10, 20, 20);
  expect(p + PAGE + 10, 20, 0);
  munmap(p, PAGES * PAGE);
}

static void pages_that_are_only_read_were_touched(void **state) {
  (void)state;
  char *p = map();
  assert_int_equal(*(volatile char *)(p + 700 * PAGE), 0);
  expect(p, PAGES * PAGE, PAGE);
  munmap(p, PAGES * PAGE);
}

static void pages_given_back_were_not(void **state) {
  (void)state;
  char *p = map();
  for (size_t i = 0; i < PAGES; i++)
    p[i * PAGE] = 1;
  madvise(p, PAGES * PAGE, MADV_DONTNEED);
  expect(p, PAGES * PAGE, 0);
  p[PAGE] = 1;
  expect(p, PAGES * PAGE, PAGE);
  munmap(p, PAGES * PAGE);
}

static void nothing_is_known_of_what_is_not_mapped(void **state) {
  (void)state;
  char *p = map();
  struct hp_touched_bytes bytes;
  munmap(p + 1000 * PAGE, 1000 * PAGE);
  assert_false(
      hp_look_at_pages((uintptr_t)p, (uintptr_t)(p + PAGES * PAGE), &bytes));
  munmap(p, 1000 * PAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_was_touched),
      cmocka_unit_test(everything_was),
      cmocka_unit_test(parts_of_pages_count_as_such),
      cmocka_unit_test(pages_that_are_only_read_were_touched),
      cmocka_unit_test(pages_given_back_were_not),
      cmocka_unit_test(nothing_is_known_of_what_is_not_mapped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
