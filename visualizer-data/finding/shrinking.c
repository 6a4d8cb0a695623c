/* shrinking.c - see shrinking.h: what shrink_to_fit made and a larger chunk follows is
   evidence; what it frees at the same place is the other half of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/shrinking.h"

#include <stdlib.h>

#include "base/growing_array.h"
#include "base/saturate.h"
#include "finding/finding_words.h"
#include "resolve/enlarging.h"

#define SHRINKS "shrink_to_fit"

static bool is_half(uint64_t part, const struct hp_point *p) {
  return part && part >= p->chunks - part;
}

/* A container that is shrunk once, or is dropped then, has no use for the room. */
static bool is_outgrown_again(const struct hp_point *p) {
  return p->place && hp_is_by_member(p->stack, p->stack_count, SHRINKS) &&
         hp_are_mostly_outgrown(p);
}

bool hp_shrinkers_add(struct hp_shrinkers *all, const struct hp_point *point) {
  if (!is_outgrown_again(point))
    return true;
  if (!hp_room_for_one((void **)&all->places, all->count, &all->room,
                       sizeof *all->places))
    return false;
  all->places[all->count++] = point->place;
  return true;
}

void hp_shrinkers_free(struct hp_shrinkers *all) { free(all->places); }

static const struct hp_frame *find(const struct hp_shrinkers *all,
                                   const struct hp_frame *place) {
  for (size_t i = 0; i < all->count; i++)
    if (hp_is_same_place(all->places[i], place))
      return all->places[i];
  return NULL;
}

const struct hp_frame *hp_shrinkers_find(const struct hp_shrinkers *all,
                                         const struct hp_point *point) {
  const struct hp_frame *place = NULL;
  uint64_t chunks = 0;
  if (!all->count)
    return NULL;
  if (is_outgrown_again(point))
    return find(all, point->place);
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    const struct hp_frame *here =
        hp_is_by_member(freed->stack, freed->stack_count, SHRINKS)
            ? find(all, freed->place)
            : NULL;
    if (!here || (place && here != place))
      continue;
    place = here;
    chunks = hp_add(chunks, freed->chunks);
  }
  return is_half(chunks, point) ? place : NULL;
}

bool hp_is_shrunk_again(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->shrinker || !hp_suspect_container(s))
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_put_at(v, s, s->shrinker);
  v->finding.saved_peak_bytes = 0; /* it is as large without that */
  return true;
}

void hp_put_shrinking(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  fprintf(out,
          "%s calls shrink_to_fit of %s that is soon filled again, and is "
          "copied then and at each such call",
          v->origin.by_header ? " calls a library, which" : "",
          hp_thing(&v->finding, "a container"));
}

void hp_put_shrinking_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Call it once, when all is in the container, or not at all.", out);
}
