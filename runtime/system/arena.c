/* arena.c - see arena.h.
   Pages become touchable in steps, resident when touched or populated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/arena.h"
#include "system/check.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/spare.h"

#define HP_ARENA_STEP ((size_t)1 << 20)
#define HP_ARENA_PAGE                                                          \
  ((size_t)4 << 10) /* where there is no memory for a step */
/* A program that walks through many chunks waits for the translation of their
   addresses, page by page, and of the records'.  So a dense arena has huge
   pages: each of the first ones once all of it was touched, so that it takes no
   memory more; of an arena of so many bytes all further ones at once. */
#define HP_ARENA_LARGE ((size_t)8 << 20)
#define HP_ARENA_HUGE_PAGE ((size_t)2 << 20)

/* Where memory is limited: a part of what there is already, at least so much.
 */
#define HP_ARENA_LEAST_STEP HP_ARENA_PAGE
#define HP_ARENA_PART 16u

static struct hp_lock growing;

void hp_clear(void *p, size_t size) {
  uint64_t *words = p;
  for (size_t i = 0; i < size / sizeof *words; i++)
    if (words[i])
      words[i] = 0;
}

void hp_arenas_lock(void) { hp_lock_take(&growing); }
void hp_arenas_unlock(void) { hp_lock_release(&growing); }

/* The next place for SIZE bytes; NULL if the range is at its end. */
static char *next_place(size_t size) {
  static uintptr_t next = HP_ARENAS_BASE;
  size = (size + HP_ARENA_HUGE_PAGE - 1) & ~(HP_ARENA_HUGE_PAGE - 1);
  if (size > HP_ARENAS_END - HP_ARENAS_BASE)
    return NULL;
  uintptr_t at = __atomic_fetch_add(&next, size, __ATOMIC_RELAXED);
  return at + size <= HP_ARENAS_END ? (char *)at : NULL;
}

bool hp_arena_reserve(struct hp_arena *arena, size_t wanted, size_t least) {
  char *place = next_place(wanted);
  arena->ours = true;
  if (place && (hp_space_is_limited || hp_sys_reserve_at(place, wanted))) {
    arena->base = place;
    arena->reserved = wanted;
    return true;
  }
  for (size_t size = wanted; size >= least; size /= 2) {
    arena->base = hp_sys_reserve(size);
    if (arena->base) {
      arena->reserved = size;
      return true;
    }
  }
  return false;
}

void hp_arena_end(struct hp_arena *arena) {
  const uintptr_t base = (uintptr_t)arena->base;
  if (base >= HP_ARENAS_BASE && base < HP_ARENAS_END) {
    if (arena->committed)
      hp_sys_release(arena->base, arena->committed);
    arena->used = 0;
    return;
  }
  if (base)
    hp_sys_unmap(arena->base, arena->reserved);
  *arena = (struct hp_arena){.dense = arena->dense};
}

/* Makes the last part of what was committed a huge page: it was touched. */
static void collapse(const struct hp_arena *arena) {
  uintptr_t end = (uintptr_t)arena->base + arena->committed;
  if (end % HP_ARENA_HUGE_PAGE == 0 && arena->committed >= HP_ARENA_HUGE_PAGE &&
      arena->committed <= HP_ARENA_LARGE)
    hp_sys_collapse((char *)end - HP_ARENA_HUGE_PAGE, HP_ARENA_HUGE_PAGE);
}

/* Up to the next address that is a multiple of STEP.  The base may lie within a
   page. */
static bool commit(struct hp_arena *arena, size_t size, size_t step) {
  uintptr_t base = (uintptr_t)arena->base;
  size_t end = (base + size + step - 1) / step * step - base;
  if (end > arena->reserved)
    end = arena->reserved;
  size_t ahead = (base + arena->committed) % HP_ARENA_PAGE;
  if (!hp_sys_commit(arena->base + arena->committed - ahead,
                     end - arena->committed + ahead))
    return false;
  if (arena->dense)
    collapse(arena);
  if (arena->dense && size > HP_ARENA_LARGE && !hp_memory_is_limited())
    hp_sys_populate(arena->base + arena->committed, end - arena->committed);
  arena->committed = end;
  return true;
}

void hp_arena_shrink(struct hp_arena *arena, size_t size) {
  const uintptr_t base = (uintptr_t)arena->base, page = HP_ARENA_PAGE;
  const uintptr_t begin = (base + size + page - 1) / page * page,
                  end = (base + arena->committed) / page * page;
  if (begin >= end)
    return;
  if (hp_space_is_limited)
    hp_sys_unmap((void *)begin, end - begin);
  else
    hp_sys_uncommit((void *)begin, end - begin);
  arena->committed = begin - base;
}

static size_t step_of(const struct hp_arena *arena, size_t size) {
  if (!hp_memory_is_limited())
    return arena->dense && size > HP_ARENA_LARGE ? HP_ARENA_HUGE_PAGE
                                                 : HP_ARENA_STEP;
  size_t step = HP_ARENA_LEAST_STEP;
  while (step < HP_ARENA_STEP && step * HP_ARENA_PART < arena->committed)
    step *= 2;
  return step;
}

/* At the end of all memory, what is ours gets it of the spare.  Another thread
   may be quicker to take that. */
static HP_COLD bool commit_by_spare(struct hp_arena *arena, size_t size) {
  bool done = false;
  for (int tries = 0; !done && tries < 4; tries++)
    done = hp_spare_yield(size - arena->committed + HP_ARENA_PAGE,
                          HP_SPARE_FLOOR) &&
           commit(arena, size, HP_ARENA_PAGE);
  return done;
}

bool hp_arena_commit(struct hp_arena *arena, size_t size) {
  if (HP_LIKELY(size <= arena->committed))
    return true;
  if (size > arena->reserved)
    return false;
  hp_lock_take(&growing);
  bool done = commit(arena, size, step_of(arena, size)) ||
              commit(arena, size, HP_ARENA_PAGE) ||
              (arena->ours && commit_by_spare(arena, size));
  hp_lock_release(&growing);
  return done;
}

void *hp_arena_take(struct hp_arena *arena, size_t size) {
  if (size > arena->reserved - arena->used ||
      !hp_arena_commit(arena, arena->used + size))
    return NULL;
  char *p = arena->base + arena->used;
  arena->used += size;
  HP_CHECK(arena->used <= arena->committed &&
           arena->committed <= arena->reserved);
  return p;
}
