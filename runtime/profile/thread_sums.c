/* thread_sums.c - see thread_sums.h.
   Only the collector writes here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/thread_sums.h"

#include "system/arena.h"
#include "system/memory.h"
#include "system/real_libc.h"

struct hp_thread_sum hp_thread_sums[HP_THREADS_TOLD + 1];
uint64_t hp_thread_deletes, hp_thread_reallocs;

static bool lost; /* a temporary chunk, for want of memory */
/* u64 [points] */
static struct hp_arena temporary;
#define TEMPORARY_RESERVED ((size_t)1 << 35)

static uint64_t *temporary_of(uint32_t point) {
  return (uint64_t *)(void *)temporary.base + point;
}

void hp_thread_sums_temporary(uint32_t point) {
  const size_t size = ((size_t)point + 1) * sizeof(uint64_t);
  if (HP_UNLIKELY(size > temporary.committed) &&
      ((!temporary.base &&
        !hp_arena_reserve(&temporary, TEMPORARY_RESERVED, (size_t)1 << 20)) ||
       !hp_arena_commit(&temporary, size))) {
    lost = true;
    return;
  }
  ++*temporary_of(point);
}

uint64_t hp_thread_temporary(uint32_t point) {
  if (lost)
    return UINT64_MAX;
  return point < temporary.committed / sizeof(uint64_t) ? *temporary_of(point)
                                                        : 0;
}

void hp_thread_sums_start(void) {
  if (temporary.committed)
    hp_sys_release(temporary.base, temporary.committed);
  lost = false;
  hp_real_memset(hp_thread_sums, 0, sizeof hp_thread_sums);
  hp_thread_deletes = hp_thread_reallocs = 0;
}
