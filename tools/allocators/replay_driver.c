/* replay_driver.c - heapprof-replay EVENTS SLOTS: allocates and frees as the events say, and touches the same pages.
   No memory of its own but by mmap, so that all that the allocator gives is the replay's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "replay_event.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096ul
#define EVENTS_AT_ONCE 2048u
#define EVENT_BYTES sizeof(struct hp_replay_event)

static struct hp_replay_event events[EVENTS_AT_ONCE];

_Noreturn static void fail(const char *why) {
  static const char name[] = "heapprof-replay: ";
  if (write(2, name, sizeof name - 1) < 0 || write(2, why, strlen(why)) < 0)
    _exit(2);
  _exit(1);
}

/* One byte on each page of [lo, hi). */
static void touch(char *chunk, uint64_t lo, uint64_t hi) {
  for (uint64_t at = lo; at < hi; at += PAGE - ((uintptr_t)chunk + at) % PAGE)
    ((volatile char *)chunk)[at] = 1;
}

static void play(void **slots, const struct hp_replay_event *event) {
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

/* Whole events, as many as there are room for; 0 at the end. */
static size_t read_events(int fd) {
  size_t used = 0;
  while (used < EVENTS_AT_ONCE * EVENT_BYTES) {
    ssize_t n =
        read(fd, (char *)events + used, EVENTS_AT_ONCE * EVENT_BYTES - used);
    if (n < 0)
      fail("the events cannot be read\n");
    if (n == 0)
      break;
    used += (size_t)n;
  }
  return used / EVENT_BYTES;
}

int main(int argc, char **argv) {
  size_t count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
  int fd = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
  size_t bytes = (count * sizeof(void *) / PAGE + 1) * PAGE;
  if (fd < 0)
    fail("is started by heapprof-allocators --replay\n");
  void **slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (slots == MAP_FAILED)
    fail("no memory for its slots\n");
  for (size_t n; (n = read_events(fd)) > 0;)
    for (size_t i = 0; i < n; i++)
      if (events[i].slot < count)
        play(slots, &events[i]);
  return 0;
}
