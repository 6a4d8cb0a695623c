/* mappings.c - see mappings.h.  Who has the lock of mappings may stand still until
   the dump is done: then there are none in it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/mappings.h"

#include "chunk/mapping.h"
#include "chunk/mapping_tree.h"
#include "origin/stack_tree.h"
#include "system/clock.h"
#include "system/resident.h"
#include "system/waiting.h"

/* Of a greater range it is not looked at each page whose it is. */
#define LOOK_MAX ((uintptr_t)4 << 30)

#define TRIES 100u /* and a millisecond between two */

static struct {
  uint64_t unseen;
  bool is_known; /* all of what follows */
  uint64_t records;
  uint64_t totals[HP_MAPPED_COUNT];
} taken;

static bool lock(void) {
  for (unsigned i = 0; i < TRIES; i++) {
    if (hp_mappings_try_lock())
      return true;
    hp_sys_sleep_ns(1000 * 1000);
  }
  return false;
}

/* ---- resident ------------------------------------------------------------ */

void hp_mappings_look(void) {
  taken.unseen = 0;
  if (!lock())
    return;
  for (uint32_t i = 0; i < hp_mapping_site_count(); i++)
    hp_mapping_site(i)->resident = 0;
  hp_mappings_unlock();
}

static void add_to(struct hp_mapping_site *site, uint64_t bytes) {
  if (site->resident != HP_MAPPING_UNSEEN)
    site->resident += bytes;
}

/* With the lock, of ranges that lie side by side. */
static uint64_t add_each(uintptr_t begin, uintptr_t end, uint64_t resident) {
  uint64_t sum = 0;
  const bool looks = end - begin <= LOOK_MAX;
  while (begin < end) {
    const struct hp_mapped *range = hp_mapping_tree_find(begin);
    if (!range || range->begin >= end)
      break;
    const uintptr_t from = range->begin > begin ? range->begin : begin;
    const uintptr_t to = range->end < end ? range->end : end;
    struct hp_mapping_site *site = hp_mapping_site(range->site);
    if (!looks) {
      site->resident = HP_MAPPING_UNSEEN;
    } else if (sum < resident) {
      uint64_t bytes = hp_resident_bytes(from, to);
      bytes = bytes < resident - sum ? bytes : resident - sum;
      add_to(site, bytes);
      sum += bytes;
    }
    begin = to;
  }
  return looks ? sum : resident;
}

uint64_t hp_mappings_add_resident(uintptr_t begin, uintptr_t end,
                                  uint64_t resident) {
  uint64_t seen = 0;
  if (!resident || !lock())
    return 0;
  const struct hp_mapped *range =
      hp_mapping_site_count() ? hp_mapping_tree_find(begin) : NULL;
  if (range && range->begin <= begin && range->end >= end) {
    add_to(hp_mapping_site(range->site), resident);
    seen = resident;
  } else if (range && range->begin < end) {
    seen = add_each(begin, end, resident);
  }
  hp_mappings_unlock();
  return seen;
}

void hp_mappings_set_unseen(uint64_t bytes) { taken.unseen = bytes; }

/* ---- records ------------------------------------------------------------- */

static void put_stack(struct hp_bytes *to, uint32_t stack) {
  uint64_t pc[HP_STACK_MAX];
  bool truncated = false;
  const size_t depth = stack ? hp_stack_frames(stack, pc, &truncated) : 0;
  if (depth)
    hp_put_stack_field(to, HP_MAPPING_FIELD_stack, pc, depth);
  if (truncated)
    hp_put_u64_field(to, HP_MAPPING_FIELD_truncated, 1);
}

static void put(struct hp_bytes *to, const struct hp_mapping_site *site) {
  const bool doubtful = site->resident == HP_MAPPING_UNSEEN;
  const unsigned kind = site->key >> 8 | (doubtful ? HP_MAPPING_DOUBTFUL : 0);
  const uint64_t numbers[] = {
      [HP_MAPPING_FIELD_function] = site->key & 0xff,
      [HP_MAPPING_FIELD_kind] = kind,
      [HP_MAPPING_FIELD_maps] = site->maps,
      [HP_MAPPING_FIELD_bytes] = site->bytes,
      [HP_MAPPING_FIELD_live_bytes] = site->live,
      [HP_MAPPING_FIELD_peak_bytes] = site->most,
      [HP_MAPPING_FIELD_at_peak_bytes] = hp_mapping_at_peak(site),
      [HP_MAPPING_FIELD_resident_bytes] =
          site->resident < site->live ? site->resident
          : doubtful                  ? 0
                                      : site->live, /* some left since */
      [HP_MAPPING_FIELD_first] =
          site->first ? hp_clock_in_window(site->first) : 0,
  };
  put_stack(to, site->stack);
  for (unsigned tag = HP_MAPPING_FIELD_function;
       tag < sizeof numbers / sizeof *numbers; tag++)
    if (numbers[tag])
      hp_put_u64_field(to, tag, numbers[tag]);
}

void hp_mappings_take(struct hp_records *records) {
  struct hp_bytes part = {0};
  taken.is_known = lock();
  if (!taken.is_known)
    return;
  for (uint32_t i = 0; i < hp_mapping_site_count(); i++)
    if (hp_mapping_site(i)->maps) {
      put(&part, hp_mapping_site(i));
      hp_records_add(records, HP_BLOCK_MAPPINGS, &part);
    }
  for (unsigned i = 0; i < HP_MAPPED_COUNT; i++)
    taken.totals[i] = hp_mapping_total((enum hp_mapped_total)i);
  hp_mappings_unlock();
  hp_records_end_block(records, HP_BLOCK_MAPPINGS);
  if (taken.totals[HP_MAPPED_peak_time])
    taken.totals[HP_MAPPED_peak_time] =
        hp_clock_in_window(taken.totals[HP_MAPPED_peak_time]);
  taken.totals[HP_MAPPED_unseen_bytes] = taken.unseen;
  taken.is_known = !part.failed && !hp_records_are_lost(records);
  if (!taken.is_known) /* there is no memory for all of it */
    hp_records_free(records);
  taken.records = records->count;
  hp_bytes_free(&part);
}

size_t hp_mappings_put(struct hp_bytes *payload) {
  uint8_t list[HP_MAPPED_COUNT * HP_VARINT_MAX], *end = list;
  if (!taken.is_known)
    return 0;
  for (unsigned i = 0; i < HP_MAPPED_COUNT; i++)
    end = hp_varint_at(end, taken.totals[i]);
  hp_put_u64_field(payload, HP_END_mapping_records, taken.records);
  hp_put_bytes_field(payload, HP_END_mapped, list, (size_t)(end - list));
  return 2;
}
