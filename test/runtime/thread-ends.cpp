// thread-ends.cpp - threads of every kind allocate, hand chunks to others and
// end; what they keep for themselves is used again by later threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx_heapprof -w -O1 -fno-builtin %s -o %t
// RUN: %run %t 2> %t.errors && count 0 < %t.errors
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c 'import json, sys; \
// RUN:   points = json.load(open(sys.argv[1]))["points"]; \
// RUN:   [print(n, sum(p["chunks"] for p in points if p["size"]["max"] == n), \
// RUN:     sum(p["live_chunks"] for p in points if p["size"]["max"] == n), \
// RUN:     sum(p["threads"]["freed_elsewhere"] for p in points \
// RUN:         if p["size"]["max"] == n)) for n in (5001, 5002)]' %t.json \
// RUN:   | FileCheck %s
// CHECK: 5001 2000 0 2000
// CHECK-NEXT: 5002 2000 0 0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <vector>

// Destroyed after the thread's function returned.
struct Late {
  char *data = nullptr;
  ~Late() { free(data); }
};
static thread_local Late late;

static char *body() {
  late.data = (char *)malloc(5002);
  late.data[0] = 1;
  char *p = (char *)malloc(5001);
  p[0] = 1;
  return p;
}

static void *posix(void *) { return body(); }
static int c11(void *out) {
  *(char **)out = body();
  return 0;
}

// Bytes of memory the process has mapped, in pages.
static long mapped() {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%*d %ld", &pages) != 1)
    abort();
  fclose(file);
  return pages;
}

int main() {
  long before = 0;
  for (int i = 0; i < 500; i++) {
    char *p[4];
    pthread_t joined, detached;
    pthread_create(&joined, nullptr, posix, nullptr);
    pthread_join(joined, (void **)&p[0]);
    thrd_t other;
    thrd_create(&other, c11, &p[1]);
    thrd_join(other, nullptr);
    std::thread([&] { p[2] = body(); }).join();
    std::thread([&] { p[3] = body(); }).join();
    for (char *chunk : p)
      free(chunk);
    if (i == 100)
      before = mapped();
  }
  // 1600 threads more have not made it grow by 16 KiB each.
  long grown = mapped() - before;
  if (grown > 1600 * 4)
    fprintf(stderr, "%ld pages more\n", grown);
  return 0;
}
