/* marks.c - see marks.h: a table that is appended to.
   Read without the lock: what is counted is there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/marks.h"

#include "system/clock.h"
#include "system/memory.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"

static struct {
  struct hp_lock lock;
  struct hp_program_mark *all; /* HP_MARKS of them; mapped with the first */
  uint32_t count;
  uint64_t lost;
} marks;

static void append(const char *name) {
  if (!marks.all)
    marks.all = hp_sys_map(HP_MARKS * sizeof *marks.all);
  if (!marks.all || marks.count == HP_MARKS) {
    __atomic_fetch_add(&marks.lost, 1, __ATOMIC_RELAXED);
    return;
  }
  struct hp_program_mark *mark = &marks.all[marks.count];
  mark->time = hp_clock_now();
  /* Two processors do not agree to the last tick. */
  if (marks.count && mark->time < mark[-1].time)
    mark->time = mark[-1].time;
  size_t length = 0;
  while (length < HP_MARK_NAME - 1 && name[length])
    length++;
  hp_real_memcpy(mark->name, name, length);
  mark->name[length] = '\0';
  __atomic_store_n(&marks.count, marks.count + 1, __ATOMIC_RELEASE);
}

void hp_marks_add(const char *name) {
  uint64_t saved;
  hp_sys_block_signals(&saved); /* a handler may set one, too */
  hp_lock_take(&marks.lock);
  append(name);
  hp_lock_release(&marks.lock);
  hp_sys_restore_signals(&saved);
}

const struct hp_program_mark *hp_marks(uint32_t *count, uint64_t *lost) {
  *count = __atomic_load_n(&marks.count, __ATOMIC_ACQUIRE);
  *lost = __atomic_load_n(&marks.lost, __ATOMIC_RELAXED);
  return marks.all;
}

void hp_marks_reset(void) {
  marks.lock = (struct hp_lock){0};
  marks.count = 0;
  marks.lost = 0;
}
