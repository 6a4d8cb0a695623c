/* unseen_modules.c - see unseen_modules.h: counts the points of each.
   There are as few as libraries, so that a list will do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/unseen_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "base/same_text.h"
#include "base/saturate.h"

static int compare(const void *left, const void *right) {
  const struct hp_unseen_module *a = left, *b = right;
  if (a->points != b->points)
    return a->points > b->points ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

static hp_status count(struct hp_profile *profile, const struct hp_point *point,
                       size_t *capacity, struct hp_error *error) {
  const char *path = point->unseen->module;
  for (size_t i = 0; i < profile->unseen_count; i++)
    if (hp_is_same_text(profile->unseen[i].path, path)) {
      profile->unseen[i].points++;
      return HP_OK;
    }
  if (!hp_room_for_one((void **)&profile->unseen, profile->unseen_count,
                       capacity, sizeof *profile->unseen))
    return hp_fail_memory(error);
  profile->unseen[profile->unseen_count++] =
      (struct hp_unseen_module){path, 1, point->id};
  return HP_OK;
}

hp_status hp_unseen_find(struct hp_profile *profile, struct hp_error *error) {
  struct hp_global *g = &profile->global;
  size_t capacity = 0;
  for (size_t i = 0; i < profile->point_count; i++) {
    const struct hp_point *point = &profile->points[i].view;
    if (point->accesses_known)
      continue;
    g->unknown_points++;
    g->unknown_chunks = hp_add(g->unknown_chunks, point->chunks);
    g->unknown_bytes = hp_add(g->unknown_bytes, point->bytes);
    if (point->unseen)
      HP_TRY(count(profile, point, &capacity, error));
  }
  if (profile->unseen_count)
    qsort(profile->unseen, profile->unseen_count, sizeof *profile->unseen,
          compare);
  return HP_OK;
}

size_t hp_profile_unseen_count(const hp_profile *profile) {
  return profile->unseen_count;
}

const char *hp_profile_unseen_at(const hp_profile *profile, size_t i) {
  if (i >= profile->unseen_count)
    return NULL;
  const char *path = profile->unseen[i].path;
  return path ? path : "code in no module";
}

bool hp_profile_unseen_has_module(const hp_profile *profile) {
  for (size_t i = 0; i < profile->unseen_count; i++)
    if (profile->unseen[i].path)
      return true;
  return false;
}
