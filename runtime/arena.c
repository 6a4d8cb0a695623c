/* arena.c - see arena.h.
   Pages become touchable a MiB at a time, resident when touched or populated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "arena.h"
#include "sanitizer_binding.h"

#define HP_ARENA_STEP ((size_t)1 << 20)
/* A dense arena of so many bytes gets the pages of each step at once, since a
   fault for each page costs more than to zero it. */
#define HP_ARENA_LARGE ((size_t)4 << 20)

size_t hp_arena_most = SIZE_MAX;

bool hp_arena_reserve(struct hp_arena *arena, size_t wanted, size_t least) {
  size_t most = hp_arena_most > least ? hp_arena_most : least;
  for (size_t size = wanted < most ? wanted : most; size >= least; size /= 2) {
    arena->base = hp_sys_reserve(size);
    if (arena->base) {
      arena->reserved = size;
      return true;
    }
  }
  return false;
}

bool hp_arena_commit(struct hp_arena *arena, size_t size) {
  if (HP_LIKELY(size <= arena->committed))
    return true;
  if (size > arena->reserved)
    return false;
  size_t end = (size + HP_ARENA_STEP - 1) / HP_ARENA_STEP * HP_ARENA_STEP;
  if (end > arena->reserved)
    end = arena->reserved;
  if (!hp_sys_commit(arena->base + arena->committed, end - arena->committed))
    return false;
  if (arena->dense && size > HP_ARENA_LARGE)
    hp_sys_populate(arena->base + arena->committed, end - arena->committed);
  arena->committed = end;
  return true;
}

void *hp_arena_take(struct hp_arena *arena, size_t size) {
  if (size > arena->reserved - arena->used ||
      !hp_arena_commit(arena, arena->used + size))
    return NULL;
  char *p = arena->base + arena->used;
  arena->used += size;
  return p;
}
