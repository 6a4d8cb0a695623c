/* test_resident.c - which pages are resident: those that were written, while the
   process has them to itself or not.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/resident.h"

#include "system_double.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE HP_RESIDENT_PAGE
#define PAGES ((size_t)3000) /* several reads of the file */

static char *map(void) {
  char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(p, MAP_FAILED);
  madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
  return p;
}

static uint64_t bytes_of(const char *p, size_t size) {
  return hp_resident_bytes((uintptr_t)p, (uintptr_t)p + size);
}

static int open_it(void **state) {
  (void)state;
  if (!hp_resident_open())
    return -1;
  return 0;
}

static int close_it(void **state) {
  (void)state;
  hp_resident_close();
  return 0;
}

static void pages_that_were_written(void **state) {
  (void)state;
  char *p = map();
  assert_int_equal(bytes_of(p, PAGES * PAGE), 0);
  p[0] = p[1500 * PAGE + 7] = p[PAGES * PAGE - 1] = 1;
  hp_resident_only_own(false); /* reads anew */
  assert_int_equal(bytes_of(p, PAGES * PAGE), 3 * PAGE);
  assert_true(hp_resident_at((uintptr_t)p + 1500 * PAGE));
  assert_true(hp_resident_at((uintptr_t)p + 1501 * PAGE - 1));
  assert_false(hp_resident_at((uintptr_t)p + 1501 * PAGE));
  assert_false(hp_resident_at((uintptr_t)p + 1499 * PAGE));
  /* Whole pages, of which a byte is asked for. */
  assert_int_equal(bytes_of(p + 1500 * PAGE + 4000, 97), PAGE);
  assert_int_equal(bytes_of(p + 1500 * PAGE + 4000, 0), PAGE);
  madvise(p, PAGES * PAGE, MADV_DONTNEED);
  hp_resident_only_own(false);
  assert_int_equal(bytes_of(p, PAGES * PAGE), 0);
  munmap(p, PAGES * PAGE);
}

static long resident_pages(void) {
  long all, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
  fclose(file);
  return resident;
}

/* On some virtual machines what is read gets memory as what is written does. */
static bool has_page_of_zeroes(void) {
  char *p = map();
  const long before = resident_pages();
  for (size_t i = 0; i < PAGES; i++)
    (void)*(volatile char *)(p + i * PAGE);
  const long more = resident_pages() - before;
  munmap(p, PAGES * PAGE);
  return more < (long)(PAGES / 2);
}

/* The one page of zeroes is nobody's. */
static void pages_that_were_only_read(void **state) {
  (void)state;
  if (!has_page_of_zeroes())
    skip();
  char *p = map();
  assert_int_equal(*(volatile char *)(p + PAGE), 0);
  p[2 * PAGE] = 1;
  hp_resident_only_own(true);
  assert_false(hp_resident_at((uintptr_t)p + PAGE));
  assert_true(hp_resident_at((uintptr_t)p + 2 * PAGE));
  hp_resident_only_own(false);
  assert_true(hp_resident_at((uintptr_t)p + PAGE));
  munmap(p, PAGES * PAGE);
}

static void pages_that_a_child_has_too(void **state) {
  (void)state;
  char *p = map();
  int ends[2];
  p[PAGE] = p[2 * PAGE] = 1;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) != 0); /* until the parent closes it */
  }
  close(ends[0]);
  p[2 * PAGE] = 2; /* a copy, its own */
  hp_resident_only_own(true);
  assert_false(hp_resident_at((uintptr_t)p + PAGE));
  assert_true(hp_resident_at((uintptr_t)p + 2 * PAGE));
  hp_resident_only_own(false);
  assert_int_equal(bytes_of(p, PAGES * PAGE), 2 * PAGE);
  close(ends[1]);
  waitpid(child, NULL, 0);
  munmap(p, PAGES * PAGE);
}

static void what_is_not_mapped_is_not_resident(void **state) {
  (void)state;
  char *p = map();
  p[0] = p[2000 * PAGE] = 1;
  munmap(p + PAGE, (PAGES - 1) * PAGE);
  hp_resident_only_own(false);
  assert_int_equal(bytes_of(p, PAGES * PAGE), PAGE);
  assert_false(hp_resident_at(UINTPTR_MAX - PAGE)); /* beyond all addresses */
  munmap(p, PAGE);
}

static void closed_nothing_is(void **state) {
  (void)state;
  char *p = map();
  p[0] = 1;
  hp_resident_close();
  hp_resident_close(); /* twice is as once */
  hp_resident_only_own(false);
  assert_false(hp_resident_at((uintptr_t)p));
  munmap(p, PAGES * PAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(pages_that_were_written, open_it,
                                      close_it),
      cmocka_unit_test_setup_teardown(pages_that_were_only_read, open_it,
                                      close_it),
      cmocka_unit_test_setup_teardown(pages_that_a_child_has_too, open_it,
                                      close_it),
      cmocka_unit_test_setup_teardown(what_is_not_mapped_is_not_resident,
                                      open_it, close_it),
      cmocka_unit_test_setup_teardown(closed_nothing_is, open_it, close_it),
  };
  if (!hp_resident_open()) /* where the system does not let it be read */
    return 0;
  hp_resident_close();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
