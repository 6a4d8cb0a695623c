/* access_range.c - see access_range.h: the chunk that a range begins in, and what
   is copied from one to another.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/access_range.h"

#include "chunk/access.h"
#include "chunk/bare_access.h"
#include "chunk/growth.h"
#include "heap/owner.h"

/* A multiple of which each chunk begins at. */
#define BEGINS_AT 16u

/* The bytes are within a live chunk, of *SIZE bytes, that begins at *START. */
HP_INLINE bool is_within_bare(const void *p, size_t n, uint64_t *size,
                              uintptr_t *start) {
  const struct hp_bare_slot slot = hp_bare_slot_of(p);
  if (HP_UNLIKELY(!slot.record))
    return false;
  const uint64_t word = __atomic_load_n(&slot.record->word, __ATOMIC_RELAXED);
  *size = hp_bare_size_of(word);
  *start = slot.start;
  return word & HP_RECORD_LIVE && (uintptr_t)p - slot.start + n <= *size;
}

/* The same of a source that is not bare: none takes over from it but at its beginning. */
HP_INLINE bool is_quiet_profiled(const void *from, const void *to, size_t n) {
  const struct hp_chunk *chunk = hp_owner_by_mask(from);
  return chunk && n && hp_access_is_covered(chunk, (uintptr_t)from, n) &&
         ((uintptr_t)to % BEGINS_AT != 0 ||
          n < (chunk->hi - chunk->lo) / HP_GROWTH_PARTS);
}

/* What is read is within its chunk, which was not copied before; and it is too small, or
   goes to the wrong place, to be a chunk that another takes over from. */
HP_INLINE bool is_quiet_source(const void *from, const void *to, size_t n) {
  uint64_t size;
  uintptr_t start;
  if (!hp_bare_holds(from))
    return !hp_heap_may_hold(from) || is_quiet_profiled(from, to, n);
  struct hp_thread *self = hp_thread_self;
  if (!is_within_bare(from, n, &size, &start) ||
      ((uintptr_t)to % BEGINS_AT == 0 && n >= size / HP_GROWTH_PARTS) || !self)
    return false;
  const struct hp_chunk *name = (const struct hp_chunk *)start;
  return HP_LIKELY(hp_growth_copy_of(&self->growth, name)->from != name);
}

/* What is written is within its chunk.  Without hooks all of one is accessed from the
   start, and none counted.  Of no byte the slot need not even be mapped. */
HP_INLINE bool is_quiet_target(const void *to, size_t n) {
  uint64_t size;
  uintptr_t start;
  if (!hp_heap_may_hold(to))
    return true;
  if (hp_bare_holds(to))
    return is_within_bare(to, n, &size, &start);
  const struct hp_chunk *chunk = hp_owner_by_mask(to);
  return chunk && n && hp_access_is_covered(chunk, (uintptr_t)to, n);
}

static HP_COLD void copy_of_bare(void *to, const void *from, size_t n,
                                 uintptr_t pc) {
  if (hp_heap_may_hold(from))
    hp_access_heap_range(from, n, HP_ACCESS_READ, pc);
  if (hp_bare_holds(from) && (uintptr_t)to % BEGINS_AT == 0)
    hp_bare_copied(to, from, n);
  if (hp_heap_may_hold(to))
    hp_access_heap_range(to, n, HP_ACCESS_WRITE, pc);
}

/* Neither side is a bare chunk. */
static HP_NOINLINE void copy_of_others(void *to, const void *from, size_t n,
                                       uintptr_t pc) {
  struct hp_chunk *source = NULL;
  if (n && hp_heap_holds(from))
    source = hp_owner_checked(from).chunk;
  if (source)
    hp_access_bytes(source, from, n, HP_ACCESS_READ, pc);
  struct hp_chunk *chunk = NULL;
  if (n && hp_heap_holds(to))
    chunk = hp_owner_checked(to).chunk;
  if (!chunk)
    return;
  if (source && HP_UNLIKELY(!hp_access_hooked))
    hp_growth_note_part(chunk, to, source, n);
  else if (source && !hp_access_is_covered(chunk, (uintptr_t)to, n))
    hp_growth_note_copy(chunk, source, n);
  hp_access_bytes(chunk, to, n, HP_ACCESS_WRITE, pc);
}

void hp_access_heap_copy(void *to, const void *from, size_t n, uintptr_t pc) {
  if (!n)
    return;
  if (hp_bare_holds(from) || hp_bare_holds(to))
    copy_of_bare(to, from, n, pc);
  else
    copy_of_others(to, from, n, pc);
}

/* What is to be told of is seldom: the caller keeps no register for it. */
static HP_PRESERVE_MOST HP_NOINLINE void
tell_of_copy(void *to, const void *from, size_t n, uintptr_t pc) {
  hp_access_heap_copy(to, from, n, pc);
}

/* Of most copies nothing is to be said: without a call, and few registers. */
void *hp_copy_without_hooks(void *to, const void *from, size_t n,
                            hp_copy_function *copy) {
  if (HP_UNLIKELY(!is_quiet_source(from, to, n)) ||
      HP_UNLIKELY(!is_quiet_target(to, n)))
    tell_of_copy(to, from, n, (uintptr_t)__builtin_return_address(0));
  return copy(to, from, n);
}

void hp_access_heap_range(const void *p, size_t n, int kind, uintptr_t pc) {
  if (HP_UNLIKELY(hp_bare_holds(p))) {
    hp_bare_access(p, n, kind, pc);
    return;
  }
  struct hp_chunk *chunk = hp_heap_holds(p) ? hp_owner_checked(p).chunk : NULL;
  if (chunk)
    hp_access_bytes(chunk, p, n, kind, pc);
}
