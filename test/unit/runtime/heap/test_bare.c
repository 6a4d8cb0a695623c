/* test_bare.c - slots of chunks without hooks: their classes, and which of them an
   address lies in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/bare.h"

#include "system_double.h"

static void class_of_every_size(void **state) {
  (void)state;
  for (size_t size = 0; size <= HP_BARE_MAX; size++) {
    const unsigned c = hp_bare_class(size);
    assert_true(c < HP_BARE_CLASS_COUNT);
    /* As much behind it as in glibc, and no more than a slot less would have. */
    assert_true(size + HP_BARE_BEHIND <= hp_bare_slot_size(c));
    assert_true(c == 0 || size + HP_BARE_BEHIND > hp_bare_slot_size(c - 1));
  }
}

/* Tables that double have such: no quarter of a slot is left over. */
static void a_power_of_two_wastes_nothing(void **state) {
  (void)state;
  for (size_t size = 32; size <= HP_BARE_MAX; size *= 2)
    assert_int_equal(hp_bare_slot_size(hp_bare_class(size)), size + 16);
}

static void slots_of_all_addresses(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    const size_t slot = hp_bare_slot_size(c);
    const uint64_t count = ((size_t)1 << 35) / slot;
    const uintptr_t base = hp_bare_class_base(c);
    hp_primary_used[HP_BARE][c] = count * slot;
    for (uint64_t i = 0; i < count; i += i < 5000 ? 1 : 7919) {
      const uintptr_t start = base + i * slot;
      const uintptr_t at[] = {start, start + 1, start + slot - 1};
      for (size_t k = 0; k < 3; k++) {
        const struct hp_bare_slot found = hp_bare_slot_of((void *)at[k]);
        assert_ptr_equal(found.start, start);
        assert_ptr_equal(found.record, hp_bare_records(c) + i);
      }
    }
    assert_int_equal(hp_bare_slots(c), count);
    assert_null(hp_bare_slot_of((void *)(base + count * slot)).record);
    assert_null(hp_bare_slot_of((void *)(base - 1)).record);
    hp_primary_used[HP_BARE][c] = 0;
    assert_null(hp_bare_slot_of((void *)base).record);
  }
}

static void what_is_kept_of_classes_is_apart(void **state) {
  (void)state;
  uintptr_t records = HP_BARE_RECORDS_BASE, chains = HP_BARE_CHAINS_BASE;
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    struct hp_bare *first = hp_bare_records(c);
    const uint64_t most =
        ((size_t)1 << HP_PLAIN_REGION_SHIFT) / hp_bare_slot_size(c);
    assert_true((uintptr_t)first >= records);
    records = (uintptr_t)(first + most);
    const uintptr_t state_of =
        (uintptr_t)hp_bare_chain(hp_bare_class_base(c), first);
    assert_true(state_of >= chains);
    chains = state_of + most * sizeof(struct hp_chain_state);
  }
  assert_true(records <= HP_BARE_CHAINS_BASE);
  assert_true(chains <= HP_BARE_BASE + HP_BARE_SIZE);
}

static void parts_of_a_record(void **state) {
  (void)state;
  const uint64_t times[] = {0, 1, HP_BARE_T0_END - 1};
  const uint64_t sizes[] = {0, 1, HP_BARE_MAX};
  const uint32_t points[] = {0, 1, UINT32_MAX},
                 threads[] = {1, 1023, 1024, HP_BARE_THREADS - 1};
  const uint64_t flags[] = {0, HP_RECORD_LIVE, HP_RECORD_FLAGS};
  for (size_t i = 0; i < 4 * 3 * 3 * 3 * 3; i++) {
    const uint32_t thread = threads[i % 4], point = points[i / 4 % 3];
    const uint64_t size = sizes[i / 12 % 3], flag = flags[i / 36 % 3],
                   t0 = times[i / 108];
    const uint64_t word = hp_bare_word(size, point, thread, flag);
    const struct hp_bare record = {.when = hp_bare_when(t0, thread),
                                   .word = word};
    assert_int_equal(hp_bare_t0(&record), t0);
    assert_int_equal(hp_bare_thread_of(record.when, word), thread);
    assert_int_equal(hp_bare_point_of(word), point);
    assert_int_equal(hp_bare_size_of(word), size);
    assert_int_equal(word & HP_RECORD_FLAGS, flag);
  }
}

static void one_comparison(void **state) {
  (void)state;
  assert_true(hp_bare_holds((void *)HP_BARE_BASE));
  assert_true(hp_bare_holds((void *)(HP_BARE_BASE + HP_BARE_DATA - 1)));
  assert_false(hp_bare_holds((void *)(HP_BARE_BASE - 1)));
  assert_false(hp_bare_holds((void *)HP_BARE_RECORDS_BASE));
  assert_false(hp_bare_holds(NULL));
  assert_true(hp_heap_may_hold((void *)HP_BARE_BASE));
  assert_true(hp_heap_may_hold((void *)HP_HEAP_BASE));
  assert_false(hp_heap_may_hold((void *)HP_BARE_RECORDS_BASE));
  assert_false(hp_heap_holds((void *)HP_BARE_BASE));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(class_of_every_size),
      cmocka_unit_test(a_power_of_two_wastes_nothing),
      cmocka_unit_test(slots_of_all_addresses),
      cmocka_unit_test(what_is_kept_of_classes_is_apart),
      cmocka_unit_test(parts_of_a_record),
      cmocka_unit_test(one_comparison),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
