/* growth.c - see growth.h: evidence is gathered while a chunk is copied and
   judged when it is freed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/growth.h"

#include "chunk/access.h"
#include "chunk/accessed_bytes.h"
#include "heap/owner.h"
#include "origin/point.h"
#include "origin/type.h"
#include "system/real_libc.h"
#include "thread/thread_state.h"

/* So many bytes are compared at most. */
#define COMPARED ((uint64_t)4096)

/* ---- links --------------------------------------------------------------- */

struct hp_chain_state hp_growth_state(const struct hp_chunk *chunk) {
  if (hp_cold_of(chunk)->word & HP_RECORD_GROWN)
    return *hp_chain_of(chunk);
  return (struct hp_chain_state){.first = hp_chunk_size(chunk), .length = 1};
}

/* A chain does not get worse by a link that is known better: it begins there. */
void hp_growth_put(struct hp_chain_state *to,
                   const struct hp_chain_state *before, uint64_t size,
                   uint64_t copied, enum hp_chain kind) {
  static const struct hp_chain_state none = {.length = 1};
  const bool goes_on = before->length > 1 && before->kind <= kind;
  const struct hp_chain_state *from = goes_on ? before : &none;
  to->first = goes_on ? from->first : size;
  to->length = from->length + (from->length < HP_CHAIN_LENGTH_MAX);
  to->kind = kind;
  to->bytes = hp_add_saturated(from->bytes, size);
  to->copied = hp_add_saturated(from->copied, copied);
  to->link = copied;
}

void hp_growth_link(struct hp_chunk *chunk, const struct hp_chain_state *before,
                    uint64_t size, uint64_t copied, enum hp_chain kind) {
  hp_growth_put(hp_chain_of(chunk), before, size, copied, kind);
  __atomic_fetch_or(&hp_cold_of(chunk)->word, HP_RECORD_GROWN,
                    __ATOMIC_RELEASE);
}

void hp_growth_describe_chain(struct hp_chunk_log *entry,
                              const struct hp_chain_state *state) {
  entry->chain_first = state->first;
  entry->chain_bytes = state->bytes;
  entry->chain_copied = state->copied;
  entry->copied = state->link;
  entry->chain_length = (uint32_t)state->length;
  entry->chain_kind = (uint32_t)state->kind;
}

void hp_growth_describe(struct hp_chunk_log *entry,
                        const struct hp_chunk *chunk) {
  hp_growth_describe_chain(entry, hp_chain_of(chunk));
}

/* ---- copies -------------------------------------------------------------- */

/* Whether the chunk of COLD, which began at T0, is live and of this thread, and
   has taken over from no other one. */
static bool is_free_to(const struct hp_cold *cold, uint64_t t0) {
  return (cold->word & (HP_RECORD_LIVE | HP_RECORD_GROWN)) == HP_RECORD_LIVE &&
         cold->t0 == t0 && cold->thread == hp_thread_self_number;
}

static uint64_t own_reads(struct hp_chunk *chunk) {
  const struct hp_chunk *by = hp_access_own(chunk, (uintptr_t)chunk);
  return hp_chunk_reads(by ? by : chunk);
}

HP_PRESERVE_MOST void hp_growth_copied(const struct hp_chunk *chunk,
                                       struct hp_chunk *source, size_t n) {
  struct hp_thread *self = hp_thread_self;
  const struct hp_cold *cold = hp_cold_of(chunk), *before = hp_cold_of(source);
  if (!self || cold->thread != hp_thread_self_number ||
      !(cold->word & before->word & HP_RECORD_LIVE))
    return;
  struct hp_growth_copy *copy = hp_growth_copy_of(&self->growth, source);
  if (hp_growth_has_better(copy, source, chunk, cold->t0, n))
    return;
  copy->reads = own_reads(source);
  /* Of what takes over most comes at once, and then SOURCE is freed.  Of a text that
     goes to a block piece by piece neither is freed, and mostly no chain is near:
     then the page was never touched, which each fetch finds out anew. */
  if (!hp_growth_note(copy, source, before->t0, chunk, cold->t0, n) ||
      n < (before->word & HP_SIZE_MAX) / 2)
    return;
  __builtin_prefetch(hp_chain_of(chunk), 1);
  if (before->word & HP_RECORD_GROWN)
    __builtin_prefetch(hp_chain_of(source));
}

/* ---- ends ---------------------------------------------------------------- */

bool hp_growth_end_copied(struct hp_growth_watch *watch,
                          const struct hp_chunk *freed) {
  struct hp_chunk *chunk = (struct hp_chunk *)(uintptr_t)freed;
  struct hp_growth_copy *copy = hp_growth_copy_of(watch, chunk);
  const bool is_it = copy->from_t0 == hp_cold_of(chunk)->t0 &&
                     is_free_to(hp_cold_of(copy->to), copy->to_t0);
  copy->from = NULL;
  if (!is_it)
    return false;
  uint64_t lo, hi;
  hp_accessed_bytes_of(chunk, hp_cold_of(chunk)->word, &lo, &hi);
  if (copy->bytes < (hi - lo) - (hi - lo) / 4)
    return false;
  const struct hp_chain_state before = hp_growth_state(chunk);
  const bool is_sure = !copy->has_others && own_reads(chunk) == copy->reads;
  hp_growth_link((struct hp_chunk *)(uintptr_t)copy->to, &before,
                 hp_chunk_size(chunk), copy->bytes,
                 is_sure ? HP_CHAIN_SEEN : HP_CHAIN_ALIKE);
  return true;
}

/* Whether the bytes at A are those at B, and not all one and the same.  Those that
   are others mostly differ at once. */
static bool is_alike(const unsigned char *a, const unsigned char *b,
                     uint64_t n) {
  n = n < COMPARED ? n : COMPARED;
  return n > 1 && *a == *b && hp_real_memcmp(a, b, n) == 0 &&
         hp_real_memcmp(a, a + 1, n - 1) != 0;
}

/* Bytes of the chunk of COLD that went over, if [LO, HI) was accessed: whole
   elements. */
static uint64_t moved_bytes(const struct hp_cold *cold, uint64_t lo,
                            uint64_t hi) {
  const uint64_t size = cold->word & HP_SIZE_MAX;
  const uint32_t point = cold->point;
  if (!point || hi - lo == size)
    return hi - lo;
  const struct hp_type *type = hp_point_type(hp_point_get(point));
  const uint64_t element = type ? type->element_size : 0;
  if (!element)
    return hi - lo;
  lo -= lo % element;
  hi += hi % element ? element - hi % element : 0;
  return (hi < size ? hi : size) - lo;
}

/* The chunk of NEXT may have got its bytes otherwise meanwhile: then it is not
   free to take over. */
void hp_growth_end_followed(const struct hp_growth_begun *next,
                            const struct hp_chunk *chunk,
                            const struct hp_cold *cold) {
  struct hp_chunk *to = (struct hp_chunk *)(uintptr_t)next->chunk;
  const struct hp_cold *after = hp_cold_of(to);
  if (!is_free_to(after, next->t0) || cold->t0 >= next->t0 ||
      after->point != cold->point)
    return;
  const uint64_t word = cold->word, size = word & HP_SIZE_MAX;
  uint64_t lo, hi, to_lo, to_hi;
  hp_accessed_bytes_of(chunk, word, &lo, &hi);
  hp_accessed_bytes_of(to, after->word, &to_lo, &to_hi);
  if (lo == hi || to_lo > lo || to_hi < hi)
    return;
  const unsigned char *start = (const unsigned char *)chunk + hp_front_of(word);
  const unsigned char *to_start =
      (const unsigned char *)to + hp_front_of(after->word);
  const bool alike = is_alike(start + lo, to_start + lo, hi - lo);
  if (!alike && (!hp_access_hooked || next->size < size + size / 2))
    return;
  const struct hp_chain_state before = hp_growth_state(chunk);
  hp_growth_link(to, &before, size, moved_bytes(cold, lo, hi),
                 alike ? HP_CHAIN_ALIKE : HP_CHAIN_FOLLOWED);
}
