/* test_content.c - what the bytes of a chunk say, whole and in parts; pages that
   have no memory stay so, and such that were shut are not read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/content.h"

#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "contents_measure.h"
#include "heap/heap.h"
#include "hook_abi.h"
#include "system_double.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)

static int start(void **state) {
  (void)state;
  double_start();
  hp_content_start();
  return 0;
}

HP_NOINLINE static unsigned char *allocate(size_t size, size_t alignment) {
  struct hp_request request = {.size = size,
                               .alignment = alignment,
                               .entry = HP_ENTRY_MALLOC,
                               .caller = HP_CALLER()};
  unsigned char *p = hp_allocate(&request);
  assert_non_null(p);
  return p;
}

HP_NOINLINE static void deallocate(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_deallocate(p, &caller);
  __asm__ volatile("" ::: "memory");
}

static void accessed(void *p, size_t size) {
  hp_access_range(p, size, HP_ACCESS_WRITE);
}

/* Both ways see the same. */
static bool look(const void *p, struct hp_content *content) {
  const struct hp_chunk *chunk = hp_chunk_at(p);
  const uint64_t word = hp_cold_of(chunk)->word;
  struct hp_content live;
  const bool is_known = hp_content_look(chunk, word, content);
  assert_int_equal(hp_content_look_live(chunk, word, &live), is_known);
  if (is_known) {
    assert_true(live.hash == content->hash && live.zero == content->zero &&
                live.is_uniform == content->is_uniform &&
                live.is_parts == content->is_parts);
  }
  return is_known;
}

static void bytes_of_small_chunks(void **state) {
  (void)state;
  for (size_t lo = 0; lo < 20; lo++)
    for (size_t hi = lo; hi <= 40; hi++) {
      struct hp_content of_p, of_q;
      unsigned char *p = allocate(40, 0), *q = allocate(40, 0);
      memset(p, 0xee, 40); /* what is not accessed makes no difference */
      memset(q, 0, 40);
      uint64_t zero = 0;
      bool is_uniform = true;
      for (size_t i = lo; i < hi; i++) {
        p[i] = q[i] = (unsigned char)(i % 3 == 0 ? 0 : i);
        zero += p[i] == 0;
        is_uniform = is_uniform && p[i] == p[lo];
      }
      if (hi > lo) {
        accessed(p + lo, hi - lo);
        accessed(q + lo, hi - lo);
      }
      assert_int_equal(look(p, &of_p), hi > lo);
      assert_int_equal(look(q, &of_q), hi > lo);
      if (hi > lo) {
        assert_int_equal(of_p.zero, zero);
        assert_int_equal(of_p.is_uniform, is_uniform);
        assert_int_equal(of_p.size, 40);
        assert_true(of_p.hash == of_q.hash);
        q[hi - 1] ^= 0x80;
        assert_true(look(q, &of_q) && of_p.hash != of_q.hash);
        q[hi - 1] ^= 0x80;
        q[lo] ^= 1;
        assert_true(look(q, &of_q) && of_p.hash != of_q.hash);
      }
      deallocate(p);
      deallocate(q);
    }
}

/* What no record has to keep. */
static void zeros_of_addresses_do_not_count(void **state) {
  (void)state;
  struct hp_content of_p;
  uint64_t *p = (uint64_t *)allocate(64, 0);
  memset(p, 0, 64);
  p[1] = (uint64_t)p;
  p[2] = 0x7fff00000010;
  p[3] = 0x550000000000;
  p[4] = 0x0000000500000003; /* two numbers */
  p[5] = 0x7fff000000000010; /* none */
  accessed(p, 64);
  assert_true(look(p, &of_p));
  assert_int_equal(of_p.zero, 3 * 8 + 6 + 5);
  deallocate(p);
}

static void bits_of_what_was_accessed(void **state) {
  (void)state;
  struct hp_content_bits bits = {0};
  unsigned char *p = allocate(100, 0), *q = allocate(513, 0),
                *r = allocate(96, 256);
  memset(p, 1, 100), memset(q, 1, 513), memset(r, 6, 96);
  accessed(p + 3, 20), accessed(q, 513), accessed(r, 8);
  hp_content_add_bits(&bits, hp_chunk_at(p), hp_cold_of(hp_chunk_at(p))->word);
  assert_int_equal(bits.chunks, 1);
  assert_true(bits.words[0] == 0x0101010101000000);
  assert_true(bits.words[2] == 0x0001010101010101);
  assert_int_equal(bits.words[3], 0);
  hp_content_add_bits(&bits, hp_chunk_at(q), hp_cold_of(hp_chunk_at(q))->word);
  assert_int_equal(bits.chunks, 1); /* too large */
  hp_content_add_bits(&bits, hp_chunk_at(r), hp_cold_of(hp_chunk_at(r))->word);
  assert_int_equal(bits.chunks, 2);
  assert_true(bits.words[0] == 0x0707070707060606);
  assert_int_equal(bits.words[1], 0x0101010101010101);
  deallocate(p), deallocate(q), deallocate(r);
}

static void size_and_place_count(void **state) {
  (void)state;
  unsigned char *p = allocate(40, 0), *q = allocate(41, 0),
                *r = allocate(40, 0);
  memset(p, 7, 40), memset(q, 7, 41), memset(r, 7, 40);
  accessed(p, 16), accessed(q, 16), accessed(r + 1, 16);
  struct hp_content of_p, of_q, of_r;
  assert_true(look(p, &of_p) && look(q, &of_q) && look(r, &of_r));
  assert_true(of_p.hash != of_q.hash && of_p.hash != of_r.hash);
  deallocate(p), deallocate(q), deallocate(r);
}

/* Where a chunk lies does not matter, nor how its pages are read. */
static void alignment_does_not_count(void **state) {
  (void)state;
  const size_t size = 30000;
  unsigned char *p = allocate(size, 0), *q = allocate(size, 2 * PAGE);
  for (size_t i = 0; i < size; i++)
    p[i] = q[i] = (unsigned char)(i * i / 7);
  accessed(p + 3, size - 3);
  accessed(q + 3, size - 3);
  struct hp_content of_p, of_q;
  assert_true(look(p, &of_p) && look(q, &of_q));
  assert_true(of_p.hash == of_q.hash && of_p.zero == of_q.zero);
  assert_false(of_p.is_parts);
  q[size - 1]++;
  assert_true(look(q, &of_q) && of_p.hash != of_q.hash);
  deallocate(p), deallocate(q);
}

static void large_ones_are_seen_by_parts(void **state) {
  (void)state;
  const size_t sizes[] = {HP_CONTENTS_WHOLE + 1, 70001, 1000003, 40u << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size_t size = sizes[i];
    unsigned char *p = allocate(size, 0), *q = allocate(size, 4 * PAGE);
    for (size_t k = 0; k < size; k++)
      p[k] = q[k] = k % 4 == 0 ? 5 : 0;
    accessed(p, size);
    accessed(q, size);
    struct hp_content of_p, of_q;
    assert_true(look(p, &of_p) && look(q, &of_q));
    assert_true(of_p.is_parts && of_p.hash == of_q.hash);
    assert_true(of_p.zero > size / 100 * 74 && of_p.zero < size / 100 * 76);
    q[0]++;
    assert_true(look(q, &of_q) && of_p.hash != of_q.hash);
    q[0]--;
    q[size - 1]++;
    assert_true(look(q, &of_q) && of_p.hash != of_q.hash);
    deallocate(p), deallocate(q);
  }
}

static size_t resident_pages(const void *p, size_t size) {
  const uintptr_t first = (uintptr_t)p & ~(PAGE - 1);
  unsigned char in_memory[64];
  size_t count = 0, pages = ((uintptr_t)p + size - first + PAGE - 1) / PAGE;
  assert_true(pages <= sizeof in_memory);
  assert_int_equal(mincore((void *)first, pages * PAGE, in_memory), 0);
  for (size_t i = 0; i < pages; i++)
    count += in_memory[i] & 1;
  return count;
}

static void pages_without_memory_get_none(void **state) {
  (void)state;
  const size_t size = 48 * PAGE;
  unsigned char *p = allocate(size, 0);
  madvise((void *)(((uintptr_t)p | (PAGE - 1)) + 1), 47 * PAGE,
          MADV_NOHUGEPAGE);
  madvise((void *)(((uintptr_t)p | (PAGE - 1)) + 1), 47 * PAGE, MADV_DONTNEED);
  p[0] = 1;
  p[size - 1] = 1;
  accessed(p, 1);
  accessed(p + size - 1, 1);
  const size_t before = resident_pages(p, size);
  struct hp_content content;
  assert_true(look(p, &content));
  assert_int_equal(resident_pages(p, size), before);
  assert_true(content.zero < size / 2); /* what has no memory costs none */
  double_has_swap = true;               /* it may have been written out */
  assert_false(look(p, &content));
  double_has_swap = false;
  deallocate(p);
}

static void shut_pages_are_not_read(void **state) {
  (void)state;
  unsigned char *p = allocate(4 * PAGE, PAGE);
  struct hp_content content;
  memset(p, 1, 4 * PAGE);
  accessed(p, 4 * PAGE);
  assert_true(look(p, &content));
  assert_int_equal(mprotect(p + PAGE, PAGE, PROT_NONE), 0);
  assert_false(look(p, &content));
  assert_int_equal(mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
  assert_true(look(p, &content));
  deallocate(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(bytes_of_small_chunks, start),
      cmocka_unit_test(zeros_of_addresses_do_not_count),
      cmocka_unit_test(bits_of_what_was_accessed),
      cmocka_unit_test(size_and_place_count),
      cmocka_unit_test(alignment_does_not_count),
      cmocka_unit_test(large_ones_are_seen_by_parts),
      cmocka_unit_test(pages_without_memory_get_none),
      cmocka_unit_test(shut_pages_are_not_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
