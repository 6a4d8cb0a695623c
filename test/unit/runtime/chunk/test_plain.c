/* test_plain.c - chunks that are no samples: where they lie, how large they are,
   and what is none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/plain.h"

#include "options/options.h"
#include "system_double.h"
#include "thread/thread.h"

#include <string.h>

static void *allocate(size_t size, size_t alignment) {
  struct hp_request request = {
      .size = size, .alignment = alignment, .entry = HP_ENTRY_MALLOC};
  return hp_plain_allocate(hp_thread_get(), &request);
}

static bool deallocate(void *p) { return hp_plain_free(hp_thread_get(), p); }

static void class_of_every_size(void **state) {
  (void)state;
  for (size_t size = 0; size <= HP_SMALL_MAX; size++) {
    unsigned c = hp_plain_class(size);
    assert_true(c < HP_PLAIN_CLASS_COUNT);
    assert_true(size <= hp_plain_slot_size(c));
    assert_true(c == 0 || size > hp_plain_slot_size(c - 1));
    assert_true(hp_plain_slot_size(c) % 16 == 0);
  }
  assert_int_equal(hp_plain_slot_size(HP_PLAIN_CLASS_COUNT - 1), HP_SMALL_MAX);
}

static const size_t sizes[] = {0,     1,     16,    17,    129,   4096,   65533,
                               65534, 65535, 65536, 65537, 70000, 1000000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void a_size_is_known_until_the_end(void **state) {
  (void)state;
  char *all[SIZES];
  for (size_t i = 0; i < SIZES; i++) {
    all[i] = allocate(sizes[i], 0);
    assert_true(hp_plain_owns(all[i]));
    assert_false(hp_heap_holds(all[i])); /* no hook looks further */
    memset(all[i], (int)i, sizes[i]);
  }
  for (size_t i = 0; i < SIZES; i++) {
    assert_int_equal(hp_plain_size(all[i]), sizes[i]);
    for (size_t at = 0; at < sizes[i]; at++)
      assert_int_equal(all[i][at], i);
  }
  for (size_t i = 0; i < SIZES; i++) {
    assert_true(deallocate(all[i]));
    assert_true(hp_plain_size(all[i]) == SIZE_MAX);
    assert_false(deallocate(all[i])); /* twice */
  }
}

static void what_is_no_beginning_is_no_chunk(void **state) {
  (void)state;
  char *small = allocate(100, 0), *large = allocate(1000000, 0);
  assert_true(hp_plain_size(small + 1) == SIZE_MAX);
  assert_true(hp_plain_size(small + 16) == SIZE_MAX);
  assert_true(hp_plain_size(large + 4096) == SIZE_MAX);
  assert_false(deallocate(large + 4096));
  /* Beyond all slots in use of a small class, and of a large one. */
  assert_true(hp_plain_size(small + ((size_t)1 << 35)) == SIZE_MAX);
  assert_true(hp_plain_size(large + ((size_t)1 << 37)) == SIZE_MAX);
  assert_false(hp_plain_owns((void *)(HP_PLAIN_BASE - 1)));
  assert_false(hp_plain_owns((void *)(HP_PLAIN_BASE + HP_PLAIN_SIZE)));
  assert_false(hp_plain_owns(NULL));
  assert_true(deallocate(small) && deallocate(large));
}

static void alignments(void **state) {
  (void)state;
  for (size_t power = 16; power <= (size_t)1 << 20; power *= 2)
    for (size_t i = 0; i < SIZES; i++) {
      char *p = allocate(sizes[i], power), *q = allocate(sizes[i], power);
      assert_int_equal((uintptr_t)p % power, 0);
      assert_int_equal((uintptr_t)q % power, 0);
      assert_int_equal(hp_plain_size(p), sizes[i]);
      assert_true(deallocate(p) && deallocate(q));
    }
}

static void zeroed_even_where_others_were(void **state) {
  (void)state;
  for (size_t i = 0; i < SIZES; i++) {
    char *dirty = allocate(sizes[i], 0);
    memset(dirty, 1, sizes[i]);
    deallocate(dirty);
    struct hp_request request = {.size = sizes[i], .zeroed = true};
    char *p = hp_plain_allocate(hp_thread_get(), &request);
    for (size_t at = 0; at < sizes[i]; at++)
      assert_int_equal(p[at], 0);
    deallocate(p);
  }
}

static void resized_where_it_is_within_its_class(void **state) {
  (void)state;
  char *small = allocate(130, 0), *large = allocate(100000, 0);
  /* in the smallest slot that holds it */
  assert_int_equal((uintptr_t)(large - HP_PLAIN_BASE) >> HP_REGION_SHIFT, 17);
  assert_true(hp_plain_resize(small, 160));
  assert_int_equal(hp_plain_size(small), 160);
  assert_false(hp_plain_resize(small, 161));
  assert_false(hp_plain_resize(small, 128));
  assert_false(hp_plain_resize(small, 70000));
  assert_true(hp_plain_resize(large, 131072 - HP_FRONT));
  assert_int_equal(hp_plain_size(large), 131072 - HP_FRONT);
  assert_false(hp_plain_resize(large, 131073 - HP_FRONT));
  assert_false(hp_plain_resize(large, 65536 - HP_FRONT));
  assert_true(deallocate(small) && deallocate(large));
}

/* Its thread's caches may be half changed. */
static void a_handler_leaves_the_caches_alone(void **state) {
  (void)state;
  struct hp_thread *self = hp_thread_get();
  deallocate(allocate(48, 0)); /* there is a cache */
  static struct hp_cache before[HP_PLAIN_CLASS_COUNT];
  memcpy(before, self->plain, sizeof before);
  hp_plain_enter(self);
  char *p = allocate(48, 0);
  assert_int_equal(hp_plain_size(p), 48);
  assert_null(hp_plain_quick_allocate(48, NULL));
  assert_false(hp_plain_quick_free(p));
  assert_true(deallocate(p));
  assert_true(self->in_plain);
  hp_plain_leave(self);
  assert_memory_equal(before, self->plain, sizeof before);
}

static void the_quick_way_is_the_same(void **state) {
  (void)state;
  struct hp_thread *self = hp_thread_get();
  deallocate(allocate(48, 0)); /* there is a cache */
  hp_sampling = false;
  assert_null(hp_plain_quick_allocate(40, NULL));
  hp_sampling = true;
  uint64_t requests = self->requests;
  char *p = hp_plain_quick_allocate(40, NULL);
  assert_int_equal(hp_plain_size(p), 40);
  assert_int_equal(self->requests, requests + 1);
  assert_true(hp_plain_quick_free(p));
  assert_false(hp_plain_quick_free(p)); /* for the long way to report */
  assert_false(hp_plain_quick_free(p + 8));
  assert_false(hp_plain_quick_free(&requests));
  assert_null(hp_plain_quick_allocate(70000, NULL));
  /* A scope is for the next chunk, unless that is a container's. */
  struct hp_type_descriptor of_container = {.flags = HP_TYPE_OF_CONTAINER},
                            other = {0};
  __heapprof_scoped_type = &other;
  assert_null(hp_plain_quick_allocate(40, NULL));
  assert_null(hp_plain_quick_allocate(40, &other));
  p = hp_plain_quick_allocate(40, &of_container);
  assert_int_equal(hp_plain_size(p), 40);
  assert_true(hp_plain_quick_free(p));
  assert_ptr_equal(__heapprof_scoped_type, &other);
  __heapprof_scoped_type = NULL;
  self->until_sample = 1; /* the next one is a sample */
  assert_null(hp_plain_quick_allocate(40, NULL));
  assert_int_equal(self->requests, requests + 2);
  assert_false(self->in_plain);
}

static void refused_memory_is_a_failed_request(void **state) {
  (void)state;
  double_commit_limit = 0;
  assert_null(allocate((size_t)1 << 30, 0));
  double_commit_limit = SIZE_MAX;
  assert_null(allocate(HP_SIZE_MAX, 0));
  void *p = allocate((size_t)1 << 30, 0);
  assert_true(deallocate(p));
}

int main(void) {
  hp_options.sample_every = 1u << 24;
  hp_sample_start(); /* before there are threads */
  double_start();
  assert_true(hp_heap_reserve_plain());
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(class_of_every_size),
      cmocka_unit_test(a_size_is_known_until_the_end),
      cmocka_unit_test(what_is_no_beginning_is_no_chunk),
      cmocka_unit_test(alignments),
      cmocka_unit_test(zeroed_even_where_others_were),
      cmocka_unit_test(resized_where_it_is_within_its_class),
      cmocka_unit_test(a_handler_leaves_the_caches_alone),
      cmocka_unit_test(the_quick_way_is_the_same),
      cmocka_unit_test(refused_memory_is_a_failed_request),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
