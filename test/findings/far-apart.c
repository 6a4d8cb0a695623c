// far-apart.c - a server that allocates a buffer for each request and frees it before anything else is allocated: one would
// do for all, though the requests are far apart. Its twin keeps the buffer; another one keeps the last 32 answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for twin in FAULT REPAIRED HISTORY; do \
// RUN:   cd %t.d && rm -rf heapprof.* && %clang_heapprof -O2 -g -D$twin %s -o app && ./app || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s --check-prefix=$twin < out || { echo $twin; cat out; exit 1; }; done
// Each chunk is a lifetime group by itself, so that no score says that they follow each other; what is freed next does.
// FAULT: lifetime 1.00
// FAULT: answer (far-apart.c:[[#]]) allocates {{[a-z]+}} of up to 2.50 KiB one after the other
// FAULT-SAME: freed by send_answer (far-apart.c:[[#]]): 120 allocations
// FAULT-SAME: -> Reuse one buffer
// FAULT-SAME: [short_lived] point #
// REPAIRED-NOT: [short_lived]
// HISTORY-NOT: [short_lived]
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

static volatile long sum;

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A thousandth of the run at least, as long as it takes no eight times what all of these
   take, however often it waits for a processor. */
#define PAUSE_NS 4000000
APART static void wait_for_request(void) {
  for (const long long end = now_ns() + PAUSE_NS; now_ns() < end;)
    sum++;
}

APART static void send_answer(char *text, size_t size) {
  for (size_t i = 0; i < size; i += 64)
    sum += text[i];
#ifndef REPAIRED
  free(text);
#endif
}

APART static char *answer(size_t size) {
#ifdef REPAIRED
  static char kept[4096];
  char *text = kept;
#else
  char *text = malloc(size);
#endif
  memset(text, 1, size);
  return text;
}

int main(void) {
#ifdef HISTORY
  static char *last[32];
#else
  static char *last[1];
#endif
  const size_t kept = sizeof last / sizeof *last;
  for (size_t i = 0; i < 120; i++) {
    char **text = &last[i % kept];
    if (kept > 1 && *text)
      send_answer(*text, 2048);
    *text = answer(2048 + i % 9 * 64);
    if (kept == 1)
      send_answer(*text, 2048);
    wait_for_request();
  }
  return 0;
}
