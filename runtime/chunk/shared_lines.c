/* shared_lines.c - see shared_lines.h: a table that is only ever added to, mapped when
   a thread writes to another one's chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/shared_lines.h"

#include "chunk/point_table.h"
#include "thread/thread_state.h"

/* Powers of two. */
#define LINES 8192u
#define LINES_MAX (LINES / 4 * 3)
#define LINES_OF_POINT 512u /* at most */
#define PROBES 16u

/* Filled in by who takes it, and in the list of its point from then on. */
struct entry {
  uint64_t key;  /* hash of chunk and line, never 0; 0: free */
  uint32_t next; /* number of an entry, from 1; 0: none */
  struct hp_line_state line;
};

static struct hp_point_map lines;
static uint32_t line_count;

/* ---- entries ------------------------------------------------------------- */

static void enlist(struct hp_member_point *of, struct entry *entry,
                   uint32_t number) {
  uint32_t first = __atomic_load_n(&of->lines, __ATOMIC_RELAXED);
  do
    entry->next = first;
  while (!__atomic_compare_exchange_n(&of->lines, &first, number, true,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static bool may_take(struct hp_member_point *of) {
  if (__atomic_load_n(&line_count, __ATOMIC_RELAXED) >= LINES_MAX ||
      __atomic_load_n(&of->line_count, __ATOMIC_RELAXED) >= LINES_OF_POINT)
    return false;
  __atomic_fetch_add(&line_count, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&of->line_count, 1, __ATOMIC_RELAXED);
  return true;
}

/* That of the chunk of LIFE which begins at OFFSET; NULL: there is none, and no
   room. */
static struct hp_line_state *find(struct hp_member_point *of, uint64_t life,
                                  uint64_t offset, bool take) {
  struct entry *table =
      hp_point_map_entries(&lines, LINES * sizeof *table, take);
  uint64_t hash = (life ^ offset) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32) | 1;
  for (uint32_t i = 0; table && i < PROBES; i++) {
    const uint32_t number = (uint32_t)((hash >> 32) + i) % LINES;
    struct entry *entry = &table[number];
    uint64_t there = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
    if (!there) {
      if (!take || !may_take(of))
        return NULL;
      if (__atomic_compare_exchange_n(&entry->key, &there, hash, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        entry->line.offset = offset;
        enlist(of, entry, number + 1);
        return &entry->line;
      }
    }
    if (there == hash)
      return &entry->line;
  }
  return NULL;
}

/* THREAD among those that write to LINE. */
static struct hp_line_side *writer_of(struct hp_line_state *line,
                                      uint32_t thread, bool take) {
  for (uint32_t i = 0; i < HP_LINE_WRITERS; i++) {
    struct hp_line_side *one = &line->writers[i];
    uint32_t there = __atomic_load_n(&one->thread, __ATOMIC_RELAXED);
    if (there == thread)
      return one;
    if (!there && (!take || __atomic_compare_exchange_n(
                                &one->thread, &there, thread, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
      return take ? one : NULL;
    if (there == thread) /* a handler came between */
      return one;
  }
  return NULL;
}

/* ---- one access ---------------------------------------------------------- */

/* A writer's numbers are its thread's own. */
static void add(uint32_t *number, uint32_t more) {
  const uint32_t old = __atomic_load_n(number, __ATOMIC_RELAXED);
  __atomic_store_n(number, old < UINT32_MAX - more ? old + more : UINT32_MAX,
                   __ATOMIC_RELAXED);
}

static bool is_of_others(const struct hp_line_state *line, uint32_t thread,
                         uint64_t bytes) {
  for (uint32_t i = 0; i < HP_LINE_WRITERS; i++) {
    const struct hp_line_side *one = &line->writers[i];
    if (__atomic_load_n(&one->thread, __ATOMIC_RELAXED) != thread &&
        __atomic_load_n(&one->bytes, __ATOMIC_RELAXED) & bytes)
      return true;
  }
  return false;
}

/* BYTES of the line at OFFSET. */
static void note_in(struct hp_member_point *of, const struct hp_line_use *use,
                    uint64_t offset, uint64_t bytes) {
  const uint32_t thread = hp_thread_number();
  struct hp_line_state *line =
      find(of, use->life, offset, use->is_foreign && use->writes);
  struct hp_line_side *by =
      line ? writer_of(line, thread, use->writes != 0) : NULL;
  if (!by)
    return;
  if (is_of_others(line, thread, bytes))
    add(&by->common, 1);
  if (!use->writes)
    return;
  add(&by->times, 1);
  add(&by->writes, use->writes);
  const uint64_t known = __atomic_load_n(&by->bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&by->bytes, known | bytes, __ATOMIC_RELAXED);
  const uint32_t last = __atomic_load_n(&line->last, __ATOMIC_RELAXED);
  if (last == thread)
    return;
  __atomic_store_n(&line->last, thread, __ATOMIC_RELAXED);
  if (last)
    __atomic_fetch_add(&line->turns, 1, __ATOMIC_RELAXED);
}

/* What has a whole line makes or copies the object, and is nobody's part of it. */
void hp_shared_line_note(struct hp_member_point *of,
                         const struct hp_line_use *use) {
  if (!use->bytes || use->bytes >= HP_LINE_BYTES)
    return;
  const uint64_t first = use->offset % HP_LINE_BYTES;
  const uint64_t line = use->offset - first;
  const uint64_t bytes = ((uint64_t)1 << use->bytes) - 1;
  note_in(of, use, line, bytes << first);
  if (first + use->bytes > HP_LINE_BYTES)
    note_in(of, use, line + HP_LINE_BYTES, bytes >> (HP_LINE_BYTES - first));
}

/* ---- a dump -------------------------------------------------------------- */

void hp_shared_line_each(const struct hp_member_point *of,
                         void (*take)(const struct hp_line_state *line,
                                      void *arg),
                         void *arg) {
  const struct entry *table = hp_point_map_entries(&lines, 0, false);
  uint32_t number = __atomic_load_n(&of->lines, __ATOMIC_ACQUIRE);
  for (; table && number; number = table[number - 1].next) {
    const struct hp_line_state line = table[number - 1].line;
    if (line.turns)
      take(&line, arg);
  }
}

void hp_shared_lines_start(void) {
  if (lines.entries)
    hp_sys_release(lines.entries, LINES * sizeof(struct entry));
  line_count = 0;
}
