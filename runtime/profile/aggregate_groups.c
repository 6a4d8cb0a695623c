/* aggregate_groups.c - see aggregate_groups.h: all groups of a point but the last,
   in parts; merged as time passes, or where all points have too many.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate_groups.h"

#include "system/real_libc.h"

#define GROUPS_FREE 3u /* a point may have so many whatever the budget */

static struct part *newest_part(const struct record *r) {
  return r->groups ? block_at(r->groups) : NULL;
}

static size_t part_size(uint32_t capacity) {
  return sizeof(struct part) + capacity * sizeof(struct group);
}

/* Larger by a quarter: little stays unused, and there are few parts.  The first
   ones have three, which fill a block: of one group each as well, where many
   points have some, a block of 64 bytes was beside each of these. */
static bool add_part(struct record *r) {
  uint32_t groups = r->group_capacity / 4 + 1;
  if (groups < 3)
    groups = 3;
  size_t wanted = part_size(groups);
  uint32_t capacity = capacity_for(
      sizeof(struct part), sizeof(struct group),
      wanted < PART_MAX ? groups : PART_MAX / sizeof(struct group));
  uint32_t made = take_block(part_size(capacity));
  if (!made)
    return false;
  *(struct part *)block_at(made) =
      (struct part){.older = r->groups, .capacity = (uint16_t)capacity};
  hp_all.groups_bytes += part_size(capacity);
  r->group_capacity += capacity;
  r->groups = made;
  return true;
}

static bool has_room(const struct record *r) {
  const struct part *part = newest_part(r);
  return part && part->count < part->capacity;
}

/* There is room. */
static void append_group(struct record *r, const struct group *group) {
  struct part *part = newest_part(r);
  part->items[part->count++] = *group;
}

struct group *hp_aggregate_copy_groups(const struct record *r,
                                       uint32_t *count) {
  size_t size = 0;
  const struct part *part = newest_part(r);
  for (; part; part = part->older ? block_at(part->older) : NULL)
    size += part->count * sizeof(struct group);
  *count = (uint32_t)(size / sizeof(struct group));
  hp_all.groups.size = 0;
  if (!hp_bytes_reserve(&hp_all.groups, size + sizeof(struct group)))
    return NULL;
  part = newest_part(r);
  for (; part; part = part->older ? block_at(part->older) : NULL) {
    size -= part->count * sizeof(struct group);
    hp_real_memcpy(hp_all.groups.data + size, part->items,
                   part->count * sizeof(struct group));
  }
  return (struct group *)(void *)hp_all.groups.data;
}

static void give_newest(struct record *r) {
  const struct part *part = newest_part(r);
  const uint32_t older = part->older, capacity = part->capacity;
  give_block(r->groups, part_size(capacity));
  hp_all.groups_bytes -= part_size(capacity);
  r->group_capacity -= capacity;
  r->groups = older;
}

void hp_aggregate_give_groups(struct record *r) {
  while (r->groups)
    give_newest(r);
}

/* Fewer groups than there were: they stay in the oldest parts, which are as large as
   new ones would be.  Those given back and taken again were elsewhere mostly. */
static void keep_groups(struct record *r, const struct group *items,
                        uint32_t count) {
  while (r->groups && r->group_capacity - newest_part(r)->capacity >= count)
    give_newest(r);
  uint32_t before = r->group_capacity; /* what older parts have room for */
  for (struct part *part = newest_part(r); part;
       part = part->older ? block_at(part->older) : NULL) {
    before -= part->capacity;
    part->count = (uint16_t)(count - before);
    hp_real_memcpy(part->items, items + before,
                   part->count * sizeof(struct group));
    count = before;
  }
}

/* Grows by one each time that TIME has grown by a quarter, or less. */
static uint32_t merge_number(uint64_t time) {
  unsigned digits = hp_digits(time);
  return digits < 3 ? digits
                    : 4 * digits + (unsigned)(time >> (digits - 3) & 3);
}

/* Room for one more; merging comes before growing.  To merge is to read and
   copy all there is, so while the point may grow, it waits until the time, and
   so tau, has grown enough for many groups to go. */
static bool make_room(struct record *r, uint64_t time) {
  if (has_room(r))
    return true;
  uint32_t count, number = merge_number(time);
  bool may_grow = r->group_capacity < GROUPS_FREE ||
                  hp_all.groups_bytes <= HP_GROUPS_BUDGET;
  if (!r->groups || (may_grow && r->merged == number))
    return add_part(r);
  struct group *items = hp_aggregate_copy_groups(r, &count);
  if (!items)
    return add_part(r);
  r->merged = number;
  uint64_t tau = tau_at(r, time);
  uint32_t kept = merge_groups(items, count, tau);
  while (!may_grow && kept > (r->group_capacity + 1) / 2) {
    r->tau = tau = 2 * tau + 1;
    kept = merge_groups(items, kept, tau);
  }
  if (kept < count)
    keep_groups(r, items, kept);
  return has_room(r) || add_part(r);
}

struct group *hp_aggregate_older_group(const struct record *r, uint64_t t0) {
  struct part *part = newest_part(r);
  while (part->items[0].first > t0 && part->older)
    part = block_at(part->older);
  uint32_t low = 0, high = part->count; /* the first that begins behind T0 */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (part->items[middle].first <= t0)
      low = middle + 1;
    else
      high = middle;
  }
  return &part->items[low ? low - 1 : 0];
}

void hp_aggregate_begin_group(struct record *r, uint64_t t0, uint32_t weight) {
  struct group *tail = &r->tail;
  bool is_first = r->chunks == 0 && !r->groups;
  if (!is_first && t0 < tail->last) {
    group_of(r, t0)->chunks += weight; /* it comes too late */
  } else if (is_first || make_room(r, t0)) {
    if (!is_first)
      append_group(r, tail);
    *tail = (struct group){.first = t0, .last = t0, .chunks = weight};
  }
}
