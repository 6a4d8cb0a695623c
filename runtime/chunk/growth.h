/* growth.h - which chunk takes over from which: a vector that grows, a text that
   realloc makes longer.  Chains of such chunks follow, each known by itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWTH_H
#define HP_GROWTH_H

#include "heap/heap.h"
#include "heapprof_format.h"
#include "system/clock.h"
#include "thread/growth_watch.h"

/* A chunk B takes over from a smaller one A that ends, if

     SEEN      realloc made it of A; or B began after A, bytes of A were seen
               copied into B, at least 3/4 of as many as A had accessed, and
               then A was freed, not read again, by the same thread
     ALIKE     the same, but A was read again, or copied into another chunk
               too; or A was the next of its allocation point that the thread
               freed after B began, from nearly the same depth of the stack,
               was accessed since, or just before, over half of its bytes, and
               what was accessed of it is in B at the same place
     FOLLOWED  the same, but other bytes: elements were moved, not copied, or
               all is chance.  Only the reader knows, who has the names of
               functions; B has half as many bytes more, at least

   and B has taken over from no other one.  Of a text and what is appended to it,
   both copied into B, the one that gave more bytes is A.  What was not seen of A
   and B is no link: threads that take turns, a copy by a loop of another thread.

   Memory: hp_chain_state, of which only pages of chunks in chains are touched,
   and for each thread its last beginnings and copies (growth_watch.h). */

/* How far apart a chunk's last access and the beginning of its successor may be: a
   table is looked up in, found too small, and another is made, and in between the
   thread may lose its processor. */
#define HP_GROWTH_RECENT 6u /* 2^6 steps of the coarse clock */

HP_INLINE void hp_growth_begin(struct hp_growth_watch *watch,
                               const struct hp_chunk *chunk, uint32_t point,
                               uint64_t t0, uint64_t size, uintptr_t sp) {
  struct hp_growth_begun *begun = &watch->begun[point % HP_GROWTH_BEGUN];
  begun->size = size; /* one by one: the rest of the line stays as it is */
  begun->chunk = chunk;
  begun->t0 = t0;
  begun->sp = sp;
}

HP_INLINE struct hp_growth_copy *
hp_growth_copy_of(struct hp_growth_watch *watch, const struct hp_chunk *from) {
  return &watch->copies[((uintptr_t)from >> HP_CLASS_MIN_SHIFT) %
                        HP_GROWTH_COPIES];
}

/* Frames of one function, with and without what it inlines, are so near. */
#define HP_GROWTH_DEPTH ((uintptr_t)256) /* bytes of stack */
HP_INLINE bool hp_growth_is_near(uintptr_t a, uintptr_t b) {
  return a - b + HP_GROWTH_DEPTH <= 2 * HP_GROWTH_DEPTH;
}

/* Whether the chunk of NEXT may have taken over from CHUNK, of SIZE bytes, which
   is freed from SP: a look at what is at hand anyway.  What was never read, or
   is not full, need not grow. */
HP_INLINE bool hp_growth_may_follow(const struct hp_growth_begun *next,
                                    const struct hp_chunk *chunk, uint64_t size,
                                    uintptr_t sp) {
  return next->size > size &&
         chunk->last + (hp_clock_period << HP_GROWTH_RECENT) >= next->t0 &&
         (uint64_t)chunk->hi - chunk->lo >= size / 2 &&
         chunk->reads_guard & HP_COUNT_MASK && hp_growth_is_near(sp, next->sp);
}

/* CHUNK is freed by the calling thread, whose WATCH this is, from SP. */
bool hp_growth_end_copied(struct hp_growth_watch *watch,
                          const struct hp_chunk *chunk); /* it has a link */
void hp_growth_end_followed(const struct hp_growth_begun *next,
                            const struct hp_chunk *chunk,
                            const struct hp_cold *cold);
HP_INLINE void hp_growth_end(struct hp_growth_watch *watch,
                             const struct hp_chunk *chunk,
                             const struct hp_cold *cold, uintptr_t sp) {
  struct hp_growth_begun *next = &watch->begun[cold->point % HP_GROWTH_BEGUN];
  const struct hp_growth_copy *copy = hp_growth_copy_of(watch, chunk);
  if (!(HP_UNLIKELY(copy->from == chunk) &&
        hp_growth_end_copied(watch, chunk)) &&
      HP_UNLIKELY(
          hp_growth_may_follow(next, chunk, cold->word & HP_SIZE_MAX, sp)))
    hp_growth_end_followed(next, chunk, cold);
  next->size = 0;
}

/* N > 0 bytes of SOURCE are copied into CHUNK, some of them to where no access
   was before: only what reaches new bytes is of interest, so that it does not
   matter whether accesses of the chunk are exact.  Most copies are to what is
   smaller or older. */
HP_PRESERVE_MOST void hp_growth_copied(const struct hp_chunk *chunk,
                                       struct hp_chunk *source, size_t n);
HP_INLINE void hp_growth_note_any(const struct hp_chunk *chunk,
                                  struct hp_chunk *source, size_t n) {
  const struct hp_cold *cold = hp_cold_of(chunk), *before = hp_cold_of(source);
  if ((cold->word & HP_SIZE_MAX) > (before->word & HP_SIZE_MAX) &&
      cold->t0 > before->t0)
    hp_growth_copied(chunk, source, n);
}

HP_INLINE void hp_growth_note_copy(const struct hp_chunk *chunk,
                                   struct hp_chunk *source, size_t n) {
  if (hp_chunk_shift(chunk) >= hp_chunk_shift(source))
    hp_growth_note_any(chunk, source, n);
}

/* The same without hooks, where no byte of CHUNK is known to be new: of copies TO
   its beginning, if they are large enough to take SOURCE over in a few.  What has
   pages of its own is in a larger slot than its size says. */
#define HP_GROWTH_PARTS 8u
HP_INLINE void hp_growth_note_part(const struct hp_chunk *chunk, const void *to,
                                   struct hp_chunk *source, size_t n) {
  if (chunk->lo == (uint32_t)(uintptr_t)to &&
      n >= hp_chunk_size(source) / HP_GROWTH_PARTS)
    hp_growth_note_any(chunk, source, n);
}

/* What realloc is to know of a chunk before it ends; length 1: no chain. */
struct hp_chain_state hp_growth_state(const struct hp_chunk *chunk);

/* CHUNK takes over from one of SIZE bytes, of which BEFORE is the state, and got
   COPIED bytes of it. */
void hp_growth_link(struct hp_chunk *chunk, const struct hp_chain_state *before,
                    uint64_t size, uint64_t copied, enum hp_chain kind);

/* The same, put where the state of a chunk of any range is kept. */
void hp_growth_put(struct hp_chain_state *to,
                   const struct hp_chain_state *before, uint64_t size,
                   uint64_t copied, enum hp_chain kind);

/* Of a text and what is appended to it the new chunk gets bytes of both.  It
   takes over from the one that gave more, not from the one that came last. */
HP_INLINE bool hp_growth_has_better(const struct hp_growth_copy *copy,
                                    const struct hp_chunk *source,
                                    const struct hp_chunk *chunk, uint64_t t0,
                                    size_t n) {
  return copy->from && copy->from != source && copy->to == chunk &&
         copy->to_t0 == t0 && copy->bytes >= n;
}

/* N bytes more went from SOURCE, which began at FROM_T0, to CHUNK.  Whether they are
   the first of these two. */
HP_INLINE bool hp_growth_note(struct hp_growth_copy *copy,
                              const struct hp_chunk *source, uint64_t from_t0,
                              const struct hp_chunk *chunk, uint64_t to_t0,
                              size_t n) {
  const bool is_same = copy->from == source && copy->from_t0 == from_t0;
  const bool goes_on = is_same && copy->to == chunk && copy->to_t0 == to_t0;
  copy->has_others = is_same && (copy->has_others || !goes_on);
  copy->bytes = hp_add_saturated(goes_on ? copy->bytes : 0, n);
  copy->from = source; /* one by one: the rest of the line stays as it is */
  copy->to = chunk;
  copy->from_t0 = from_t0;
  copy->to_t0 = to_t0;
  return !goes_on;
}

/* Puts into ENTRY how its chain came to CHUNK, which is GROWN. */
void hp_growth_describe_chain(struct hp_chunk_log *entry,
                              const struct hp_chain_state *state);
void hp_growth_describe(struct hp_chunk_log *entry,
                        const struct hp_chunk *chunk);

#endif
