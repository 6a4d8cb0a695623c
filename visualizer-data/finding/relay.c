/* relay.c - see relay.h: a chain counts where it began to be one, so that a point with
   growth and no chain goes on with those of another, of the same first size and type.
   Where two functions begin such chains nobody knows with whose.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/saturate.h"
#include "finding/suspect.h"

bool hp_relays_add(struct hp_relays *all, const struct hp_point *point) {
  if (!point->grown.chunks || !point->place)
    return true;
  if (!hp_room_for_one((void **)&all->members, all->count, &all->room,
                       sizeof *all->members))
    return false;
  all->members[all->count++] = (struct hp_relay){.point = point};
  return true;
}

static const char *text_of(const char *text) { return text ? text : ""; }

static int compare_kin(const struct hp_point *a, const struct hp_point *b) {
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  if (a->growth.first_size != b->growth.first_size)
    return a->growth.first_size < b->growth.first_size ? -1 : 1;
  return strcmp(text_of(a->type), text_of(b->type));
}

/* Of kin those that begin chains come first. */
static int compare(const void *left, const void *right) {
  const struct hp_point *a = ((const struct hp_relay *)left)->point;
  const struct hp_point *b = ((const struct hp_relay *)right)->point;
  const int kin = compare_kin(a, b);
  if (kin)
    return kin;
  if (!a->grown.chains != !b->grown.chains)
    return a->grown.chains ? -1 : 1;
  if (a->growth.length != b->growth.length)
    return a->growth.length < b->growth.length ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

static int compare_points(const void *left, const void *right) {
  const struct hp_relay *a = left, *b = right;
  return a->point < b->point ? -1 : a->point > b->point;
}

/* How many of the COUNT members of a kin begin chains; 0: in several functions. */
static size_t beginners_of(const struct hp_relay *members, size_t count) {
  size_t n = 0;
  while (n < count && members[n].point->grown.chains) {
    if (members[n].point->place->function != members->point->place->function)
      return 0;
    n++;
  }
  return n;
}

static size_t places_of(const struct hp_relay *members, size_t count) {
  size_t places = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < i &&
           !hp_is_same_place(members[k].point->place, members[i].point->place))
      k++;
    places += k == i;
  }
  return places;
}

static uint64_t chains_of(const struct hp_relay *members, size_t count) {
  uint64_t chains = 0;
  for (size_t i = 0; i < count; i++)
    chains = hp_add(chains, members[i].point->grown.chains);
  return chains;
}

/* Of those of which each copy was seen. */
static void put_longest(struct hp_relay *members, size_t count) {
  const struct hp_point *longest = NULL;
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = members[i].point;
    if (!p->grown.likely_chunks &&
        (!longest || p->growth.length > longest->growth.length))
      longest = p;
  }
  for (size_t i = 0; i < count && longest; i++)
    if (!members[i].longest ||
        members[i].longest->growth.length < longest->growth.length)
      members[i].longest = longest;
}

/* ---- handed over ----------------------------------------------------------- */

/* What the function of a member does about the chains of a kin. */
struct part {
  bool resizes;
  uint64_t least, most; /* sizes of the chunks that took over there */
};

static struct part part_of(const struct hp_relay *of,
                           const struct hp_relay *members, size_t count) {
  struct part part = {.least = UINT64_MAX};
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = members[i].point;
    if (p->place->function != of->point->place->function)
      continue;
    part.resizes = part.resizes || p->resizes.grown;
    if (p->size.min < part.least)
      part.least = p->size.min;
    if (p->size.max > part.most)
      part.most = p->size.max;
  }
  return part;
}

/* A text that realloc made longer goes to a buffer of another function, which is of one
   size whatever the text: no chain has two chunks there.  Where a function copies
   chunks of several sizes nobody knows. */
static void mark_takers(struct hp_relay *members, size_t count) {
  size_t resizing = 0;
  for (size_t i = 0; i < count; i++)
    resizing += members[i].point->resizes.grown != 0;
  bool known = resizing != 0;
  for (size_t i = 0; i < count && known; i++) {
    const struct hp_point *p = members[i].point;
    if (p->resizes.grown)
      continue;
    const struct part part = part_of(&members[i], members, count);
    members[i].takes_over = !part.resizes;
    known = part.resizes ||
            (p->place->function && p->size.defined && part.least == part.most);
  }
  for (size_t i = 0; i < count && !known; i++)
    members[i].takes_over = false;
}

/* How many do not take over: these come first, in their order. */
static size_t put_takers_last(struct hp_relay *members, size_t count) {
  size_t others = 0;
  mark_takers(members, count);
  for (size_t i = 0; i < count; i++) {
    const struct hp_relay member = members[i];
    if (member.takes_over)
      continue;
    members[i] = members[others];
    members[others++] = member;
  }
  return others;
}

static void put_together(struct hp_relay *members, size_t all) {
  const size_t count = put_takers_last(members, all);
  if (!count)
    return;
  const size_t beginners = beginners_of(members, count);
  const struct hp_point *begun = members->point, *most = begun;
  uint64_t last = 0;
  if (!beginners || beginners == count || !begun->place->function)
    return;
  const size_t places = places_of(members, count);
  /* The others go on with the only chain, or with one of their own place. */
  if (places == 1 || chains_of(members, beginners) == 1)
    put_longest(members, count);
  if (places == 1)
    return;
  for (size_t i = 0; i < beginners; i++)
    if (members[i].point->first_ns < begun->first_ns)
      begun = members[i].point;
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = members[i].point;
    if (p->grown.copied_bytes > most->grown.copied_bytes)
      most = p;
    if (p->growth.last_size > last)
      last = p->growth.last_size;
    if (i >= beginners && p->first_ns < begun->first_ns)
      return; /* of chains that began before */
  }
  put_longest(members, count);
  for (size_t i = 0; i < count; i++) {
    members[i].begun = begun;
    members[i].most = most;
    members[i].last_size = last;
    members[i].places = places;
  }
}

/* ---- of one call --------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

static int compare_stacks(const struct hp_point *a, const struct hp_point *b) {
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  if (a->stack_count != b->stack_count)
    return compare_numbers(a->stack_count, b->stack_count);
  for (size_t i = 0; i < a->stack_count; i++)
    if (a->stack[i] != b->stack[i])
      return a->stack[i] < b->stack[i] ? -1 : 1;
  return 0;
}

static int compare_calls(const void *left, const void *right) {
  const struct hp_point *a = ((const struct hp_relay *)left)->point;
  const struct hp_point *b = ((const struct hp_relay *)right)->point;
  const int stacks = compare_stacks(a, b);
  if (stacks)
    return stacks;
  return compare_numbers(a->id, b->id);
}

/* Of memory that has no room for a record the same call makes a point without a type:
   what grows beyond that goes on with chains that began there, if one point of the call
   began all. */
static void put_calls_together(struct hp_relay *members, size_t count) {
  struct hp_relay *begun = NULL;
  for (size_t i = 0; i < count; i++)
    if (members[i].point->grown.chains) {
      if (begun)
        return;
      begun = &members[i];
    }
  if (!begun || begun->begun || count == 1 || !begun->point->stack_count)
    return;
  put_longest(members, count);
  for (size_t i = 0; i < count; i++)
    members[i].has_sisters = true;
}

typedef int kinship(const struct hp_point *, const struct hp_point *);

static void put_kin_together(struct hp_relays *all, kinship *differ,
                             int (*order)(const void *, const void *),
                             void (*put)(struct hp_relay *members,
                                         size_t count)) {
  size_t begin = 0;
  qsort(all->members, all->count, sizeof *all->members, order);
  for (size_t i = 1; i <= all->count; i++)
    if (i == all->count ||
        differ(all->members[i].point, all->members[begin].point)) {
      put(&all->members[begin], i - begin);
      begin = i;
    }
}

void hp_relays_sort(struct hp_relays *all) {
  if (!all->count)
    return;
  put_kin_together(all, compare_kin, compare, put_together);
  put_kin_together(all, compare_stacks, compare_calls, put_calls_together);
  qsort(all->members, all->count, sizeof *all->members, compare_points);
}

static const struct hp_relay *find(const struct hp_relays *all,
                                   const struct hp_point *point) {
  const struct hp_relay key = {.point = point};
  return all->count ? bsearch(&key, all->members, all->count, sizeof key,
                              compare_points)
                    : NULL;
}

const struct hp_relay *hp_relays_find(const struct hp_relays *all,
                                      const struct hp_point *point) {
  const struct hp_relay *found = find(all, point);
  return found && found->begun ? found : NULL;
}

const struct hp_point *hp_relays_longest(const struct hp_relays *all,
                                         const struct hp_point *point) {
  const struct hp_relay *found = find(all, point);
  return found ? found->longest : NULL;
}

bool hp_relays_has_sisters(const struct hp_relays *all,
                           const struct hp_point *point) {
  const struct hp_relay *found = find(all, point);
  return found && found->has_sisters;
}

bool hp_relays_takes_over(const struct hp_relays *all,
                          const struct hp_point *point) {
  const struct hp_relay *found = find(all, point);
  return found && found->takes_over;
}

void hp_relays_free(struct hp_relays *all) {
  free(all->members);
  *all = (struct hp_relays){0};
}
