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

static HP_NOINLINE void copy_of_bare(void *to, const void *from, size_t n,
                                     uintptr_t pc) {
  if (HP_LIKELY(hp_bare_holds(from))) {
    const uint64_t size = hp_bare_access(from, n, HP_ACCESS_READ, pc);
    if (n >= size / HP_GROWTH_PARTS && (uintptr_t)to % BEGINS_AT == 0)
      hp_bare_copied(to, from, n);
  } else {
    hp_access_range(from, n, HP_ACCESS_READ);
  }
  if (hp_bare_holds(to))
    hp_bare_access(to, n, HP_ACCESS_WRITE, pc);
  else if (hp_heap_may_hold(to))
    hp_access_heap_range(to, n, HP_ACCESS_WRITE, pc);
}

void hp_access_heap_copy(void *to, const void *from, size_t n, uintptr_t pc) {
  if (HP_UNLIKELY(hp_bare_holds(from) || hp_bare_holds(to)) && n) {
    copy_of_bare(to, from, n, pc);
    return;
  }
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

void hp_access_heap_range(const void *p, size_t n, int kind, uintptr_t pc) {
  if (HP_UNLIKELY(hp_bare_holds(p))) {
    hp_bare_access(p, n, kind, pc);
    return;
  }
  struct hp_chunk *chunk = hp_heap_holds(p) ? hp_owner_checked(p).chunk : NULL;
  if (chunk)
    hp_access_bytes(chunk, p, n, kind, pc);
}
