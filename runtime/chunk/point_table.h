/* point_table.h - a table by point of few entries, each taken once and then
   kept: from any thread and any handler, waits for nobody.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_TABLE_H
#define HP_POINT_TABLE_H

#include "system/memory.h"

#define HP_POINT_PROBES 32u

/* A table that is mapped when it gets its first entry, so that a program which
   needs none has more of its memory where that is limited. */
struct hp_point_map {
  void *entries;   /* NULL: there are none yet */
  bool is_refused; /* nobody asks again */
};

/* The entries of MAP, of SIZE bytes; NULL: nothing has been taken, or the system
   refuses. */
HP_INLINE void *hp_point_map_entries(struct hp_point_map *map, size_t size,
                                     bool take) {
  void *there = __atomic_load_n(&map->entries, __ATOMIC_ACQUIRE);
  if (there || !take || __atomic_load_n(&map->is_refused, __ATOMIC_RELAXED))
    return there;
  void *more = hp_sys_map(size);
  if (!more)
    __atomic_store_n(&map->is_refused, true, __ATOMIC_RELAXED);
  else if (__atomic_compare_exchange_n(&map->entries, &there, more, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return more;
  else
    hp_sys_unmap(more, size);
  return there;
}

/* The entry of POINT, which is not 0, of a TABLE of ENTRIES, a power of two, of
   SIZE bytes each, which begin with the point.  TAKE: a free one is given to it.
   NULL: it has none, and there is no room where it would be. */
HP_INLINE void *hp_point_table_find(void *table, size_t size, uint32_t entries,
                                    uint32_t point, bool take) {
  for (uint32_t i = 0; i < HP_POINT_PROBES; i++) {
    const uint32_t place = (point * 0x9e3779b1u + i) % entries;
    uint32_t *entry = (void *)((char *)table + place * size);
    uint32_t seen = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if (!seen && !take)
      return NULL; /* no entry is ever given back */
    if (seen == point || (!seen && (__atomic_compare_exchange_n(
                                        entry, &seen, point, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
                                    seen == point)))
      return entry;
  }
  return NULL;
}

/* A MAP of many points keeps these by themselves, u32 [ENTRIES], so that one that
   has no entry is told from two cache lines; then come the ENTRIES, of SIZE bytes
   each, and a bit for each of the first HP_POINT_REFUSALS points, if it was refused:
   where points are many more than entries, nearly all are, again and again.  All of
   it may be zeroed by one that empties it. */
#define HP_POINT_REFUSALS ((uint32_t)1 << 18)
HP_INLINE size_t hp_point_map_size(size_t size, uint32_t entries) {
  return entries * (sizeof(uint32_t) + size) + HP_POINT_REFUSALS / 8;
}

HP_INLINE void *hp_point_map_first(const struct hp_point_map *map,
                                   uint32_t entries) {
  char *there = __atomic_load_n(&map->entries, __ATOMIC_ACQUIRE);
  return there ? there + entries * sizeof(uint32_t) : NULL;
}

/* The byte of POINT's bit in a map whose entries end at END; NULL: it has none. */
HP_INLINE uint8_t *hp_point_refusals(char *end, uint32_t point) {
  return point < HP_POINT_REFUSALS ? (uint8_t *)end + point / 8 : NULL;
}

/* The entry of POINT, as hp_point_table_find; 0 has none. */
HP_INLINE void *hp_point_map_find(struct hp_point_map *map, size_t size,
                                  uint32_t entries, uint32_t point, bool take) {
  uint32_t *keys =
      point ? hp_point_map_entries(map, hp_point_map_size(size, entries), take)
            : NULL;
  if (!keys)
    return NULL;
  char *first = (char *)(keys + entries);
  uint8_t *refusals = hp_point_refusals(first + entries * size, point);
  const uint8_t bit = (uint8_t)(1u << point % 8);
  if (refusals && __atomic_load_n(refusals, __ATOMIC_RELAXED) & bit)
    return NULL;
  const uint32_t *key =
      hp_point_table_find(keys, sizeof *keys, entries, point, take);
  if (!key && take && refusals)
    __atomic_fetch_or(refusals, bit, __ATOMIC_RELAXED);
  return key ? first + (size_t)(key - keys) * size : NULL;
}

#endif
