/* test_slot_class.c - from an address in a class of slots to the slot's number,
   and where the size words of plain chunks are.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/slot_class.h"

#include "system_double.h"

static uint64_t most_slots(unsigned c) {
  const uintptr_t start = hp_plain_class_base(c) - HP_PLAIN_BASE -
                          ((uintptr_t)c << HP_PLAIN_REGION_SHIFT);
  return (((uintptr_t)1 << HP_PLAIN_REGION_SHIFT) - start) /
         hp_plain_slot_size(c);
}

static void the_tables_are_what_is_said_elsewhere(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++) {
    assert_int_equal(hp_plain_classes[c].base, hp_plain_class_base(c));
    assert_int_equal(hp_plain_classes[c].slot, hp_plain_slot_size(c));
  }
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    assert_int_equal(hp_bare_classes[c].base, hp_bare_class_base(c));
    assert_int_equal(hp_bare_classes[c].slot, hp_bare_slot_size(c));
    assert_int_equal(hp_bare_classes[c].kept, hp_bare_records(c));
  }
}

static void check_slot(const struct hp_slot_class *of, uint64_t number) {
  const uintptr_t start = number * of->slot;
  const uintptr_t in[] = {1, of->slot / 2, of->slot - 1};
  assert_int_equal(hp_slot_place(of, start).number, number);
  assert_true(hp_slot_place(of, start).is_start);
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
    assert_int_equal(hp_slot_place(of, start + in[i]).number, number);
    assert_false(hp_slot_place(of, start + in[i]).is_start);
  }
}

static void every_byte_has_its_slot_and_the_first_is_told(void **state) {
  (void)state;
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++) {
    const struct hp_slot_class *of = &hp_plain_classes[c];
    const uint64_t slots = most_slots(c);
    for (uint64_t i = 0; i < slots; i += i < 5000 ? 1 : 1 + slots / 5000)
      check_slot(of, i);
    check_slot(of, slots - 1);
  }
}

static void size_words_are_apart(void **state) {
  (void)state;
  const uint16_t *end = (const uint16_t *)HP_PLAIN_SIZES_BASE;
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++) {
    const uint16_t *words = hp_plain_size_words(&hp_plain_classes[c]);
    assert_true(words >= end);
    end = words + most_slots(c);
  }
  assert_true((uintptr_t)end <= HP_PLAIN_RECORDS_BASE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tables_are_what_is_said_elsewhere),
      cmocka_unit_test(every_byte_has_its_slot_and_the_first_is_told),
      cmocka_unit_test(size_words_are_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
