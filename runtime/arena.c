/* arena.c - see arena.h.
   Pages become touchable a MiB at a time, resident when touched or populated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "arena.h"
#include "sanitizer_binding.h"

#define HP_ARENA_STEP ((size_t)1 << 20)
#define HP_ARENA_PAGE                                                          \
  ((size_t)4 << 10) /* where there is no memory for a step */
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

/* Up to the multiple of STEP that holds SIZE. */
static bool commit(struct hp_arena *arena, size_t size, size_t step) {
  size_t end = (size + step - 1) / step * step;
  if (end > arena->reserved)
    end = arena->reserved;
  if (!hp_sys_commit(arena->base + arena->committed, end - arena->committed))
    return false;
  if (arena->dense && size > HP_ARENA_LARGE)
    hp_sys_populate(arena->base + arena->committed, end - arena->committed);
  arena->committed = end;
  return true;
}

bool hp_arena_commit(struct hp_arena *arena, size_t size) {
  if (HP_LIKELY(size <= arena->committed))
    return true;
  return size <= arena->reserved && (commit(arena, size, HP_ARENA_STEP) ||
                                     commit(arena, size, HP_ARENA_PAGE));
}

void *hp_arena_take(struct hp_arena *arena, size_t size) {
  if (size > arena->reserved - arena->used ||
      !hp_arena_commit(arena, arena->used + size))
    return NULL;
  char *p = arena->base + arena->used;
  arena->used += size;
  return p;
}
