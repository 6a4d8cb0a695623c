// constructors.cpp - allocations in static constructors, destructors, atexit handlers and thread-local objects count.
// The dump is written after the last of them; a chunk freed by a destructor is not live at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O0 -g %s -o %t -pthread && %run %t && %expect %dump
#include <cstdlib>
#include <pthread.h>

static char *early() { return static_cast<char *>(std::malloc(101)); }
static char *late() { return static_cast<char *>(std::malloc(102)); }
static char *at_exit() { return static_cast<char *>(std::malloc(103)); }
static char *per_thread() { return static_cast<char *>(std::malloc(104)); }
static char *first() { return static_cast<char *>(std::malloc(105)); }

__attribute__((constructor(101))) static void before_all() { first()[0] = 1; }

struct Holder {
  char *p = early();
  Holder() { p[0] = 1; }
  ~Holder() {
    p[1] = 1;
    std::free(p);
    late()[3] = 1;
  }
};
static Holder holder;

struct PerThread {
  char *p = per_thread();
  ~PerThread() {
    p[5] = 1;
    std::free(p);
  }
  void touch() { p[0] = 1; }
};
static thread_local PerThread local;

static void handler() { at_exit()[0] = 1; }

static void *run(void *arg) {
  local.touch();
  return arg;
}

int main() {
  std::atexit(handler);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, nullptr) ||
      pthread_join(thread, nullptr))
    return 1;
  local.touch();
  return 0;
}
// EXPECT: (chunk(size=101).writes, chunk(size=101).hi) == (2, 2)
// EXPECT: "LIVE" not in chunk(size=101).flags
// EXPECT: chunk(size=102).writes == 1 and "LIVE" in chunk(size=102).flags
// EXPECT: chunk(size=103).writes == 1
// EXPECT: len(chunks(size=104)) == 2 and all(c.writes == 2 and "LIVE" not in c.flags for c in chunks(size=104))
// EXPECT: chunk(size=105).writes == 1
// EXPECT: point("early").chunks == 1 and point("late").chunks == 1 and point("at_exit").chunks == 1
