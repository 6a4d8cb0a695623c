/* leak_hint.c - see leak_hint.h: lists that only grow, in the order in which
   things were said.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/leak_hint.h"

#include "heap/beside_table.h"
#include "heap/owner.h"
#include "system/arena.h"
#include "system/memory.h"
#include "system/real_libc.h"
#include "thread/thread_state.h"

__attribute__((weak)) const char *__lsan_default_suppressions(void);

/* A root region, or a chunk: then END is 0. */
struct hint {
  uintptr_t begin, end;
  uint64_t t0; /* of the chunk, if it is profiled */
};

/* What a thread allocates behind FROM and until UNTIL is no leak; times are
   those of its own events, of which no two are alike. */
struct quiet {
  uint64_t from, until;
  uint64_t thread;
};

#define RESERVED ((size_t)64 << 20)

static struct hp_lock lock;
static struct hp_arena hints, quiets;
static struct quiet *sorted;
static size_t sorted_count;
static HP_THREAD_LOCAL uint32_t depth; /* of calls of disable */
static HP_THREAD_LOCAL struct quiet *open_quiet;

static struct hint *hint_at(size_t i) {
  return (struct hint *)(void *)hints.base + i;
}
static size_t hint_count(void) { return hints.used / sizeof(struct hint); }

/* Without memory what was said is lost: a leak too many is told of. */
static void *add(struct hp_arena *to, size_t size) {
  if (!to->base && !hp_arena_reserve(to, RESERVED, (size_t)1 << 16))
    return NULL;
  return hp_arena_take(to, size);
}

/* ---- what is said ------------------------------------------------------- */

static uint64_t now_of(const struct hp_thread *self) {
  return self ? self->last_event : 0;
}

void hp_leak_hint_disable(void) {
  struct hp_thread *self = hp_thread_get();
  if (!self || depth++)
    return;
  const uint64_t from = now_of(self);
  if (open_quiet && open_quiet->until == from) {
    open_quiet->until = UINT64_MAX; /* nothing was allocated in between */
    return;
  }
  uint64_t mask = hp_lock_take_held(&lock);
  open_quiet = add(&quiets, sizeof *open_quiet);
  if (open_quiet)
    *open_quiet = (struct quiet){from, UINT64_MAX, hp_thread_number()};
  hp_lock_release_held(&lock, mask);
}

void hp_leak_hint_enable(void) {
  if (depth && !--depth && open_quiet)
    open_quiet->until = now_of(hp_thread_self);
}

static void add_hint(uintptr_t begin, uintptr_t end, uint64_t t0) {
  uint64_t mask = hp_lock_take_held(&lock);
  struct hint *hint = add(&hints, sizeof *hint);
  if (hint)
    *hint = (struct hint){begin, end, t0};
  hp_lock_release_held(&lock, mask);
}

void hp_leak_hint_ignore(const void *p) {
  const struct hp_chunk *chunk = hp_beside ? hp_beside_find((uintptr_t)p)
                                 : hp_heap_holds(p) ? hp_owner_checked(p).chunk
                                                    : NULL;
  const struct hp_bare_slot bare =
      hp_bare_holds(p) ? hp_bare_slot_of(p) : (struct hp_bare_slot){NULL, 0};
  if (bare.record)
    add_hint(bare.start, 0, hp_bare_t0(bare.record));
  else
    add_hint(chunk ? hp_chunk_place(chunk) : (uintptr_t)p, 0,
             chunk ? hp_cold_of(chunk)->t0 : 0);
}

void hp_leak_hint_add_roots(const void *p, size_t size) {
  add_hint((uintptr_t)p, (uintptr_t)p + size, 0);
}

void hp_leak_hint_remove_roots(const void *p, size_t size) {
  const uintptr_t begin = (uintptr_t)p, end = begin + size;
  uint64_t mask = hp_lock_take_held(&lock);
  size_t i = hint_count();
  while (i-- > 0)
    if (hint_at(i)->begin == begin && hint_at(i)->end == end) {
      *hint_at(i) = (struct hint){0, 0, 0};
      break;
    }
  hp_lock_release_held(&lock, mask);
}

/* Its only thread has another number than it had. */
void hp_leak_hint_after_fork_child(void) {
  const bool is_quiet = depth && open_quiet;
  lock = (struct hp_lock){0};
  for (size_t i = 0; i < quiets.used / sizeof(struct quiet); i++) {
    struct quiet *quiet = (struct quiet *)(void *)quiets.base + i;
    if (quiet->until == UINT64_MAX)
      quiet->until = quiet->from;
  }
  open_quiet = is_quiet ? add(&quiets, sizeof *open_quiet) : NULL;
  if (open_quiet)
    *open_quiet =
        (struct quiet){now_of(hp_thread_self), UINT64_MAX, hp_thread_number()};
}

const char *hp_leak_hint_suppressions(void) {
  return __lsan_default_suppressions ? __lsan_default_suppressions() : NULL;
}

/* ---- what follows from it ------------------------------------------------ */

static bool is_before(const struct quiet *a, const struct quiet *b) {
  return a->thread != b->thread ? a->thread < b->thread : a->from < b->from;
}

/* Those of one thread come in order, so there is little to move. */
bool hp_leak_hint_sort(void) {
  const size_t count = quiets.used / sizeof *sorted;
  if (!count)
    return true;
  sorted = hp_sys_map(count * sizeof *sorted);
  if (!sorted)
    return false;
  hp_real_memcpy(sorted, quiets.base, count * sizeof *sorted);
  sorted_count = count;
  for (size_t gap = count / 2; gap; gap /= 2)
    for (size_t i = gap; i < count; i++) {
      const struct quiet moved = sorted[i];
      size_t at = i;
      for (; at >= gap && is_before(&moved, &sorted[at - gap]); at -= gap)
        sorted[at] = sorted[at - gap];
      sorted[at] = moved;
    }
  return true;
}

void hp_leak_hint_each(void (*each)(uintptr_t begin, uintptr_t end,
                                    uint64_t t0)) {
  for (size_t i = 0; i < hint_count(); i++)
    if (hint_at(i)->begin)
      each(hint_at(i)->begin, hint_at(i)->end, hint_at(i)->t0);
}

bool hp_leak_hint_covers(uint32_t thread, uint64_t t0) {
  const struct quiet wanted = {.from = t0, .thread = thread};
  size_t low = 0, high = sorted_count; /* the first that is not before */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(&sorted[middle], &wanted))
      low = middle + 1;
    else
      high = middle;
  }
  return low && sorted[low - 1].thread == thread && t0 <= sorted[low - 1].until;
}
