/* resident_series.c - see resident_series.h.
   A child may find the lock taken by a thread that it does not have.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/resident_series.h"

#define TRIES 10000u

static struct hp_resident_series own;
static struct hp_lock lock;

static void add(struct hp_resident_bytes *to,
                const struct hp_resident_bytes *more) {
  if (!more->most)
    return;
  to->least = to->most && to->least < more->least ? to->least : more->least;
  to->most = to->most > more->most ? to->most : more->most;
}

void hp_resident_series_double(struct hp_resident_series *s) {
  for (uint32_t i = 0; i < HP_TIMELINE_MAX / 2; i++) {
    struct hp_resident_bytes both = s->intervals[(size_t)2 * i];
    add(&both, &s->intervals[(size_t)2 * i + 1]);
    s->intervals[i] = both;
  }
  for (uint32_t i = HP_TIMELINE_MAX / 2; i < HP_TIMELINE_MAX; i++)
    s->intervals[i] = (struct hp_resident_bytes){0};
  s->last /= 2;
  s->doubled++;
}

void hp_resident_series_add(struct hp_resident_series *s, uint64_t time,
                            uint64_t bytes) {
  while (time >> (HP_TIMELINE_SHIFT + s->doubled) >= HP_TIMELINE_MAX)
    hp_resident_series_double(s);
  const uint32_t i = (uint32_t)(time >> (HP_TIMELINE_SHIFT + s->doubled));
  add(&s->intervals[i], &(struct hp_resident_bytes){bytes, bytes});
  s->last = i > s->last ? i : s->last;
}

void hp_resident_note(uint64_t time, uint64_t bytes) {
  if (!bytes || !hp_lock_try(&lock))
    return;
  hp_resident_series_add(&own, time, bytes);
  hp_lock_release(&lock);
}

uint64_t hp_resident_series_step(void) {
  return (uint64_t)1 << (HP_TIMELINE_SHIFT +
                         __atomic_load_n(&own.doubled, __ATOMIC_RELAXED));
}

struct hp_resident_series *hp_resident_open_series(void) {
  for (unsigned i = 0; i < TRIES; i++)
    if (hp_lock_try(&lock))
      return &own;
  return NULL;
}

void hp_resident_close_series(void) { hp_lock_release(&lock); }

void hp_resident_series_start(void) {
  if (!hp_resident_open_series()) {
    lock.state = 0;
    hp_lock_try(&lock);
  }
  own.doubled = own.last = 0;
  for (uint32_t i = 0; i < HP_TIMELINE_MAX; i++)
    own.intervals[i] = (struct hp_resident_bytes){0};
  hp_resident_close_series();
}
