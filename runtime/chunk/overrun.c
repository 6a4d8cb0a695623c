/* overrun.c - see overrun.h: a table by point, whose entries are taken once and
   then only grow.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/overrun.h"

#include "chunk/bound.h"
#include "chunk/point_table.h"

#define ENTRIES 1024u /* a power of two */

static struct hp_overrun_entry table[ENTRIES];
static bool is_used; /* so that nobody asks in a program without any */

static struct hp_overrun_entry *entry_of(uint32_t point, bool take) {
  return hp_point_table_find(table, sizeof *table, ENTRIES, point, take);
}

static void set_first(uint64_t *word, uint64_t value) {
  uint64_t seen = 0;
  if (value)
    __atomic_compare_exchange_n(word, &seen, value, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

void hp_overrun_note(const struct hp_overrun_entry *more) {
  struct hp_overrun_entry *entry =
      more->point ? entry_of(more->point, true) : NULL;
  if (!entry)
    return;
  __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
  hp_bound_raise(&entry->beyond, more->beyond);
  set_first(&entry->read_pc, more->read_pc);
  set_first(&entry->write_pc, more->write_pc);
  __atomic_fetch_or(&entry->flags, more->flags, __ATOMIC_RELAXED);
}

struct hp_overrun_entry hp_overrun_of(uint32_t point) {
  const struct hp_overrun_entry *entry =
      is_used && point ? entry_of(point, false) : NULL;
  return entry ? *entry : (struct hp_overrun_entry){0};
}

void hp_overrun_start(void) {
  if (!is_used)
    return;
  is_used = false;
  for (uint32_t i = 0; i < ENTRIES; i++)
    table[i] = (struct hp_overrun_entry){0};
}
