/* object.c - puts frees of all points together: by size and callers, or stacks.
   A caller is told by its function and line, not by its address.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"

struct known {
  UT_hash_handle hh;
  size_t index;
  size_t key_size;
  char *key;
};

/* What is added up of an object besides what it says. */
struct sum {
  double lived_ns;
  uint64_t largest; /* part, whose stacks it has */
  uint64_t *points;
  size_t point_count, point_room;
};

struct making {
  struct hp_objects *objects;
  struct known *known;
  struct sum *sums; /* of each object */
  size_t room;
};

static void put_frame(FILE *key, const struct hp_frame *f) {
  if (!f) {
    fputs("-\n", key);
    return;
  }
  /* Lines of one function are told by number, code without by its address. */
  fprintf(key, "%s\n%s\n%s\n%" PRIu64 "\n", f->function ? f->function : "",
          f->file ? f->file : "", f->module ? f->module : "",
          f->line ? f->line : f->address);
}

/* Who had it allocated: past an xmalloc, where there is somebody. */
static const struct hp_frame *maker_of(const struct hp_point *point) {
  return point->place ? point->place : point->site;
}

static const struct hp_frame *freer_of(const struct hp_freed *freed) {
  return freed->place ? freed->place : freed->site;
}

static char *key_of(const struct hp_point *point, const struct hp_freed *freed,
                    bool by_stack, size_t *size) {
  char *text = NULL;
  FILE *key = open_memstream(&text, size);
  if (!key)
    return NULL;
  fprintf(key, "%" PRIu64 " %d\n", freed->size, freed->sizes_vary);
  if (by_stack) {
    for (size_t i = 0; i < point->stack_count; i++)
      put_frame(key, point->stack[i]);
    fputc('\n', key);
    for (size_t i = 0; i < freed->stack_count; i++)
      put_frame(key, freed->stack[i]);
  } else {
    put_frame(key, maker_of(point));
    put_frame(key, freer_of(freed));
  }
  const bool failed = ferror(key) != 0;
  if (fclose(key) != 0 || failed) {
    free(text);
    return NULL;
  }
  return text;
}

static bool make_room(struct making *m) {
  struct hp_objects *all = m->objects;
  if (all->count < all->room)
    return true;
  const size_t room = all->room ? 2 * all->room : 64;
  struct hp_made_object *items = reallocarray(all->items, room, sizeof *items);
  all->items = items ? items : all->items;
  struct sum *sums = reallocarray(m->sums, room, sizeof *sums);
  m->sums = sums ? sums : m->sums;
  if (items && sums)
    all->room = room;
  return items && sums;
}

/* The number of the object with this KEY, which is the caller's; SIZE_MAX
   without memory. */
static size_t index_of(struct making *m, const char *key, size_t size) {
  struct known *known = NULL;
  HASH_FIND(hh, m->known, key, size, known);
  if (known)
    return known->index;
  known = hp_store_take(&m->objects->store, 1, sizeof *known);
  char *kept = hp_store_take(&m->objects->store, size, 1);
  bool failed = false;
  if (!known || !kept || !make_room(m))
    return SIZE_MAX;
  memcpy(kept, key, size);
  known->index = m->objects->count++;
  m->objects->items[known->index] = (struct hp_made_object){.cluster = -1};
  m->sums[known->index] = (struct sum){0};
  HASH_ADD_KEYPTR(hh, m->known, kept, size, known);
  return failed ? SIZE_MAX : known->index;
}

/* Once for an object: all that a point has freed comes in a row. */
static bool add_point(struct sum *sum, uint64_t id) {
  if (sum->point_count && sum->points[sum->point_count - 1] == id)
    return true;
  if (sum->point_count == sum->point_room) {
    size_t room = sum->point_room ? 2 * sum->point_room : 2;
    uint64_t *points = reallocarray(sum->points, room, sizeof *points);
    if (!points)
      return false;
    sum->points = points;
    sum->point_room = room;
  }
  sum->points[sum->point_count++] = id;
  return true;
}

static bool add(struct making *m, const struct hp_point *point,
                const struct hp_freed *freed, bool by_stack) {
  size_t size;
  char *key = key_of(point, freed, by_stack, &size);
  const size_t index = key ? index_of(m, key, size) : SIZE_MAX;
  free(key);
  if (index == SIZE_MAX)
    return false;
  struct hp_made_object *to = &m->objects->items[index];
  struct sum *sum = &m->sums[index];
  to->size = freed->size;
  to->sizes_vary = freed->sizes_vary;
  to->reallocated = to->reallocated || freed->reallocated;
  to->callers_vary = to->callers_vary || !freed->place_is_all;
  to->frequency = hp_add(to->frequency, freed->chunks);
  sum->lived_ns += freed->lived_ns;
  if (freed->chunks > sum->largest) {
    sum->largest = freed->chunks;
    to->allocated_by = maker_of(point);
    to->allocated = point->stack;
    to->allocated_count = point->stack_count;
    to->freed_by = freer_of(freed);
    to->freed = freed->stack;
    to->freed_count = freed->stack_count;
  }
  return add_point(sum, point->id);
}

static int by_number(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int compare_frames(const struct hp_frame *a, const struct hp_frame *b) {
  if (!a || !b)
    return !b - !a;
  int order =
      strcmp(a->function ? a->function : "", b->function ? b->function : "");
  if (!order)
    order = strcmp(a->file ? a->file : "", b->file ? b->file : "");
  if (!order)
    order = (a->line > b->line) - (a->line < b->line);
  return order ? order : (a->address > b->address) - (a->address < b->address);
}

static int by_frequency(const void *left, const void *right) {
  const struct hp_made_object *a = left, *b = right;
  if (a->frequency != b->frequency)
    return a->frequency > b->frequency ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  int order = compare_frames(a->allocated_by, b->allocated_by);
  return order ? order : compare_frames(a->freed_by, b->freed_by);
}

static bool finish(struct making *m) {
  struct hp_objects *all = m->objects;
  for (size_t i = 0; i < all->count; i++) {
    struct hp_made_object *o = &all->items[i];
    struct sum *sum = &m->sums[i];
    uint64_t *points =
        hp_store_take(&all->store, sum->point_count, sizeof *points);
    if (!points)
      return false;
    memcpy(points, sum->points, sum->point_count * sizeof *points);
    qsort(points, sum->point_count, sizeof *points, by_number);
    o->points = points;
    o->point_count = sum->point_count;
    o->mean_lifetime_ns = sum->lived_ns / (double)o->frequency;
    o->ratio = (double)o->frequency / (o->mean_lifetime_ns / 1e6);
  }
  if (all->count > 1)
    qsort(all->items, all->count, sizeof *all->items, by_frequency);
  return true;
}

static bool make(struct making *m, const struct hp_point *const *points,
                 size_t count, bool by_stack) {
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = points[i];
    const uint64_t ended =
        p->chunks > p->live_chunks ? p->chunks - p->live_chunks : 0;
    if (ended > p->freed_chunks)
      m->objects->unknown =
          hp_add(m->objects->unknown, ended - p->freed_chunks);
    for (size_t k = 0; k < p->freed_count; k++)
      if (!add(m, p, &p->freed[k], by_stack))
        return false;
  }
  return finish(m);
}

hp_status hp_objects_make(hp_objects **out,
                          const struct hp_point *const *points, size_t count,
                          bool by_stack, struct hp_error *error) {
  struct making m = {.objects = calloc(1, sizeof *m.objects)};
  bool made = m.objects && make(&m, points, count, by_stack);
  for (size_t i = 0; m.objects && i < m.objects->count; i++)
    free(m.sums[i].points);
  HASH_CLEAR(hh, m.known);
  free(m.sums);
  *out = made ? m.objects : NULL;
  if (made)
    return HP_OK;
  hp_objects_free(m.objects);
  return hp_fail_memory(error);
}

void hp_objects_free(hp_objects *objects) {
  if (!objects)
    return;
  free(objects->items);
  hp_store_free(&objects->store);
  free(objects);
}

size_t hp_object_count(const hp_objects *objects) { return objects->count; }

const struct hp_made_object *hp_object_at(const hp_objects *objects, size_t i) {
  return i < objects->count ? &objects->items[i] : NULL;
}

uint64_t hp_objects_unknown(const hp_objects *objects) {
  return objects->unknown;
}
