/* set_members.c - see set_members.h: each point by its own counted chunks.
   What nobody knows, such as a point of which nothing was counted, is not so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_members.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "heapprof_members.h"
#include "profile/profile_inside.h"

struct finding {
  const hp_profile *profile;
  struct hp_store *store;
  hp_member_types *types;
  const struct hp_point **points; /* of which something was counted */
  const uint8_t **uses;           /* of each of them */
  size_t count;
  struct hp_error *error;
};

static hp_status find_points(struct finding *f,
                             const struct hp_set_place *place,
                             const struct hp_set_node *term) {
  const hp_profile *profile = f->profile;
  f->points = calloc(profile->point_count + 1, sizeof *f->points);
  f->uses = calloc(profile->point_count + 1, sizeof *f->uses);
  if (!f->points || !f->uses)
    return hp_fail_memory(f->error);
  for (size_t i = 0; i < profile->point_count; i++)
    if (hp_point_members(profile, &profile->points[i].view))
      f->points[f->count++] = &profile->points[i].view;
  if (!f->count)
    return hp_set_fail(f->error, place, term->column,
                       "%s needs accesses counted by member: build with "
                       "-fsanitize-heapprof-members, run with "
                       "HEAPPROF_OPTIONS=members=1",
                       hp_set_key_name(term->key));
  HP_TRY(hp_member_types_make(&f->types, profile, f->points, f->count,
                              UINT64_MAX, f->error));
  for (size_t i = 0; i < f->count; i++)
    HP_TRY(hp_member_uses_of(f->types, profile, f->points[i], f->store,
                             &f->uses[i], f->error));
  return HP_OK;
}

static bool is_named(const char *pattern, const struct hp_member *m) {
  char whole[400];
  if (!m->name)
    return false;
  if (hp_pattern_matches(pattern, m->name))
    return true;
  return m->base &&
         (size_t)snprintf(whole, sizeof whole, "%s::%s", m->base, m->name) <
             sizeof whole &&
         hp_pattern_matches(pattern, whole);
}

static hp_status find_term(struct finding *f, struct hp_set_node *term) {
  const uint8_t wanted = term->key == HP_KEY_MEMBER_READ ? HP_MEMBER_IS_READ
                         : term->key == HP_KEY_MEMBER_WRITTEN
                             ? HP_MEMBER_IS_WRITTEN
                             : HP_MEMBER_IS_UNUSED;
  bool *has = hp_store_take(f->store, f->profile->point_count + 2, sizeof *has);
  if (!has)
    return hp_fail_memory(f->error);
  for (size_t i = 0; i < f->count; i++) {
    const struct hp_member_type *t = hp_member_types_of(f->types, f->points[i]);
    for (size_t k = 0; t && f->uses[i] && k < t->count; k++)
      if (f->uses[i][k] & wanted && is_named(term->pattern, &t->members[k]))
        has[f->points[i]->id] = true;
  }
  term->in_side = has;
  return HP_OK;
}

static hp_status find(struct finding *f, struct hp_set_node *node,
                      const struct hp_set_place *place) {
  if (!node->asks_members)
    return HP_OK;
  if (node->kind == HP_SET_NAMED) {
    const struct hp_named_set *set = node->named;
    const struct hp_set_place there = {set->file, set->line, set->column};
    return find(f, set->root, &there);
  }
  if (node->kind == HP_SET_TERM && !node->in_side) {
    if (!f->types)
      HP_TRY(find_points(f, place, node));
    return find_term(f, node);
  }
  for (struct hp_set_node *part = node->first; part; part = part->next)
    HP_TRY(find(f, part, place));
  return HP_OK;
}

hp_status hp_set_find_members(const hp_profile *profile,
                              struct hp_set_node *root,
                              const struct hp_set_place *place,
                              struct hp_store *store, struct hp_error *error) {
  struct finding f = {.profile = profile, .store = store, .error = error};
  const hp_status status = root ? find(&f, root, place) : HP_OK;
  hp_member_types_free(f.types);
  free(f.points);
  free(f.uses);
  return status;
}
