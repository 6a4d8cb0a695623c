/* free_site.c - see free_site.h: rows in an arena, and a hash table that doubles.
   Nothing here is atomic: the collector's lock is held by whoever calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/free_site.h"

#include "chunk_measure.h"
#include "origin/call_stack.h"
#include "profile/aggregate_sum.h"
#include "system/arena.h"
#include "system/memory.h"

/* Chunks of one size and point that were freed at one site; a cache line.
     +0   u64 pc      return address of the free
     +8   u64 size    bytes; OTHER_SIZES: this is the row of all further ones
     +16  u64 point   lower half: the point; upper: by stack the node of the
                      free's, else 0
     +24  u64 chunks, lives   ticks, low 64 bits
     +40  u32 lives_high
     +44  u32 stack   node; 0: none was taken
     +48  u64 first   ticks; when the first of them was freed
     +56  bits 0..47  stacks  chunks whose stack was taken
          bits 48..55 sizes   that have a row, if this is the head of its
                              point and place, else 0
          bits 56..63 flags   HP_FREE_*; HP_FREE_PART follows from stacks
     +64                                                                      */
struct free_row {
  uint64_t pc;
  uint64_t size;
  uint64_t point;
  uint64_t chunks, lives;
  uint32_t lives_high;
  uint32_t stack;
  uint64_t first;
  uint64_t stacks : 48;
  uint64_t sizes : 8;
  uint64_t flags : 8;
};
_Static_assert(sizeof(struct free_row) == HP_CACHE_LINE, "a cache line");

#define OTHER_SIZES UINT64_MAX /* no chunk is as large */

/* A slot: the number of a row, and of its key's hash what keeps the rows of others
   out of the cache.  A row is found by its size; the head of those of one point and
   place, which counts them, by OTHER_SIZES, too. */
#define NUMBER 0xffffu
_Static_assert(HP_FREE_ROWS - 1 <= NUMBER, "a slot's lower half");

#define SLOTS_FIRST_BITS 9u
#define SLOTS_FIRST (1u << SLOTS_FIRST_BITS)
#define SLOTS_MAX ((size_t)2 * 2 * HP_FREE_ROWS) /* two a row, half in use */
#define TABLE_MAX (SLOTS_MAX * sizeof(uint32_t))

static struct {
  struct hp_arena rows;  /* the first is HP_FREE_REST */
  struct hp_arena slots; /* u32 [], 0: free */
  uint32_t count;        /* rows */
  uint32_t used;         /* slots */
  uint32_t mask;         /* slots - 1 */
  uint32_t shift;        /* 64 - the binary digits of mask */
  uint32_t first;        /* row that can be found: of code that is loaded */
  uint32_t last_point;   /* the highest that a row may have */
  uint32_t others;       /* the last one of OTHER_SIZES that was used; or 0 */
  bool has_others;       /* some row that can be found is one */
  uint32_t forgotten;    /* hp_unwind_forgotten() when that row was the next */
  bool by_stack;
} all;

static struct free_row *row_at(uint32_t number) {
  return (struct free_row *)(void *)all.rows.base + number;
}

static uint32_t *slots(void) { return (uint32_t *)(void *)all.slots.base; }

/* ---- finding a row ------------------------------------------------------- */

/* Slots are numbered by its highest bits, which all of the others reach. */
HP_INLINE uint64_t hash_of(uint64_t pc, uint64_t size, uint64_t point) {
  return (pc + size * 0x4f1bbcdd + point * 0x2545f491) * 0x9e3779b97f4a7c15u;
}

/* The upper half of the slot of a row with this hash; its lower half is 0. */
HP_INLINE uint32_t tag_of(uint64_t hash) {
  return (uint32_t)(hash >> 16) & ~NUMBER;
}

HP_INLINE bool is_row(const struct free_row *row, uint64_t pc, uint64_t size,
                      uint64_t point) {
  return row->pc == pc && row->point == point &&
         (size == OTHER_SIZES ? row->sizes != 0 : row->size == size);
}

/* The row, or the free slot where it would be found. */
static struct free_row *find(uint64_t pc, uint64_t size, uint64_t point,
                             uint32_t **slot) {
  const uint64_t hash = hash_of(pc, size, point);
  for (uint64_t i = hash >> all.shift;; i++) {
    *slot = &slots()[i & all.mask];
    if (!**slot)
      return NULL;
    if ((**slot & ~NUMBER) != tag_of(hash))
      continue;
    struct free_row *row = row_at(**slot & NUMBER);
    if (is_row(row, pc, size, point))
      return row;
  }
}

/* Lets ROW, in the place of any other, be found by SIZE; there is a slot. */
static HP_COLD void put(const struct free_row *row, uint64_t size) {
  uint32_t *slot;
  if (!find(row->pc, size, row->point, &slot))
    all.used++;
  *slot =
      (uint32_t)(row - row_at(0)) | tag_of(hash_of(row->pc, size, row->point));
}

static void clear_slots(void) {
  all.used = 0;
  for (uint32_t i = 0; i <= all.mask; i++)
    slots()[i] = 0;
}

static void fill_slots(void) {
  for (uint32_t i = all.first; i < all.count; i++) {
    const struct free_row *row = row_at(i);
    if (row->size != OTHER_SIZES)
      put(row, row->size);
    if (row->sizes)
      put(row, OTHER_SIZES);
  }
}

/* For one more row, at most half of them in use. */
static bool has_slots(void) {
  if (2 * (all.used + 2) <= all.mask + 1)
    return true;
  const size_t size = 2 * (all.mask + (size_t)1) * sizeof(uint32_t);
  if (size > TABLE_MAX || !hp_arena_commit(&all.slots, size))
    return false;
  all.mask = 2 * all.mask + 1;
  all.shift--;
  clear_slots();
  fill_slots();
  return true;
}

/* From when there is room for no more rows.  Points are numbered as they come, so that in
   a program with very many of them most chunks are of a later one. */
static HP_COLD uint32_t highest_point(void) {
  uint32_t highest = 0;
  for (uint32_t i = 1; i < all.count; i++) {
    const uint32_t point = (uint32_t)row_at(i)->point;
    highest = point > highest ? point : highest;
  }
  return highest;
}

/* ---- making one ---------------------------------------------------------- */

/* It is not found yet; NULL: there is no room. */
static HP_COLD struct free_row *add_row(const struct hp_chunk_log *chunk,
                                        uint64_t size, uint64_t point) {
  if (all.count == HP_FREE_ROWS || !has_slots() ||
      !hp_arena_commit(&all.rows, (all.count + 1) * sizeof(struct free_row)))
    return NULL;
  struct free_row *row = row_at(all.count++);
  *row = (struct free_row){
      .pc = chunk->free_pc, .size = size, .point = point, .first = chunk->t1};
  if (all.count == HP_FREE_ROWS)
    all.last_point = highest_point();
  return row;
}

static HP_COLD struct free_row *new_head(const struct hp_chunk_log *chunk,
                                         uint64_t point) {
  struct free_row *row = add_row(chunk, chunk->size, point);
  if (!row)
    return row_at(0);
  put(row, row->size);
  row->sizes = 1;
  put(row, OTHER_SIZES);
  return row;
}

/* The row for all sizes that have none becomes the HEAD. */
static HP_COLD struct free_row *replace_head(struct free_row *head,
                                             const struct hp_chunk_log *chunk) {
  struct free_row *others = add_row(chunk, OTHER_SIZES, head->point);
  if (!others)
    return row_at(0);
  others->sizes = head->sizes;
  put(others, OTHER_SIZES);
  head->sizes = 0;
  all.has_others = true;
  return others;
}

static HP_NOINLINE struct free_row *new_row(const struct hp_chunk_log *chunk,
                                            uint64_t point) {
  struct free_row *head = row_at(all.others);
  if (head->pc == chunk->free_pc && head->point == point)
    return head;
  if (all.count == HP_FREE_ROWS && !all.has_others)
    return row_at(0);
  uint32_t *slot;
  head = find(chunk->free_pc, OTHER_SIZES, point, &slot);
  if (!head)
    return new_head(chunk, point);
  if (head->size == OTHER_SIZES)
    return head;
  if (head->sizes == HP_FREE_SIZES)
    return replace_head(head, chunk);
  struct free_row *row = add_row(chunk, chunk->size, point);
  if (!row)
    return row_at(0);
  put(row, row->size);
  head->sizes++;
  return row;
}

/* After code was unloaded another may lie at its address: its rows are new. */
static HP_COLD void leave_rows(void) {
  clear_slots();
  all.first = all.count;
  all.others = 0;
  all.has_others = false;
  all.forgotten = hp_unwind_forgotten();
}

/* ---- the whole ----------------------------------------------------------- */

/* One more chunk of ROW whose stack was taken, or that realloc ended. */
static HP_NOINLINE void note_seldom(struct free_row *row,
                                    const struct hp_chunk_log *chunk) {
  if (chunk->flags & HP_CHUNK_REALLOC)
    row->flags |= HP_FREE_REALLOC;
  if (!chunk->free_stack)
    return;
  row->stacks += chunk->weight;
  if (!row->stack)
    row->stack = chunk->free_stack;
  else if (row->stack != chunk->free_stack)
    row->flags |= HP_FREE_STACKS;
}

HP_INLINE void add_life(struct free_row *row,
                        const struct hp_chunk_log *chunk) {
  const uint64_t life = hp_dur(chunk->t0, chunk->t1);
  const hp_wide lives =
      wide(row->lives, row->lives_high) + (hp_wide)life * chunk->weight;
  row->lives = (uint64_t)lives;
  row->lives_high = (uint32_t)(lives >> 64);
  row->chunks += chunk->weight;
}

static struct free_row *row_of(const struct hp_chunk_log *chunk) {
  const uint64_t stack = all.by_stack ? chunk->free_stack : 0;
  const uint64_t point = chunk->point | stack << 32;
  uint32_t *slot;
  /* Each look-up would miss the cache. */
  if (chunk->point > all.last_point)
    return row_at(0);
  struct free_row *row = find(chunk->free_pc, chunk->size, point, &slot);
  if (!row)
    row = new_row(chunk, point);
  if (row->size == OTHER_SIZES)
    all.others = (uint32_t)(row - row_at(0));
  return row;
}

static HP_NOINLINE void add_otherwise(const struct hp_chunk_log *chunk) {
  struct free_row *row = row_of(chunk);
  note_seldom(row, chunk);
  add_life(row, chunk);
}

/* What the first slot where CHUNK's row may be holds. */
HP_INLINE uint32_t first_slot(const struct hp_chunk_log *chunk) {
  return slots()[hash_of(chunk->free_pc, chunk->size, chunk->point) >>
                 all.shift];
}

/* Each free pays for it: at most 44 instructions if the row is in the first slot
   where it may be (test/performance/free-site.test).  If that slot is free, the size
   has no row, and is one of those that another row is for: mostly that which was
   used last.  Chosen without a jump, since no one could foretell it where sizes
   are many. */
void hp_free_site_add(const struct hp_chunk_log *chunk) {
  const uint32_t slot = first_slot(chunk);
  const uint32_t number = slot ? slot & NUMBER : all.others;
  const uint64_t size = slot ? chunk->size : OTHER_SIZES;
  struct free_row *row = row_at(number);
  if (HP_LIKELY(row->pc == chunk->free_pc) && HP_LIKELY(row->size == size) &&
      HP_LIKELY(row->point == chunk->point) && HP_LIKELY(!chunk->free_stack) &&
      HP_LIKELY(!(chunk->flags & HP_CHUNK_REALLOC)))
    add_life(row, chunk);
  else
    add_otherwise(chunk);
}

void hp_free_site_prefetch(const struct hp_chunk_log *far,
                           const struct hp_chunk_log *near) {
  __builtin_prefetch(
      &slots()[hash_of(far->free_pc, far->size, far->point) >> all.shift]);
  __builtin_prefetch(row_at(first_slot(near) & NUMBER), 1);
}

void hp_free_sites_look(void) {
  if (HP_UNLIKELY(all.forgotten != hp_unwind_forgotten()))
    leave_rows();
}

HP_COLD bool hp_free_sites_start(bool by_stack) {
  if (!all.rows.base &&
      !hp_arena_reserve(&all.rows, HP_FREE_ROWS * sizeof(struct free_row),
                        HP_FREE_ROWS * sizeof(struct free_row)))
    return false;
  all.rows.dense = true;
  if (!all.slots.base && !hp_arena_reserve(&all.slots, TABLE_MAX, TABLE_MAX))
    return false;
  if (all.rows.committed)
    hp_sys_release(all.rows.base, all.rows.committed);
  if (all.slots.committed)
    hp_sys_release(all.slots.base, all.slots.committed);
  all.mask = SLOTS_FIRST - 1;
  all.shift = 64 - SLOTS_FIRST_BITS;
  all.by_stack = by_stack;
  all.forgotten = hp_unwind_forgotten();
  all.count = all.used = all.others = 0;
  all.last_point = UINT32_MAX;
  all.has_others = false;
  if (!hp_arena_commit(&all.slots, SLOTS_FIRST * sizeof(uint32_t)) ||
      !hp_arena_commit(&all.rows, sizeof(struct free_row)))
    return false;
  *row_at(0) = (struct free_row){.pc = UINT64_MAX,
                                 .size = OTHER_SIZES}; /* is nobody's row */
  all.count = all.first = 1;
  return true;
}

uint32_t hp_free_site_count(void) { return all.count; }

bool hp_free_sites_want_stacks(void) {
  return all.by_stack || all.count < HP_FREE_ROWS;
}

static HP_COLD void put_stack(struct hp_bytes *to, const struct free_row *row) {
  uint64_t pc[HP_STACK_MAX]; /* not zeroed: there are many rows */
  pc[0] = row->pc;
  bool cut = false;
  size_t depth = row->stack ? hp_stack_frames(row->stack, pc, &cut) : 1;
  hp_put_stack_field(to, HP_FREE_FIELD_stack, pc, depth);
  if (cut)
    hp_put_u64_field(to, HP_FREE_FIELD_truncated, 1);
}

HP_COLD bool hp_free_site_put(struct hp_bytes *to, uint32_t i) {
  const struct free_row *row = row_at(i);
  if (!row->chunks)
    return false;
  uint8_t lives[2 * HP_VARINT_MAX];
  const uint8_t *end =
      hp_varint_at(hp_varint_at(lives, row->lives), row->lives_high);
  uint32_t flags = i ? row->flags : HP_FREE_REST;
  if (i && row->stacks < row->chunks)
    flags |= HP_FREE_PART;
  if (i && row->size == OTHER_SIZES)
    flags |= HP_FREE_SIZES_VARY;
  if (hp_stack_is_folded(row->stack))
    flags |= HP_FREE_FOLDED;
  if ((uint32_t)row->point)
    hp_put_u64_field(to, HP_FREE_FIELD_point, (uint32_t)row->point);
  if (i)
    put_stack(to, row);
  if (row->size && row->size != OTHER_SIZES)
    hp_put_u64_field(to, HP_FREE_FIELD_size, row->size);
  hp_put_u64_field(to, HP_FREE_FIELD_chunks, row->chunks);
  hp_put_bytes_field(to, HP_FREE_FIELD_lives, lives, (size_t)(end - lives));
  if (flags)
    hp_put_u64_field(to, HP_FREE_FIELD_flags, flags);
  if (row->first)
    hp_put_u64_field(to, HP_FREE_FIELD_first, row->first);
  return true;
}

size_t hp_free_site_memory(void) {
  return all.rows.committed + all.slots.committed;
}
