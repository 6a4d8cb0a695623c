/* member_types.c - answers heapprof_members.h: points by type, layouts by module, counts by member.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_members.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "base/saturate.h"
#include "profile/profile_inside.h"
#include "query/line_sums.h"
#include "query/member_sums.h"
#include "resolve/member_order.h"
#include "resolve/record_index.h"
#include "resolve/stack.h"
#include "resolve/type_symbol.h"

#define MODULES_MOST 8u /* where a type is looked for */

struct type {
  struct hp_member_type view;
  const struct hp_point **points;
  size_t point_count, point_room;
  struct hp_symbol_module modules[MODULES_MOST];
  size_t module_count;
  bool is_counted;
};

/* Of points whose chunks threads share falsely. */
struct point_lines {
  const struct hp_point *point;
  const struct hp_false_line *lines;
  size_t count;
};

struct hp_member_types {
  struct hp_store store;
  struct type *types;
  size_t count;
  const struct hp_member_type **sorted; /* those that something is known of */
  size_t sorted_count;
  struct point_lines *lines;
  size_t line_count, line_room;
};

const char *hp_member_kind_name(enum hp_member_kind kind) {
  static const char *const names[] = {"field", "pointer", "hole", "place",
                                      "behind"};
  return names[kind];
}

/* ---- points by type ------------------------------------------------------ */

static struct type *type_of(struct hp_member_types *all,
                            const struct hp_point *p) {
  for (size_t i = 0; i < all->count; i++) {
    struct type *t = &all->types[i];
    if (t->view.size == p->element_size &&
        (t->view.type == p->type || strcmp(t->view.type, p->type) == 0))
      return t;
  }
  return NULL;
}

static hp_status add_point(struct hp_member_types *all,
                           const hp_profile *profile, const struct hp_point *p,
                           struct hp_error *error) {
  struct type *t;
  if (!p->type || p->key || p->chunks == 0 || hp_type_is_scalar(p->type))
    return HP_OK;
  t = type_of(all, p);
  if (!t) {
    struct type *types =
        reallocarray(all->types, all->count + 1, sizeof *types);
    if (!types)
      return hp_fail_memory(error);
    all->types = types;
    t = &types[all->count++];
    *t = (struct type){.view = {.type = p->type, .size = p->element_size}};
    t->view.is_everywhere_known = true;
  }
  if (!hp_room_for_one((void **)&t->points, t->point_count, &t->point_room,
                       sizeof *t->points))
    return hp_fail_memory(error);
  t->points[t->point_count++] = p;
  struct hp_member_type *v = &t->view;
  v->chunks = hp_add(v->chunks, p->chunks);
  v->bytes = hp_add(v->bytes, p->bytes);
  v->peak_bytes = hp_add(v->peak_bytes, p->bytes_at_global_peak);
  v->elements = hp_add(v->elements, p->elements);
  v->is_everywhere_known =
      v->is_everywhere_known && p->accesses_known && !p->accesses_shared;
  t->is_counted = t->is_counted || hp_point_members(profile, p);
  return HP_OK;
}

static int by_peak(const void *left, const void *right) {
  const struct hp_point *a = *(const struct hp_point *const *)left,
                        *b = *(const struct hp_point *const *)right;
  if (a->bytes_at_global_peak != b->bytes_at_global_peak)
    return a->bytes_at_global_peak > b->bytes_at_global_peak ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

/* Those that are asked for. */
static void keep_types(struct hp_member_types *all, uint64_t least) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    struct type *t = &all->types[i];
    if (!t->is_counted && t->view.peak_bytes < least) {
      free(t->points);
      continue;
    }
    qsort(t->points, t->point_count, sizeof *t->points, by_peak);
    t->view.points = t->points;
    t->view.point_count = t->point_count;
    all->types[kept++] = *t;
  }
  all->count = kept;
}

/* ---- layouts by module --------------------------------------------------- */

static const struct hp_profile_point *inside(const hp_profile *profile,
                                             const struct hp_point *p) {
  return &profile->points[p->id - 1];
}

static void add_module(struct type *t, const struct hp_dump *dump,
                       const struct hp_frame *frame) {
  if (!frame || !frame->module || t->module_count == MODULES_MOST)
    return;
  for (size_t i = 0; i < dump->module_count; i++) {
    const struct hp_dump_module *m = &dump->modules[i];
    if (strcmp(m->path, frame->module) != 0)
      continue;
    for (size_t k = 0; k < t->module_count; k++)
      if (t->modules[k].path == m->path)
        return;
    t->modules[t->module_count++] =
        (struct hp_symbol_module){.path = m->path,
                                  .build_id = m->build_id,
                                  .build_id_size = m->build_id_size};
    return;
  }
}

/* That of the code which allocates it first. */
static void find_modules(struct type *t, const hp_profile *profile) {
  for (size_t i = 0; i < t->point_count; i++) {
    const struct hp_point *p = t->points[i];
    const struct hp_dump *dump = inside(profile, p)->process->dump;
    add_module(t, dump, p->site);
    for (size_t k = 0; k < p->stack_count; k++)
      add_module(t, dump, p->stack[k]);
  }
}

static bool same_module(const struct hp_symbol_module *a,
                        const struct hp_symbol_module *b) {
  return strcmp(a->path, b->path) == 0 &&
         a->build_id_size == b->build_id_size &&
         (a->build_id_size == 0 ||
          memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

/* Of all types whose module of this LEVEL is MODULE, at once. */
static hp_status ask_module(struct hp_member_types *all,
                            const hp_profile *profile, size_t level,
                            const struct hp_symbol_module *module,
                            struct hp_layout_request *requests, bool *asked,
                            struct hp_error *error) {
  struct hp_layout_request *some = calloc(all->count + 1, sizeof *some);
  size_t count = 0;
  if (!some)
    return hp_fail_memory(error);
  for (size_t i = 0; i < all->count; i++) {
    const struct type *t = &all->types[i];
    asked[i] = level < t->module_count && !requests[i].layout &&
               !requests[i].is_ambiguous &&
               same_module(&t->modules[level], module);
    if (asked[i])
      some[count++] = requests[i];
  }
  hp_status status =
      count ? hp_symbolizer_layouts(profile->symbolizer, module, &all->store,
                                    some, count, error)
            : HP_OK;
  count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (asked[i])
      requests[i] = some[count++];
  free(some);
  return status;
}

static hp_status ask_level(struct hp_member_types *all,
                           const hp_profile *profile, size_t level,
                           struct hp_layout_request *requests, bool *asked,
                           struct hp_error *error) {
  for (size_t i = 0; i < all->count; i++) {
    const struct type *t = &all->types[i];
    bool is_first = level < t->module_count;
    for (size_t k = 0; k < i && is_first; k++)
      is_first =
          level >= all->types[k].module_count ||
          !same_module(&all->types[k].modules[level], &t->modules[level]);
    if (is_first)
      HP_TRY(ask_module(all, profile, level, &t->modules[level], requests,
                        asked, error));
  }
  return HP_OK;
}

static bool is_of_library(const struct hp_layout *layout) {
  return layout->file && (strstr(layout->file, "/c++/") ||
                          strncmp(layout->file, "/usr/include/", 13) == 0 ||
                          strncmp(layout->file, "/usr/lib/", 9) == 0);
}

static void take_layout(struct type *t, const struct hp_layout_request *r) {
  struct hp_member_type *v = &t->view;
  v->is_ambiguous = r->is_ambiguous;
  if (!r->layout)
    return;
  v->layout = r->layout;
  v->has_layout = true;
  v->file = r->layout->file;
  v->line = r->layout->line;
  v->size = r->layout->size;
  v->align = r->layout->align;
  v->hole_bytes = r->layout->hole_bytes;
  v->reordered_size = r->layout->reordered_size;
  v->order = r->layout->order;
  v->is_incomplete = r->layout->is_incomplete;
  v->by_library = is_of_library(r->layout);
}

static hp_status find_layouts(struct hp_member_types *all,
                              const hp_profile *profile,
                              struct hp_error *error) {
  struct hp_layout_request *requests = calloc(all->count + 1, sizeof *requests);
  bool *asked = calloc(all->count + 1, sizeof *asked);
  hp_status status = requests && asked ? HP_OK : hp_fail_memory(error);
  for (size_t i = 0; i < all->count && status == HP_OK; i++) {
    find_modules(&all->types[i], profile);
    requests[i].type = all->types[i].view.type;
    requests[i].size = all->types[i].view.size;
  }
  for (size_t level = 0; level < MODULES_MOST && status == HP_OK; level++)
    status = ask_level(all, profile, level, requests, asked, error);
  for (size_t i = 0; i < all->count && status == HP_OK; i++)
    take_layout(&all->types[i], &requests[i]);
  free(requests);
  free(asked);
  return status;
}

/* ---- counts -------------------------------------------------------------- */

struct where {
  const hp_profile *profile;
  const struct hp_profile_point *point;
};

static const struct hp_frame *frame_at(void *context, uint64_t code) {
  const struct where *w = context;
  const struct hp_frame *frame = NULL;
  struct hp_error error;
  return hp_stack_frame(&frame, w->profile->symbolizer, w->point->process->dump,
                        w->point->raw, code, &error) == HP_OK
             ? frame
             : NULL;
}

/* Lines of all points of T, whose members are SUMS'. */
static bool add_lines(const hp_profile *profile, struct type *t,
                      struct hp_member_sums *sums) {
  struct hp_line_sums lines = {.store = sums->store,
                               .layout = t->view.layout,
                               .element_size = t->view.size,
                               .members = sums->members};
  bool is_whole = true;
  for (size_t i = 0; i < t->point_count && is_whole; i++) {
    const struct hp_members *rows = hp_point_members(profile, t->points[i]);
    is_whole = !rows || hp_line_sums_add(&lines, rows);
  }
  t->view.false_lines = is_whole ? hp_line_sums_finish(&lines) : NULL;
  t->view.false_line_count = lines.count;
  hp_line_sums_free(&lines);
  return t->view.false_lines != NULL;
}

static const struct hp_member_type *type_at(const struct hp_member_types *all,
                                            const struct hp_point *p) {
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < all->types[i].point_count; k++)
      if (all->types[i].points[k] == p)
        return &all->types[i].view;
  return NULL;
}

static hp_status count_lines(struct hp_member_types *all,
                             const hp_profile *profile,
                             const struct hp_point *p, struct hp_error *error) {
  const struct hp_members *rows = hp_point_members(profile, p);
  if (!rows || !rows->line_count)
    return HP_OK;
  const struct hp_member_type *type = type_at(all, p);
  struct hp_line_sums sums = {.store = &all->store,
                              .layout = type ? type->layout : NULL,
                              .element_size = p->element_size};
  const struct hp_false_line *lines =
      hp_line_sums_add(&sums, rows) ? hp_line_sums_finish(&sums) : NULL;
  const size_t count = sums.count;
  hp_line_sums_free(&sums);
  if (lines && !count)
    return HP_OK;
  if (!lines || !hp_room_for_one((void **)&all->lines, all->line_count,
                                 &all->line_room, sizeof *all->lines))
    return hp_fail_memory(error);
  all->lines[all->line_count++] = (struct point_lines){p, lines, count};
  return HP_OK;
}

static hp_status count_type(struct hp_member_types *all,
                            const hp_profile *profile, struct type *t,
                            struct hp_error *error) {
  struct hp_member_sums sums = {.store = &all->store,
                                .layout = t->view.layout,
                                .element_size = t->view.size};
  bool is_whole = hp_member_sums_begin(&sums);
  for (size_t i = 0; i < t->point_count && is_whole; i++) {
    const struct hp_members *rows = hp_point_members(profile, t->points[i]);
    struct where where = {profile, inside(profile, t->points[i])};
    if (!rows)
      continue;
    t->view.lost = hp_add(t->view.lost, rows->lost);
    is_whole = hp_member_sums_add(&sums, rows, frame_at, &where);
  }
  is_whole = is_whole && add_lines(profile, t, &sums) &&
             hp_member_sums_finish(&sums, &t->view);
  hp_member_sums_free(&sums);
  t->view.weight = t->view.chunks_counted
                       ? (double)t->view.chunks / (double)t->view.chunks_counted
                       : HP_NULL_SCORE;
  return is_whole ? HP_OK : hp_fail_memory(error);
}

/* ---- the whole ----------------------------------------------------------- */

static int by_bytes(const void *left, const void *right) {
  const struct hp_member_type *a = *(const struct hp_member_type *const *)left,
                              *b = *(const struct hp_member_type *const *)right;
  if (!a->chunks_counted != !b->chunks_counted)
    return a->chunks_counted ? -1 : 1;
  if (a->peak_bytes != b->peak_bytes)
    return a->peak_bytes > b->peak_bytes ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes ? -1 : 1;
  return strcmp(a->type, b->type);
}

static hp_status make(struct hp_member_types *all, const hp_profile *profile,
                      const struct hp_point *const *points, size_t count,
                      uint64_t least, struct hp_error *error) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    HP_TRY(add_point(all, profile, points[i], error));
  keep_types(all, least);
  HP_TRY(find_layouts(all, profile, error));
  for (size_t i = 0; i < all->count; i++)
    HP_TRY(count_type(all, profile, &all->types[i], error));
  for (size_t i = 0; i < count; i++)
    HP_TRY(count_lines(all, profile, points[i], error));
  all->sorted = calloc(all->count + 1, sizeof *all->sorted);
  if (!all->sorted)
    return hp_fail_memory(error);
  for (size_t i = 0; i < all->count; i++)
    if (all->types[i].view.has_layout || all->types[i].view.chunks_counted)
      all->sorted[kept++] = &all->types[i].view;
  all->sorted_count = kept;
  qsort(all->sorted, kept, sizeof(const struct hp_member_type *), by_bytes);
  return HP_OK;
}

hp_status hp_member_types_make(hp_member_types **out, const hp_profile *profile,
                               const struct hp_point *const *points,
                               size_t count, uint64_t least,
                               struct hp_error *error) {
  *out = NULL;
  struct hp_member_types *all = calloc(1, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  hp_status status = make(all, profile, points, count, least, error);
  if (status != HP_OK) {
    hp_member_types_free(all);
    return status;
  }
  *out = all;
  return HP_OK;
}

void hp_member_types_free(hp_member_types *types) {
  if (!types)
    return;
  for (size_t i = 0; i < types->count; i++)
    free(types->types[i].points);
  free(types->types);
  free(types->lines);
  free(types->sorted);
  hp_store_free(&types->store);
  free(types);
}

size_t hp_member_types_count(const hp_member_types *types) {
  return types ? types->sorted_count : 0;
}

const struct hp_member_type *hp_member_types_at(const hp_member_types *types,
                                                size_t i) {
  return i < types->sorted_count ? types->sorted[i] : NULL;
}

const struct hp_member_type *hp_member_types_of(const hp_member_types *types,
                                                const struct hp_point *point) {
  for (size_t i = 0; i < hp_member_types_count(types); i++) {
    const struct hp_member_type *t = types->sorted[i];
    if (bsearch(&point, t->points, t->point_count, sizeof *t->points, by_peak))
      return t;
  }
  return NULL;
}

const struct hp_false_line *hp_member_types_lines(const hp_member_types *types,
                                                  const struct hp_point *point,
                                                  size_t *count) {
  *count = 0;
  for (size_t i = 0; types && i < types->line_count; i++)
    if (types->lines[i].point == point) {
      *count = types->lines[i].count;
      return types->lines[i].lines;
    }
  return NULL;
}

static uint8_t uses_of(const struct hp_member *m, bool is_all_known) {
  const bool is_field =
      m->kind == HP_MEMBER_FIELD || m->kind == HP_MEMBER_POINTER;
  return (uint8_t)((m->reads ? HP_MEMBER_IS_READ : 0u) |
                   (m->writes ? HP_MEMBER_IS_WRITTEN : 0u) |
                   (is_field && is_all_known && !m->reads ? HP_MEMBER_IS_UNUSED
                                                          : 0u));
}

hp_status hp_member_uses_of(const hp_member_types *types,
                            const hp_profile *profile,
                            const struct hp_point *point,
                            struct hp_store *store, const uint8_t **uses,
                            struct hp_error *error) {
  const struct hp_member_type *type = hp_member_types_of(types, point);
  const struct hp_members *rows = hp_point_members(profile, point);
  struct where where = {profile, inside(profile, point)};
  *uses = NULL;
  if (!type || !type->has_layout || !rows)
    return HP_OK;
  struct hp_member_sums sums = {
      .store = store, .layout = type->layout, .element_size = type->size};
  uint8_t *found = hp_store_take(store, type->count + 1, 1);
  const bool is_whole = found && hp_member_sums_begin(&sums) &&
                        hp_member_sums_add(&sums, rows, frame_at, &where);
  const bool is_all_known =
      point->accesses_known && !point->accesses_shared && !rows->lost;
  for (size_t i = 0; is_whole && i < type->count && i < sums.count; i++)
    found[i] = uses_of(&sums.members[i], is_all_known);
  hp_member_sums_free(&sums);
  *uses = found;
  return is_whole ? HP_OK : hp_fail_memory(error);
}

uint64_t hp_member_size_without(const struct hp_member_type *type,
                                const bool *leave) {
  return type->layout ? hp_layout_size_without(type->layout, leave)
                      : type->size;
}
