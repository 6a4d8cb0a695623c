/* thread_end.c - see thread_end.h.
   Everything here keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "thread/thread_end.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "system/platform.h"

static pthread_key_t key;
static bool has_key;
static void (*at_end)(void);
static struct hp_lock lock; /* else a thread might set the program's key */

/* Destructors run in rounds, in no order: only the last round comes after the
   program's.  VALUE counts the rounds that are left. */
static void thread_ends(void *value) {
  uintptr_t rounds = (uintptr_t)value - 1;
  uint64_t mask = hp_lock_take_held(&lock);
  const bool again =
      rounds && has_key && pthread_setspecific(key, (void *)rounds) == 0;
  hp_lock_release_held(&lock, mask);
  if (!again)
    at_end();
}

/* Not one of the first, which programs take for granted that they get, or do
   not get before they ask; and none that needs memory for its values. */
#define OUT_OF_THE_WAY 31u

void hp_thread_end_start(void (*ends)(void)) {
  pthread_key_t others[OUT_OF_THE_WAY];
  unsigned count = 0;
  at_end = ends;
  while ((has_key = pthread_key_create(&key, thread_ends) == 0) &&
         key < OUT_OF_THE_WAY && count < OUT_OF_THE_WAY)
    others[count++] = key;
  if (!has_key && count) {
    key = others[--count];
    has_key = true;
  }
  while (count)
    pthread_key_delete(others[--count]);
}

bool hp_thread_ends_are_seen(void) {
  return __atomic_load_n(&has_key, __ATOMIC_ACQUIRE);
}

void hp_thread_watch_end(void) {
  int saved = errno;
  uint64_t mask = hp_lock_take_held(&lock);
  if (has_key)
    (void)pthread_setspecific(key,
                              (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
  hp_lock_release_held(&lock, mask);
  errno = saved;
}

void hp_thread_end_lock(void) { hp_lock_take(&lock); }
void hp_thread_end_unlock(void) { hp_lock_release(&lock); }

bool hp_thread_give_key(void) {
  uint64_t mask = hp_lock_take_held(&lock);
  const bool had = has_key;
  __atomic_store_n(&has_key, false, __ATOMIC_RELEASE);
  hp_lock_release_held(&lock, mask);
  return had && pthread_key_delete(key) == 0;
}
