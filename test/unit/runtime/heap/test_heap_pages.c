/* test_heap_pages.c - what resident pages of the heap hold: of chunks small and
   large, live and freed, touched or not, and with pages of their own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/heap_pages.h"

#include "chunk/allocator.h"
#include "chunk/plain.h"
#include "heap/secondary.h"
#include "system/resident.h"
#include "system_double.h"
#include "thread/thread.h"

#include <string.h>

#define PAGE HP_RESIDENT_PAGE
#define OWN sizeof(struct hp_chunk)

HP_NOINLINE static char *allocate(size_t size) {
  struct hp_request request = {
      .size = size, .entry = HP_ENTRY_MALLOC, .caller = HP_CALLER()};
  return hp_allocate(&request);
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

/* RESIDENT: of all, or as much as is known. */
static struct hp_heap_pages look(uint64_t resident) {
  assert_true(hp_resident_open());
  const struct hp_heap_pages pages = hp_heap_pages(resident);
  hp_resident_close();
  return pages;
}

static uint64_t known(const struct hp_heap_pages *pages) {
  return pages->live + pages->slack + pages->own + pages->retained;
}

/* One slot on a page that is all there: its neighbours are free. */
static void a_small_chunk(void **state) {
  (void)state;
  deallocate(allocate(40)); /* its slot's page has memory */
  const struct hp_heap_pages before = look(0);
  char *p = allocate(40);
  const struct hp_heap_pages with = look(0);
  assert_int_equal(with.live - before.live, 40);
  assert_int_equal(with.own - before.own, OWN);
  assert_int_equal(with.slack - before.slack, 128 - 40 - OWN);
  assert_int_equal(before.retained - with.retained, 128);
  assert_int_equal(known(&with), known(&before));
  assert_int_equal(known(&with) % PAGE, 0); /* of whole pages */
  deallocate(p);
  const struct hp_heap_pages after = look(0);
  assert_int_equal(after.live, before.live);
  assert_int_equal(after.retained, before.retained);
}

/* It takes what pages have memory, with what lies on them alone. */
static void a_chunk_of_several_pages(void **state) {
  (void)state;
  const size_t size = 20000, slot = 32768;
  char *p = allocate(size);
  const uintptr_t begin = (uintptr_t)p - OWN;
  assert_int_equal(begin % slot, 0);
  memset(p + 9000, 1, 5000);
  const struct hp_heap_pages with = look(0);
  uint64_t live = 0, slack = 0;
  assert_true(hp_resident_open());
  for (uintptr_t at = begin; at < begin + slot; at += PAGE) {
    if (!hp_resident_at(at))
      continue;
    const uintptr_t from = at == begin ? at + OWN : at;
    const uintptr_t end = (uintptr_t)p + size;
    const uint64_t of_it = end <= from ? 0 : end - from;
    live += of_it < at + PAGE - from ? of_it : at + PAGE - from;
    slack += at + PAGE - from -
             (of_it < at + PAGE - from ? of_it : at + PAGE - from);
  }
  hp_resident_close();
  assert_true(live >=
              3 * PAGE - OWN); /* record's, and two at least of 9000 on */
  deallocate(p);
  const struct hp_heap_pages without = look(0);
  assert_int_equal(with.live - without.live, live);
  assert_int_equal(with.slack - without.slack, slack);
  assert_int_equal(with.own - without.own, OWN);
}

static void a_large_chunk(void **state) {
  (void)state;
  const struct hp_heap_pages before = look(0);
  char *p = allocate((size_t)1 << 20);
  const uint64_t beside =
      look(0).own + look(0).slack - before.own - before.slack;
  p[100 * PAGE] = p[200 * PAGE] = 1;
  /* What no other page is known to hold is of large chunks. */
  const struct hp_heap_pages with = look(known(&before) + beside + 2 * PAGE);
  assert_int_equal(with.live - before.live, 2 * PAGE);
  assert_int_equal(with.own - before.own, OWN);
  assert_true(with.slack - before.slack < 2 * PAGE);
  deallocate(p);
  const struct hp_heap_pages after = look(known(&before));
  assert_int_equal(after.live, before.live);
  assert_int_equal(after.own, before.own);
}

/* The page of its record is ours. */
static void a_chunk_with_pages_of_its_own(void **state) {
  (void)state;
  const struct hp_heap_pages before = look(0);
  hp_access_hooked = false;
  hp_thread_get()->small_max = 0;
  hp_thread_get()->page_asked = 256;
  char *p = allocate(100);
  hp_access_hooked = true;
  assert_int_equal((uintptr_t)p % PAGE, 0);
  p[0] = 1;
  const struct hp_heap_pages with = look(known(&before) + 2 * PAGE);
  assert_int_equal(with.own - before.own, PAGE);
  assert_int_equal(with.live - before.live, 100);
  assert_int_equal(with.slack - before.slack, PAGE - 100);
  deallocate(p);
}

static void chunks_that_are_no_samples(void **state) {
  (void)state;
  assert_true(hp_heap_reserve_plain());
  struct hp_request request = {.size = 100, .entry = HP_ENTRY_MALLOC};
  struct hp_thread *self = hp_thread_get();
  hp_plain_free(self, hp_plain_allocate(self, &request));
  char *first = hp_plain_allocate(self, &request);
  first[0] = 1; /* its page has memory */
  const struct hp_heap_pages before = look(0);
  char *p = hp_plain_allocate(self, &request);
  const struct hp_heap_pages with = look(0);
  const bool is_there = (uintptr_t)p / PAGE == (uintptr_t)first / PAGE;
  assert_int_equal(with.live - before.live, is_there ? 100 : 0);
  assert_int_equal(with.slack - before.slack, is_there ? 12 : 0);
  assert_int_equal(with.own, before.own);
  hp_plain_free(self, p);
  hp_plain_free(self, first);
}

static void whose_addresses(void **state) {
  (void)state;
  assert_true(hp_heap_is_data(HP_HEAP_BASE));
  assert_true(hp_heap_is_data(HP_HEAP_BASE + HP_HEAP_SIZE - 1));
  assert_false(hp_heap_is_data(HP_HEAP_BASE - 1));
  assert_false(hp_heap_is_data(HP_HEAP_BASE + HP_HEAP_SIZE));
  assert_false(hp_heap_is_data(HP_RECORDS_BASE));
  assert_true(hp_heap_is_data(HP_PLAIN_BASE));
  assert_false(hp_heap_is_data(HP_PLAIN_SIZES_BASE)); /* ours */
  assert_false(hp_heap_is_data(HP_PLAIN_RECORDS_BASE));
  assert_true(
      hp_heap_is_data(HP_PLAIN_BASE + ((uintptr_t)17 << HP_REGION_SHIFT)));
  assert_false(hp_heap_is_data((uintptr_t)&state));
}

int main(void) {
  double_start();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_chunk),
      cmocka_unit_test(a_chunk_of_several_pages),
      cmocka_unit_test(a_large_chunk),
      cmocka_unit_test(a_chunk_with_pages_of_its_own),
      cmocka_unit_test(chunks_that_are_no_samples),
      cmocka_unit_test(whose_addresses),
  };
  if (!hp_resident_open()) /* where the system does not let it be read */
    return 0;
  hp_resident_close();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
