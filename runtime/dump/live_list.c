/* live_list.c - see live_list.h: references grow and are sorted in place, 24 bytes for
   each chunk of the points asked for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/live_list.h"

#include "encode/chunk_order.h"
#include "profile/aggregate_sum.h"
#include "system/arena.h"
#include "system/memory.h"

#define LIST_MAX ((size_t)1 << 38) /* bytes, if there is address space for it */
#define LIST_LEAST ((size_t)1 << 20)

/* Of fixed size: what is needed beside the references. */
struct work {
  struct hp_chunk_reference scratch[HP_CHUNK_ORDER_PART + HP_CHUNK_ORDER_SPARE];
  struct hp_chunk_log chunks[HP_LIVE_BATCH];
};

static struct {
  struct hp_arena references; /* struct hp_chunk_reference [count] */
  size_t count;
  bool failed; /* there was no memory for some */
  struct work *work;
  const struct hp_live_chunks *live;
  uint64_t end;
  uint32_t first, points; /* those asked for */
  size_t next, point_end; /* of the point that is being described */
  size_t described;       /* chunks from `next` on that are */
} list;

static struct hp_chunk_reference *references(void) {
  return (struct hp_chunk_reference *)(void *)list.references.base;
}

static bool start(const struct hp_live_chunks *live, uint64_t end) {
  hp_live_list_free();
  list.live = live;
  list.end = end;
  if (!list.references.base &&
      !hp_arena_reserve(&list.references, LIST_MAX, LIST_LEAST))
    return false;
  list.references.ours = false; /* a dump can do without: no spare for it */
  list.work = hp_sys_map(sizeof *list.work);
  return list.work != NULL;
}

void hp_live_list_free(void) {
  struct work *work = list.work;
  list.work = NULL;
  if (work)
    hp_sys_unmap(work, sizeof *work);
  list.count = list.next = list.point_end = list.described = 0;
  list.failed = false;
  if (!list.references.committed)
    return;
  hp_arenas_lock();
  hp_arena_shrink(&list.references, 0);
  hp_arenas_unlock();
}

static void note_live(const struct hp_chunk_reference *live, void *unused) {
  (void)unused;
  if (live->point - list.first >= list.points)
    return;
  const size_t size = (list.count + 1) * sizeof *live;
  list.failed = list.failed || !hp_arena_commit(&list.references, size);
  if (!list.failed)
    references()[list.count++] = *live;
}

static bool is_same(const struct hp_chunk_reference *a,
                    const struct hp_chunk_reference *b) {
  return a->t0 == b->t0 && a->thread == b->thread && a->point == b->point;
}

/* What ended meanwhile was perhaps seen twice: by its record, which is kept, and by
   its event, of which the address is odd. */
static void leave_out_twins(void) {
  struct hp_chunk_reference *r = references();
  size_t kept = list.count != 0;
  for (size_t i = 1; i < list.count; i++)
    if (!is_same(&r[i], &r[kept - 1]))
      r[kept++] = r[i];
    else if ((uintptr_t)r[kept - 1].chunk & 1)
      r[kept - 1] = r[i];
  list.count = kept;
}

bool hp_live_list_find(const struct hp_live_chunks *live, uint64_t end,
                       uint32_t first, uint32_t until) {
  const bool started = start(live, end);
  list.first = first;
  list.points = until - first;
  if (started)
    live->each(end, note_live, NULL);
  if (!started || list.failed) {
    hp_live_list_free();
    return false;
  }
  if (list.count)
    hp_chunk_order_sort_many(references(), list.count, list.work->scratch);
  leave_out_twins();
  return true;
}

bool hp_live_list_reaches(uint32_t point) {
  return list.count && references()[list.count - 1].point >= point;
}

/* Describes the next ones, no more than there is room for. */
static void describe(void) {
  size_t count = list.point_end - list.next;
  if (count > HP_LIVE_BATCH)
    count = HP_LIVE_BATCH;
  for (size_t i = 0; i < count; i++)
    list.live->describe(&references()[list.next + i], list.end,
                        &list.work->chunks[i]);
  list.described = count;
}

/* What a point's sum needs does not change while its chunks live, so that those of
   many chunks are described twice; few once. */
struct hp_live_sum hp_live_list_begin(uint32_t point) {
  struct hp_live_sum sum = {0};
  size_t begin = list.point_end;
  list.next = begin;
  while (list.point_end < list.count &&
         references()[list.point_end].point == point)
    list.point_end++;
  const bool is_one = list.point_end - begin <= HP_LIVE_BATCH;
  for (; list.next < list.point_end; list.next += list.described) {
    describe();
    for (size_t i = 0; i < list.described; i++) {
      const struct hp_chunk_log *chunk = &list.work->chunks[i];
      sum.chunks += chunk->weight;
      sum.bytes += times(chunk->weight, chunk->size);
    }
    if (is_one)
      break;
  }
  list.next = begin;
  if (!is_one)
    list.described = 0;
  return sum;
}

bool hp_live_list_next(struct hp_live_batch *batch) {
  if (list.next == list.point_end)
    return false;
  if (!list.described)
    describe();
  *batch = (struct hp_live_batch){.references = &references()[list.next],
                                  .chunks = list.work->chunks,
                                  .count = list.described};
  list.next += list.described;
  list.described = 0;
  return true;
}
