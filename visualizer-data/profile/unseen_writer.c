/* unseen_writer.c - see unseen_writer.h: a compressor's library fills a buffer that the
   program then reads, or throws away.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include "profile/unseen_writer.h"

#include <uthash.h>

#include "base/failure.h"
#include "profile/measure_point.h"

#define HP_PAGE 4096u
#define HP_OWN_PAGES 2u /* that the record before a chunk may be on */

/* Functions are the same text if they are the same (heapprof.h). */
struct line {
  const char *function;
  uint64_t number;
};

struct written_line {
  UT_hash_handle hh;
  struct line key;
};

/* That of the place: an xmalloc has lines for all that a program allocates. */
static struct line line_of(const struct hp_point *p) {
  const struct hp_frame *frame = p->place ? p->place : p->site;
  return (struct line){frame ? frame->function : NULL, frame ? frame->line : 0};
}

/* Half of what is accessed is read, and was neither written nor zeroed. */
static bool is_read_unwritten(const struct hp_point *p) {
  const uint64_t from_elsewhere = p->inferences[HP_INF_read_only].chunks;
  const uint64_t accessed = p->chunks - p->inferences[HP_INF_unused].chunks;
  return from_elsewhere && from_elsewhere >= accessed - from_elsewhere;
}

/* Large chunks, no access of which is seen, have memory for more than their record. */
static bool is_touched_unseen(const struct hp_point *p) {
  return p->pages.chunks && !p->reads && !p->writes &&
         p->inferences[HP_INF_unused].chunks == p->chunks &&
         p->pages.touched / HP_PAGE / HP_OWN_PAGES > p->pages.chunks;
}

static void forget(struct hp_profile *profile, struct hp_profile_point *point) {
  profile->global.shared_points--;
  point->tally->shared = false;
  hp_point_forget_accesses(point);
}

static struct written_line *find(struct written_line *all, struct line key) {
  struct written_line *found;
  HASH_FIND(hh, all, &key, sizeof key, found);
  return found;
}

/* False without memory. */
static bool add(struct written_line **all, struct line key,
                struct hp_store *store) {
  bool failed = false;
  if (!key.function || find(*all, key))
    return true;
  struct written_line *more = hp_store_take(store, 1, sizeof *more);
  if (!more)
    return false;
  more->key = key;
  HASH_ADD(hh, *all, key, sizeof more->key, more);
  return !failed;
}

hp_status hp_unseen_writers_find(struct hp_profile *profile,
                                 struct hp_error *error) {
  struct written_line *lines = NULL;
  struct hp_store store = {0};
  bool good = true;
  for (size_t i = 0; i < profile->point_count && good; i++) {
    struct hp_profile_point *point = &profile->points[i];
    const struct hp_point *p = &point->view;
    if (!p->accesses_known || !p->accesses_shared ||
        (!is_read_unwritten(p) && !is_touched_unseen(p)))
      continue;
    good = add(&lines, line_of(p), &store);
    forget(profile, point);
  }
  for (size_t i = 0; i < profile->point_count && good && lines; i++) {
    struct hp_profile_point *point = &profile->points[i];
    struct hp_point *p = &point->view;
    if (!p->accesses_known || !p->accesses_shared || !find(lines, line_of(p)))
      continue;
    p->line_written_unseen = p->reads || p->writes;
    if (!p->line_written_unseen)
      forget(profile, point);
  }
  HASH_CLEAR(hh, lines);
  hp_store_free(&store);
  return good ? HP_OK : hp_fail_memory(error);
}
