/* leak_slot.c - see leak_slot.h: all ranges, and the marks of their slots.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/leak_slot.h"

#include "system/memory.h"

struct region *hp_leak_regions;

HP_NOINLINE bool hp_leak_look_at(struct slot *slot) { return look_at(slot); }

HP_NOINLINE bool hp_leak_find(struct slot *slot, uint64_t word) {
  const uintptr_t address = word & ADDRESS_MASK;
  return find_slot(slot, address) && hp_leak_look_at(slot) &&
         is_inside(slot, address);
}

static bool add_region(size_t number, enum kind kind, uintptr_t base,
                       uint64_t bytes, size_t slot) {
  struct region *region = &hp_leak_regions[number];
  *region = (struct region){
      .base = base, .slots = bytes / slot, .slot = slot, .kind = kind};
  if (region->slots)
    region->marks = hp_sys_map(region->slots);
  return region->marks || !region->slots;
}

static bool add_regions(void) {
  bool good = true;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    const size_t slot = (size_t)1 << hp_heap_slot_shift(c);
    const uintptr_t base = hp_heap_class_base(c);
    good &= add_region(c, PROFILED, base, hp_owner_slots(c) * slot, slot);
    good &= add_region(
        LARGE_PLAIN_FIRST + c, PLAIN_LARGE, base + HP_PLAIN_BASE,
        c >= HP_CLASS_COUNT ? hp_secondary_bytes(c, HP_PLAIN) : 0, slot);
  }
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    good &=
        add_region(SMALL_PLAIN_FIRST + c, PLAIN_SMALL, hp_plain_class_base(c),
                   hp_primary_bytes(c, HP_PLAIN), hp_plain_slot_size(c));
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    good &= add_region(BARE_FIRST + c, BARE, hp_bare_class_base(c),
                       hp_primary_bytes(c, HP_BARE), hp_bare_slot_size(c));
  return good;
}

bool hp_leak_regions_start(void) {
  hp_leak_regions = hp_sys_map(REGION_COUNT * sizeof *hp_leak_regions);
  return hp_leak_regions && add_regions();
}

uint64_t hp_leak_slots(void) {
  uint64_t slots = 0;
  for (unsigned r = 0; r < REGION_COUNT; r++)
    slots += hp_leak_regions[r].slots;
  return slots;
}

void hp_leak_regions_end(void) {
  if (!hp_leak_regions)
    return;
  for (unsigned r = 0; r < REGION_COUNT; r++)
    if (hp_leak_regions[r].marks)
      hp_sys_unmap(hp_leak_regions[r].marks, hp_leak_regions[r].slots);
  hp_sys_unmap(hp_leak_regions, REGION_COUNT * sizeof *hp_leak_regions);
  hp_leak_regions = NULL;
}
