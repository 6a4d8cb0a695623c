/* replay_driver.c - heapprof-replay EVENTS SLOTS THREADS: allocates and frees as the events say, and touches the same pages.
   No memory of its own but by mmap, so that all that the allocator gives is the replay's, or pthread_create's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "replay_event.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul
#define EVENTS_AT_ONCE 2048u
#define EVENT_BYTES sizeof(struct hp_replay_event)
#define STACK_BYTES ((size_t)64 << 10)

/* One thread has the turn; only it plays, and uses what is here. */
static struct hp_replay_event events[EVENTS_AT_ONCE];
static size_t event_at, event_count;
static int events_file;
static void **slots;
static size_t slot_count;

/* By the threads' numbers; 0 is the one that main runs in. */
struct player {
  uint32_t may; /* a futex: 1, it has the turn */
  bool is_there;
  pthread_t thread;
  struct player *next; /* of those that played their last */
};
static struct player *ended;
static struct player *players;
static size_t player_count;

_Noreturn static void fail(const char *why) {
  static const char name[] = "heapprof-replay: ";
  if (write(2, name, sizeof name - 1) < 0 || write(2, why, strlen(why)) < 0)
    _exit(2);
  _exit(1);
}

/* ---- an event ---------------------------------------------------------------- */

/* One byte on each page of [lo, hi). */
static void touch(char *chunk, uint64_t lo, uint64_t hi) {
  for (uint64_t at = lo; at < hi; at += PAGE - ((uintptr_t)chunk + at) % PAGE)
    ((volatile char *)chunk)[at] = 1;
}

static void play(const struct hp_replay_event *event) {
  if (event->slot >= slot_count)
    return;
  if (event->is_free) {
    free(slots[event->slot]);
    return;
  }
  char *chunk = malloc(event->size);
  if (!chunk && event->size)
    fail("the allocator has no memory\n");
  touch(chunk, event->lo, event->hi < event->size ? event->hi : event->size);
  slots[event->slot] = chunk;
}

/* Whole events, as many as there is room for; 0 at the end. */
static size_t read_events(void) {
  size_t used = 0;
  while (used < EVENTS_AT_ONCE * EVENT_BYTES) {
    ssize_t n = read(events_file, (char *)events + used,
                     EVENTS_AT_ONCE * EVENT_BYTES - used);
    if (n < 0)
      fail("the events cannot be read\n");
    if (n == 0)
      break;
    used += (size_t)n;
  }
  return used / EVENT_BYTES;
}

/* The next one; NULL: there is none. */
static const struct hp_replay_event *next_event(void) {
  if (event_at == event_count) {
    event_at = 0;
    event_count = read_events();
  }
  return event_at < event_count ? &events[event_at] : NULL;
}

/* ---- threads ------------------------------------------------------------------- */

static void *take_part(void *player);

/* Those that played their last are gone before another one begins, which may have an arena of theirs. */
static void join_ended(void) {
  struct player *stay = NULL;
  for (struct player *p = ended, *next; p; p = next) {
    next = p->next;
    if (pthread_equal(p->thread, pthread_self())) {
      stay = p;
      stay->next = NULL;
    } else {
      pthread_join(p->thread, NULL);
    }
  }
  ended = stay;
}

static void start_player(size_t number) {
  pthread_attr_t how;
  join_ended();
  pthread_attr_init(&how);
  pthread_attr_setstacksize(&how, STACK_BYTES);
  players[number].may = 1;
  players[number].is_there = true;
  if (pthread_create(&players[number].thread, &how, take_part,
                     &players[number]) != 0)
    fail("a thread cannot be started\n");
  pthread_attr_destroy(&how);
}

/* The caller has no turn any more. */
static void give_turn(size_t number) {
  if (number >= player_count)
    fail("the events are not of this number of threads\n");
  if (!players[number].is_there) {
    start_player(number);
    return;
  }
  __atomic_store_n(&players[number].may, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &players[number].may, FUTEX_WAKE_PRIVATE, 1, NULL, NULL,
          0);
}

static void wait_for_turn(size_t number) {
  while (!__atomic_load_n(&players[number].may, __ATOMIC_ACQUIRE))
    syscall(SYS_futex, &players[number].may, FUTEX_WAIT_PRIVATE, 0, NULL, NULL,
            0);
}

/* From its first turn to the end of its events; the first thread: of all events. */
static void play_part(size_t number) {
  bool is_last = false;
  for (;;) {
    const struct hp_replay_event *event = next_event();
    if (event && event->thread == number) {
      is_last = event->is_last;
      event_at++;
      play(event);
      continue;
    }
    if (!event && number == 0)
      return;
    bool goes = number != 0 && (is_last || !event);
    players[number].may = 0;
    size_t next = event ? event->thread : 0;
    if (goes) { /* the one that is given the turn may join this one */
      players[number].next = ended;
      ended = &players[number];
    }
    give_turn(next);
    if (goes)
      return;
    wait_for_turn(number);
  }
}

static void *take_part(void *player) {
  struct player *self = player;
  self->thread = pthread_self();
  play_part((size_t)(self - players));
  return NULL;
}

static void *map(size_t bytes) {
  void *memory = mmap(NULL, (bytes / PAGE + 1) * PAGE, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail("no memory for its slots\n");
  return memory;
}

int main(int argc, char **argv) {
  if (argc == 4)
    events_file = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (argc != 4 || events_file < 0)
    fail("is started by heapprof-allocators --replay\n");
  slot_count = strtoul(argv[2], NULL, 10);
  player_count = strtoul(argv[3], NULL, 10);
  slots = map(slot_count * sizeof *slots);
  players = map((player_count + 1) * sizeof *players);
  players[0] = (struct player){.may = 1, .is_there = true};
  play_part(0);
  return 0;
}
