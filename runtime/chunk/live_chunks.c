/* live_chunks.c - see live_chunks.h: every slot that was ever used is looked at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/live_chunks.h"

#include "chunk/bare_chunk.h"
#include "chunk/describe.h"
#include "chunk/pooled.h"
#include "heap/beside_table.h"
#include "heap/owner.h"
#include "system/clock.h"

static void give_live(const struct hp_chunk *chunk, uint64_t end,
                      void (*each)(const struct hp_chunk_reference *, void *),
                      void *arg) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  struct hp_chunk_reference live = {
      .t0 = __atomic_load_n(&cold->t0, __ATOMIC_ACQUIRE),
      .point = cold->point,
      .thread = cold->thread,
      .chunk = chunk};
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  /* If the slot got another chunk meanwhile, the end of the one that was asked
     for is among the events. */
  if ((__atomic_load_n(&cold->word, __ATOMIC_ACQUIRE) & HP_RECORD_LIVE) &&
      __atomic_load_n(&cold->t0, __ATOMIC_RELAXED) == live.t0 &&
      live.t0 >= hp_clock_window_start && live.t0 <= end)
    each(&live, arg);
}

static void give_bare(const struct hp_bare *record, uintptr_t start,
                      uint64_t end,
                      void (*each)(const struct hp_chunk_reference *, void *),
                      void *arg) {
  const uint64_t when = __atomic_load_n(&record->when, __ATOMIC_ACQUIRE),
                 word = __atomic_load_n(&record->word, __ATOMIC_ACQUIRE);
  const struct hp_chunk_reference live = {.t0 = hp_bare_t0_of(when),
                                          .point = hp_bare_point_of(word),
                                          .thread =
                                              hp_bare_thread_of(when, word),
                                          .chunk = (const void *)start};
  if ((word & HP_RECORD_LIVE) && /* as give_live() */
      __atomic_load_n(&record->when, __ATOMIC_RELAXED) == when &&
      live.t0 >= hp_clock_window_start && live.t0 <= end)
    each(&live, arg);
}

void hp_allocator_each_live(uint64_t end,
                            void (*each)(const struct hp_chunk_reference *live,
                                         void *arg),
                            void *arg) {
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    const uint64_t slots = hp_owner_slots(c);
    for (uint64_t i = 0; i < slots; i++)
      give_live(hp_heap_slot(c, i), end, each, arg);
  }
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    const uint64_t slots = hp_bare_slots(c);
    for (uint64_t i = 0; i < slots; i++)
      give_bare(&hp_bare_records(c)[i],
                hp_bare_class_base(c) + i * hp_bare_slot_size(c), end, each,
                arg);
  }
  hp_pooled_each_live(end, each, arg);
}

static uint64_t slots_in_use(unsigned size_class, uint64_t slots) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < slots; i++) {
    const struct hp_cold *cold = hp_cold_of(hp_heap_slot(size_class, i));
    if (__atomic_load_n(&cold->word, __ATOMIC_RELAXED) & HP_RECORD_LIVE)
      count++;
  }
  return count;
}

static struct hp_heap_region bare_region(unsigned size_class) {
  const uint64_t slots = hp_bare_slots(size_class);
  const size_t slot = hp_bare_slot_size(size_class);
  struct hp_heap_region region = {.begin = hp_bare_class_base(size_class),
                                  .used = slots * slot,
                                  .slot = slot};
  for (uint64_t i = 0; i < slots; i++)
    if (__atomic_load_n(&hp_bare_records(size_class)[i].word,
                        __ATOMIC_RELAXED) &
        HP_RECORD_LIVE)
      region.chunks++;
  return region;
}

void hp_allocator_each_region(void (*each)(const struct hp_heap_region *region,
                                           void *arg),
                              void *arg) {
  if (hp_beside) /* whose regions are not known */
    return;
  for (unsigned c = 0; c < HP_ALL_CLASS_COUNT; c++) {
    const uint64_t slots = hp_owner_slots(c);
    const unsigned shift = hp_heap_slot_shift(c);
    const struct hp_heap_region region = {.begin = hp_heap_class_base(c),
                                          .used = slots << shift,
                                          .slot = (uint64_t)1 << shift,
                                          .chunks = slots_in_use(c, slots),
                                          .is_apart = c >= HP_CLASS_COUNT};
    if (slots)
      each(&region, arg);
  }
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++) {
    const struct hp_heap_region region = bare_region(c);
    if (region.used)
      each(&region, arg);
  }
}

static bool describe_bare(const struct hp_chunk_reference *live,
                          struct hp_chunk_log *chunk) {
  const struct hp_bare_slot slot = hp_bare_slot_of(live->chunk);
  hp_bare_describe(chunk, slot.record, slot.start);
  chunk->address = slot.start;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where a chunk was, there is a slot */
  return (slot.record->word & HP_RECORD_LIVE) &&
         hp_bare_t0(slot.record) == live->t0;
}

bool hp_allocator_describe(const struct hp_chunk_reference *live,
                           struct hp_chunk_log *chunk) {
  if (hp_bare_holds(live->chunk))
    return describe_bare(live, chunk);
  if (!hp_heap_holds(live->chunk))
    return hp_pooled_describe_live(live, chunk);
  const struct hp_chunk *record = live->chunk;
  const struct hp_cold *cold = hp_cold_of(record);
  bool sound = hp_describe(chunk, record, cold);
  chunk->address = hp_chunk_place(record);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (!(cold->word & HP_RECORD_LIVE) || cold->t0 != live->t0)
    return false;
  if (HP_UNLIKELY(!sound))
    hp_report_damage(chunk->size);
  return true;
}
