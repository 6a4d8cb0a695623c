/* chunk_store.c - packs chunks as varints of what little they differ by.
   Many go to a file, part by part; the bytes are our own: reading checks nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/chunk_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "read/record.h"

/* A chunk, each field one varint, + zigzag of the distance from the same field
   of the chunk before, * zigzag:

     t0 +   t1 - t0 *   size   weight   flags
     bytes that follow, in one byte
     reads   writes   first - t0 *   last - first *     the last two only if
     lo   hi - lo   thread   free_thread                it was accessed
     free_pc +   step +
     chain_length   chain_kind   chain_first            these only if flags
     chain_bytes   chain_copied   copied                have GROWN
     address +                                          only if it is known */
#define TAIL_MOST ((size_t)4 << 20) /* bytes of one point in memory */
#define LIFE_MAX (5 * 10 + 1)       /* bytes */
#define REST_MAX (17 * 10)
_Static_assert(REST_MAX <= UINT8_MAX, "their number is one byte");

static uint8_t *put(uint8_t *to, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    *to++ = (uint8_t)(value | 0x80);
  *to++ = (uint8_t)value;
  return to;
}

static uint8_t *put_signed(uint8_t *to, uint64_t value) {
  return put(to, value << 1 ^ (0 - (value >> 63)));
}

static inline uint64_t take(const uint8_t **at) {
  uint64_t value = *(*at)++;
  if (value < 0x80)
    return value;
  value &= 0x7f;
  for (unsigned shift = 7;; shift += 7) {
    uint64_t byte = *(*at)++;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
}

static inline uint64_t take_signed(const uint8_t **at) {
  return (uint64_t)hp_unzigzag(take(at));
}

static bool resize(struct hp_chunks *chunks, size_t capacity) {
  uint8_t *bytes = realloc(chunks->bytes, capacity);
  if (!bytes)
    return false;
  if (chunks->spill)
    chunks->spill->tails += capacity - chunks->capacity;
  chunks->bytes = bytes;
  chunks->capacity = capacity;
  return true;
}

static void free_bytes(struct hp_chunks *chunks) {
  free(chunks->bytes);
  if (chunks->spill)
    chunks->spill->tails -= chunks->capacity;
  chunks->bytes = NULL;
  chunks->size = chunks->capacity = 0;
}

void hp_chunks_spill(struct hp_chunks *chunks) {
  struct hp_chunk_part *part =
      chunks->spill && chunks->size
          ? hp_spill_take(chunks->spill, sizeof *part + chunks->size)
          : NULL;
  if (!part)
    return;
  part->size = chunks->size;
  memcpy(part->bytes, chunks->bytes, chunks->size);
  if (chunks->parts) {
    chunks->last_part->next = part;
    hp_spill_use_one(chunks->spill);
  } else
    chunks->parts = part;
  chunks->last_part = part;
  free_bytes(chunks);
}

static bool reserve(struct hp_chunks *chunks, size_t more) {
  if (chunks->size >= TAIL_MOST)
    hp_chunks_spill(chunks);
  if (more <= chunks->capacity - chunks->size)
    return true;
  size_t capacity = chunks->capacity + chunks->capacity / 2;
  if (capacity < chunks->size + more)
    capacity = chunks->size + more;
  return resize(chunks, capacity);
}

static bool in_order(const struct hp_chunk_before *a,
                     const struct hp_chunk_log *b) {
  return a->t0 < b->t0 || (a->t0 == b->t0 && a->thread <= b->thread);
}

static struct hp_chunk_before before_next(const struct hp_chunk_log *c) {
  return (struct hp_chunk_before){c->t0, c->free_pc, c->address, c->thread,
                                  c->step};
}

bool hp_chunks_add(struct hp_chunks *chunks, const struct hp_chunk_log *c) {
  uint8_t packed[LIFE_MAX + REST_MAX], *to = packed, *rest;
  to = put_signed(to, c->t0 - chunks->last.t0);
  to = put_signed(to, c->t1 - c->t0);
  to = put(to, c->size);
  to = put(to, c->weight);
  to = put(to, c->flags);
  rest = ++to;
  to = put(to, c->reads);
  to = put(to, c->writes);
  if (c->reads || c->writes) {
    to = put_signed(to, c->first - c->t0);
    to = put_signed(to, c->last - c->first);
  }
  to = put(to, c->lo);
  to = put(to, c->hi - c->lo);
  to = put(to, c->thread);
  to = put(to, c->free_thread);
  to = put_signed(to, c->free_pc - chunks->last.free_pc);
  to = put_signed(to, (uint64_t)c->step - chunks->last.step);
  if (c->flags & HP_CHUNK_GROWN) {
    to = put(to, c->chain_length);
    to = put(to, c->chain_kind);
    to = put(to, c->chain_first);
    to = put(to, c->chain_bytes);
    to = put(to, c->chain_copied);
    to = put(to, c->copied);
  }
  if (c->address)
    to = put_signed(to, c->address - chunks->last.address);
  rest[-1] = (uint8_t)(to - rest);
  size_t size = (size_t)(to - packed);
  if (!reserve(chunks, size))
    return false;
  /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): there is room, and SIZE is not 0 */
  memcpy(chunks->bytes + chunks->size, packed, size);
  chunks->size += size;
  if (chunks->count++ == 0)
    chunks->first_t0 = c->t0;
  else if (!in_order(&chunks->last, c))
    chunks->is_unsorted = true;
  chunks->is_thinned = chunks->is_thinned || c->weight != 1;
  chunks->last = before_next(c);
  return true;
}

/* Where the next chunk is, once those of a part are read. */
static bool next_part(struct hp_chunk_reader *reader) {
  const struct hp_chunks *chunks = reader->chunks;
  const struct hp_chunk_part *part = reader->next;
  if (!chunks)
    return false;
  reader->at = part ? part->bytes : chunks->bytes;
  reader->end = reader->at + (part ? part->size : chunks->size);
  reader->next = part ? part->next : NULL;
  reader->chunks = part ? chunks : NULL;
  hp_spill_use(chunks->spill, part ? part->size : 0);
  return reader->at != reader->end;
}

static inline const uint8_t *take_life(struct hp_chunk_reader *reader,
                                       struct hp_chunk_log *c) {
  const uint8_t *at = reader->at;
  if (reader->chunks)
    hp_spill_use_one(reader->chunks->spill);
  c->t0 = reader->before.t0 += take_signed(&at);
  c->t1 = c->t0 + take_signed(&at);
  c->size = take(&at);
  c->weight = (uint32_t)take(&at);
  c->flags = (uint32_t)take(&at);
  reader->at = at + 1 + *at;
  return at + 1;
}

bool hp_chunks_next_life(struct hp_chunk_reader *reader,
                         struct hp_chunk_log *c) {
  if (reader->at == reader->end && !next_part(reader))
    return false;
  take_life(reader, c);
  return true;
}

bool hp_chunks_next(struct hp_chunk_reader *reader, struct hp_chunk_log *c) {
  struct hp_chunk_before *before = &reader->before;
  if (reader->at == reader->end && !next_part(reader))
    return false;
  const uint8_t *at = take_life(reader, c);
  c->reads = take(&at);
  c->writes = take(&at);
  c->first = c->last = 0;
  if (c->reads || c->writes) {
    c->first = c->t0 + take_signed(&at);
    c->last = c->first + take_signed(&at);
  }
  c->lo = take(&at);
  c->hi = c->lo + take(&at);
  c->thread = (uint32_t)take(&at);
  c->free_thread = (uint32_t)take(&at);
  c->free_pc = before->free_pc + take_signed(&at);
  c->step = before->step + (uint32_t)take_signed(&at);
  c->point = 0;
  c->chain_length = c->chain_kind = 0;
  c->chain_first = c->chain_bytes = c->chain_copied = c->copied = 0;
  if (c->flags & HP_CHUNK_GROWN) {
    c->chain_length = (uint32_t)take(&at);
    c->chain_kind = (uint32_t)take(&at);
    c->chain_first = take(&at);
    c->chain_bytes = take(&at);
    c->chain_copied = take(&at);
    c->copied = take(&at);
  }
  c->address = at < reader->at ? before->address + take_signed(&at) : 0;
  *before = before_next(c);
  return true;
}

/* ---- order --------------------------------------------------------------- */

/* Chunks that were added in order, the next of them and how many are left. */
struct run {
  struct hp_chunk_reader reader;
  struct hp_chunk_log chunk;
  size_t left;
};

/* Runs lie in the order in which they were added. */
static bool precedes(const struct run *a, const struct run *b) {
  const struct hp_chunk_log *x = &a->chunk, *y = &b->chunk;
  if (x->t0 != y->t0)
    return x->t0 < y->t0;
  return x->thread != y->thread ? x->thread < y->thread : a < b;
}

static size_t find_runs(const struct hp_chunks *chunks, struct run *runs) {
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  struct hp_chunk_before before = {0};
  struct hp_chunk_log chunk;
  size_t count = 0;
  for (; hp_chunks_next(&reader, &chunk); before = reader.before) {
    if (count == 0 || !in_order(&before, &chunk)) {
      if (runs)
        runs[count] = (struct run){reader, chunk, 0};
      count++;
    }
    if (runs)
      runs[count - 1].left++;
  }
  return count;
}

/* HEAP[0] comes first of all; HEAP[i] before HEAP[2 i + 1], HEAP[2 i + 2]. */
static void sift(struct run **heap, size_t count, size_t i) {
  for (size_t child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && precedes(heap[child + 1], heap[child]))
      child++;
    if (precedes(heap[i], heap[child]))
      return;
    struct run *run = heap[i];
    heap[i] = heap[child];
    heap[child] = run;
  }
}

static bool merge(struct run **heap, size_t count, struct hp_chunks *to) {
  for (size_t i = count / 2; i-- > 0;)
    sift(heap, count, i);
  while (count) {
    struct run *first = heap[0];
    if (!hp_chunks_add(to, &first->chunk))
      return false;
    if (--first->left)
      hp_chunks_next(&first->reader, &first->chunk);
    else
      heap[0] = heap[--count];
    sift(heap, count, 0);
  }
  return true;
}

/* A log has few runs that are long, one of each of its blocks. */
static bool sort(struct hp_chunks *chunks) {
  size_t count = find_runs(chunks, NULL);
  struct run *runs = reallocarray(NULL, count, sizeof *runs);
  struct run **heap = reallocarray(NULL, count, sizeof *heap);
  struct hp_chunks sorted = {.spill = chunks->spill};
  bool good = runs && heap;
  if (good) {
    find_runs(chunks, runs);
    for (size_t i = 0; i < count; i++)
      heap[i] = &runs[i];
    good = merge(heap, count, &sorted);
  }
  free(heap);
  free(runs);
  hp_chunks_free(good ? chunks : &sorted);
  if (good)
    *chunks = sorted;
  return good;
}

hp_status hp_chunks_sort(struct hp_chunks *chunks, struct hp_error *error) {
  if (chunks->is_unsorted && !sort(chunks))
    return hp_fail_memory(error);
  if (chunks->spill && (chunks->spill->newest ||
                        hp_spill_is_due(chunks->spill, chunks->spill->tails)))
    hp_chunks_spill(chunks);
  if (chunks->size == chunks->capacity)
    return HP_OK;
  return resize(chunks, chunks->size) ? HP_OK : hp_fail_memory(error);
}

void hp_chunks_free(struct hp_chunks *chunks) {
  free_bytes(chunks);
  *chunks = (struct hp_chunks){.spill = chunks->spill};
}
