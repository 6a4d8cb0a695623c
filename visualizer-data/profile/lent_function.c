/* lent_function.c - see lent_function.h: a handler of events is called from one
   place or two, an allocator from everywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include "profile/lent_function.h"

#include <string.h>

#include <uthash.h>

#include "base/failure.h"
#include "profile/measure_point.h"

#define HP_WAYS 4u /* in which code without hooks comes to a lent function; */
#define HP_NAMED_WAYS 2u /* if it is called an allocator */

struct way {
  const struct hp_frame *caller, *callers_caller;
};

struct lent {
  UT_hash_handle hh;
  const char *function; /* the same text is the same function */
  size_t count;
  struct way ways[HP_WAYS];
};

static struct way way_of(const struct hp_profile_point *point) {
  const struct hp_point *view = &point->view;
  size_t at = point->handed_to;
  return (struct way){view->stack[at],
                      at + 1 < view->stack_count ? view->stack[at + 1] : NULL};
}

static const char *function_of(const struct hp_profile_point *point) {
  const struct hp_point *view = &point->view;
  if (!view->accesses_known || !point->handed_to)
    return NULL;
  return view->stack[point->handed_to - 1]->function;
}

/* Frames are the same in all stacks, but for inlined ones. */
static void add_way(struct lent *lent, const struct way *way) {
  for (size_t i = 0; i < lent->count; i++)
    if (lent->ways[i].caller == way->caller &&
        lent->ways[i].callers_caller == way->callers_caller)
      return;
  if (lent->count < HP_WAYS)
    lent->ways[lent->count++] = *way;
}

static struct lent *find(struct lent *all, const char *function) {
  struct lent *found;
  HASH_FIND(hh, all, &function, sizeof function, found);
  return found;
}

static bool count(struct lent **all, struct hp_store *store,
                  const struct hp_profile_point *point) {
  const char *function = function_of(point);
  bool failed = false;
  if (!function)
    return true;
  struct lent *lent = find(*all, function);
  if (!lent) {
    lent = hp_store_take(store, 1, sizeof *lent);
    if (!lent)
      return false;
    lent->function = function;
    HASH_ADD(hh, *all, function, sizeof lent->function, lent);
  }
  if (failed)
    return false;
  const struct way way = way_of(point);
  add_way(lent, &way);
  return true;
}

static bool is_lent(const struct lent *lent) {
  return lent->count >=
         (strstr(lent->function, "alloc") ? HP_NAMED_WAYS : HP_WAYS);
}

hp_status hp_lent_find(struct hp_profile *profile, struct hp_error *error) {
  struct lent *all = NULL;
  struct hp_store store = {0};
  bool good = true;
  for (size_t i = 0; i < profile->point_count && good; i++)
    good = count(&all, &store, &profile->points[i]);
  for (size_t i = 0; i < profile->point_count && good; i++) {
    struct hp_profile_point *point = &profile->points[i];
    const char *function = function_of(point);
    if (!function || !is_lent(find(all, function)))
      continue;
    point->view.unseen = point->view.stack[point->handed_to];
    hp_point_forget_accesses(point);
  }
  HASH_CLEAR(hh, all);
  hp_store_free(&store);
  return good ? HP_OK : hp_fail_memory(error);
}
