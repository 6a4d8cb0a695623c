// What is written on and on behind its end counts as anything else does: in two
// chunks in turn, in slots that were freed and used anew, by this thread or
// another, with realloc in between; and what is beyond the end is not within.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for option in inline reuse=0 inline=0 naive; do \
// RUN:   %clang_heapprof -g -O2 -pthread -mllvm -heapprof-$option %s -o %t && \
// RUN:   %run %t && %check_counts || { echo "with $option"; exit 1; }; done
// RUN: HEAPPROF_OPTIONS=exact_time=1 %run %t && %check_counts
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TIMES 500 /* most chunks of a place are not exact */
#define NOINLINE __attribute__((noinline))

NOINLINE static void put(volatile char *p, int i, char c) { p[i] = c; }
NOINLINE static void put_four(volatile int *p, int i, int n) { p[i] = n; }
NOINLINE static void put_text(char *p, const char *text, size_t n) {
  memcpy(p, text, n);
}

static void in_turn(void) {
  for (int n = 0; n < TIMES; n++) {
    // POINT chunks=500 bytes=500*60 reads=0 writes=500*60 accessed=500*60
    char *a = malloc(60);
    // POINT chunks=500 bytes=500*60 reads=0 writes=500*15 accessed=500*60
    int *b = malloc(60);
    for (int i = 0; i < 15; i++)
      put(a, i, 'a');
    for (int i = 0; i < 15; i++) {
      put(a, 15 + i, 'b');
      put_four(b, i, i);
    }
    for (int i = 30; i < 60; i++)
      put(a, i, 'c');
    free(a);
    free(b);
  }
}

// The slot of 60 bytes is that of 40 then, and the other way round.
static void used_anew(void) {
  for (int n = 0; n < TIMES; n++) {
    // POINT chunks=500 bytes=500*60 reads=0 writes=500*10 accessed=500*10
    char *p = malloc(60);
    for (int i = 0; i < 10; i++)
      put(p, i, 'a');
    free(p);
    // Twice beyond the end.
    // POINT chunks=500 bytes=500*40 reads=0 writes=500*5 accessed=500*40
    p = malloc(40);
    put(p, 0, 'a');
    put(p, 38, 'b');
    put(p, 39, 'c');
    put(p, 40, 'd');
    put(p, 41, 'e');
    free(p);
  }
}

static void resized(void) {
  for (int n = 0; n < TIMES; n++) {
    // POINT chunks=500 bytes=500*60 reads=500 writes=500*3 accessed=500*40
    char *p = malloc(60);
    for (int i = 0; i < 3; i++)
      put(p, i, 'a');
    // Where it is, and shorter: what was written from 40 on was beyond.
    // POINT chunks=500 bytes=500*40 reads=500 writes=500*(1+2) accessed=500*40
    p = realloc(p, 40);
    put(p, 30, 'b');
    put(p, 45, 'c');
    // POINT chunks=500 bytes=500*60 reads=0 writes=500*(1+2) accessed=500*46
    p = realloc(p, 60);
    put(p, 44, 'd');
    put(p, 45, 'e');
    free(p);
  }
}

static void texts(void) {
  for (int n = 0; n < TIMES; n++) {
    // POINT chunks=500 bytes=500*200 reads=0 writes=500*11 accessed=500*198
    char *volatile p = malloc(200);
    for (int i = 0; i < 10; i++)
      put_text(p + 19 * i, "one text and more..", 19);
    put_text(p + 190, "the end.", 8);
    free(p);
  }
}

// The other thread frees what main has, and takes the slot for its own, or
// shortens it: main writes as to any chunk of another thread.
static char *handed, *answer;
static void *frees(void *unused) {
  (void)unused;
  free(handed);
  // POINT chunks=100 bytes=100*40 reads=0 writes=100*6 accessed=100*22
  //       multithread=100 elsewhere=100
  answer = malloc(40);
  put(answer, 0, 'a');
  return NULL;
}
static void *shortens(void *unused) {
  (void)unused;
  // POINT chunks=100 bytes=100*40 reads=0 writes=100*(1+5) accessed=100*40
  //       multithread=100 elsewhere=100
  answer = realloc(handed, 40);
  return NULL;
}

static int run(void *(*body)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL))
    return 1;
  return pthread_join(thread, NULL);
}

static int by_two(void) {
  for (int n = 0; n < 100; n++) {
    // POINT chunks=100 bytes=100*60 reads=0 writes=100*3 accessed=100*3
    //       elsewhere=100
    handed = malloc(60);
    for (int i = 0; i < 3; i++)
      put(handed, i, 'a');
    if (run(frees))
      return 1;
    for (int i = 17; i < 22; i++)
      put(answer, i, 'b');
    free(answer);
    // POINT chunks=100 bytes=100*60 reads=100 writes=100*3 accessed=100*40
    //       elsewhere=100
    handed = malloc(60);
    for (int i = 0; i < 3; i++)
      put(handed, i, 'a');
    if (run(shortens))
      return 1;
    for (int i = 38; i < 43; i++)
      put(answer, i, 'b');
    free(answer);
  }
  return 0;
}

int main(void) {
  in_turn();
  used_anew();
  resized();
  texts();
  return by_two();
}
