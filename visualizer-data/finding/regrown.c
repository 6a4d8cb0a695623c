/* regrown.c - see regrown.h: what a copy constructor made and a larger chunk follows is
   evidence; what is made where that is freed takes over from it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/regrown.h"

#include <stdlib.h>

#include "base/growing_array.h"
#include "base/same_text.h"
#include "base/saturate.h"
#include "finding/finding_words.h"
#include "resolve/enlarging.h"

/* One that lives long before it grows, or beside others, is no copy for nothing. */
static bool soon_grows(const struct hp_point *p) {
  return p->place && hp_are_mostly_outgrown(p) && hp_point_follows_itself(p) &&
         !hp_point_overlaps(p);
}

static bool add(struct hp_regrown *all, const struct hp_point *point,
                const struct hp_frame *place) {
  if (!hp_room_for_one((void **)&all->steps, all->count, &all->room,
                       sizeof *all->steps))
    return false;
  all->steps[all->count++] = (struct hp_regrown_step){point, place};
  return true;
}

bool hp_regrown_add(struct hp_regrown *all, const struct hp_point *point) {
  return !soon_grows(point) || !hp_origin_is_copy(point) ||
         add(all, point, point->place);
}

void hp_regrown_free(struct hp_regrown *all) { free(all->steps); }

/* So many of COPY's chunks are outgrown at PLACE. */
static uint64_t outgrown_at(const struct hp_point *copy,
                            const struct hp_frame *place) {
  uint64_t chunks = 0;
  for (size_t i = 0; i < copy->freed_count; i++)
    if (copy->freed[i].place && hp_is_same_place(copy->freed[i].place, place) &&
        hp_is_outgrown(copy->freed[i].stack, copy->freed[i].stack_count))
      chunks = hp_add(chunks, copy->freed[i].chunks);
  return chunks;
}

/* Of one type, and no more of them than of the copies: they have no other beginning, nor do
   they grow on. */
static bool takes_over(const struct hp_point *point,
                       const struct hp_point *copy) {
  const uint64_t outgrown = copy->process == point->process &&
                                    hp_is_same_text(copy->type, point->type)
                                ? outgrown_at(copy, point->place)
                                : 0;
  return outgrown && point->chunks <= hp_add(outgrown, outgrown / 8);
}

static const struct hp_regrown_step *find(const struct hp_regrown *all,
                                          const struct hp_point *point) {
  for (size_t i = 0; i < all->count; i++)
    if (all->steps[i].point == point)
      return &all->steps[i];
  return NULL;
}

const struct hp_frame *hp_regrown_find(const struct hp_regrown *all,
                                       const struct hp_point *point) {
  const struct hp_frame *place = NULL;
  if (!all->count || !point->place)
    return NULL;
  const struct hp_regrown_step *own = find(all, point);
  if (own)
    return own->place;
  if (!hp_is_outgrown(point->stack, point->stack_count))
    return NULL;
  for (size_t i = 0; i < all->count; i++) {
    if (!takes_over(point, all->steps[i].point))
      continue;
    if (place && !hp_is_same_place(place, all->steps[i].place))
      return NULL; /* from one of them, or the other */
    place = all->steps[i].place;
  }
  return place;
}

/* More steps are a chain (growing.h). */
#define HP_STEPS 3

bool hp_regrown_go_on(struct hp_regrown *all,
                      const struct hp_point *const *points, size_t count) {
  size_t known = 0;
  for (unsigned step = 1; step < HP_STEPS && known < all->count; step++) {
    known = all->count;
    for (size_t i = 0; i < count; i++) {
      if (points[i]->is_part || find(all, points[i]) || !soon_grows(points[i]))
        continue;
      const struct hp_frame *place = hp_regrown_find(all, points[i]);
      if (place && !add(all, points[i], place))
        return false;
    }
  }
  return true;
}

bool hp_is_regrown(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->regrown || s->origin.copied || !hp_suspect_container(s) ||
      !hp_suspect_follows_itself(s) || hp_point_overlaps(s->point))
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_put_at(v, s, s->regrown);
  v->finding.subject = s->origin.container;
  v->copied.is_regrown = true;
  return true;
}

void hp_put_regrown(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  fprintf(out,
          "%s copies %s%s again and again, and the copy soon grows, which "
          "copies it once more",
          v->origin.by_header ? " calls a library, which" : "",
          v->origin.by_header ? "a " : "its ",
          hp_thing(&v->finding, "container"));
}

const char hp_regrown_remedy[] =
    "Assign to one that is kept from call to call and has the room, or reserve "
    "in an empty one what it will need and append the original. Where the copy "
    "only takes room from its original, as by swap, leave that out.";
