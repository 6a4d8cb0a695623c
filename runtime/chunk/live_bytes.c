/* live_bytes.c - see live_bytes.h: threads tell the process of every 16 KiB.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/live_bytes.h"

#include "chunk/plain_guard.h"

/* Of all threads: what they told, and the most that is known. */
static struct {
  _Alignas(HP_CACHE_LINE) int64_t total, peak;
  bool is_rough; /* a window began while the lone thread went on */
} told;

static int64_t total(void) {
  return __atomic_load_n(&told.total, __ATOMIC_RELAXED);
}

static void raise_peak(int64_t bytes) {
  int64_t peak = __atomic_load_n(&told.peak, __ATOMIC_RELAXED);
  while (bytes > peak &&
         !__atomic_compare_exchange_n(&told.peak, &peak, bytes, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void tell(int64_t bytes) {
  raise_peak(__atomic_add_fetch(&told.total, bytes, __ATOMIC_RELAXED));
}

/* Whether no other thread ever had a block. */
static bool is_alone(const struct hp_thread *self) {
  return !self->next && hp_threads_all() == self;
}

static int64_t delta_of(const struct hp_thread *t) {
  return __atomic_load_n(&t->live_high, __ATOMIC_RELAXED) -
         __atomic_load_n(&t->live_room, __ATOMIC_RELAXED);
}

static void set_delta(struct hp_thread *t, int64_t delta, int64_t high) {
  t->live_high = high;
  t->live_room = high - delta;
}

/* There is no room left, or more than HP_LIVE_SLACK. */
static void note(struct hp_thread *self) {
  const int64_t delta = delta_of(self), most = HP_LIVE_SLACK / 2;
  const bool alone = is_alone(self);
  const int64_t high = delta > self->live_high ? delta : self->live_high;
  if (0 < delta && delta <= most) {
    set_delta(self, delta, alone ? high : most);
    return;
  }
  if (alone)
    raise_peak(total() + high);
  set_delta(self, 0, alone ? 0 : most);
  tell(delta);
}

void hp_live_add(struct hp_thread *self, size_t size) {
  if (self->in_plain) {
    tell((int64_t)size);
    return;
  }
  hp_plain_enter(self);
  if ((self->live_room -= (int64_t)size) < 0)
    note(self);
  hp_plain_leave(self);
}

void hp_live_take(struct hp_thread *self, size_t size) {
  if (self->in_plain) {
    tell(-(int64_t)size);
    return;
  }
  hp_plain_enter(self);
  if ((self->live_room += (int64_t)size) > HP_LIVE_SLACK)
    note(self);
  hp_plain_leave(self);
}

/* ---- questions ----------------------------------------------------------- */

static uint64_t threads(void) {
  uint64_t count = 0;
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next)
    count++;
  return count;
}

static int64_t live_now(void) {
  int64_t live = total();
  for (const struct hp_thread *t = hp_threads_all(); t; t = t->next)
    live += delta_of(t);
  return live > 0 ? live : 0;
}

struct hp_live_bytes hp_live_bytes(void) {
  const struct hp_thread *first = hp_threads_all();
  const bool alone = first && !first->next;
  const int64_t live = live_now();
  if (alone)
    raise_peak(total() + __atomic_load_n(&first->live_high, __ATOMIC_RELAXED));
  raise_peak(live);
  return (struct hp_live_bytes){
      .live = (uint64_t)live,
      .peak = (uint64_t)told.peak,
      .peak_error =
          alone && !told.is_rough ? 0 : threads() * (uint64_t)HP_LIVE_SLACK};
}

void hp_live_start_window(void) {
  struct hp_thread *first = hp_threads_all();
  const bool alone = first && !first->next;
  told.is_rough = alone && first != hp_thread_self;
  told.peak = 0;
  if (alone && !told.is_rough)
    set_delta(first, delta_of(first),
              delta_of(first) > 0 ? delta_of(first) : 0);
  else
    raise_peak(total());
  raise_peak(live_now());
}

void hp_live_after_fork_child(const struct hp_thread *self) {
  for (struct hp_thread *t = hp_threads_all(); t; t = t->next)
    if (t != self) {
      told.total += delta_of(t);
      set_delta(t, 0, t->live_high);
    }
}
