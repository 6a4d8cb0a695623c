// recycled.c - how often the bytes of a point are used again, and which chunks are temporary: freed by their thread
// before it allocates another one; and how often one begins when no other of its point is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -w -g -fno-builtin -O1 %s -o built -pthread && %clang -w -g -fno-builtin -O1 %s -o plain -pthread
// RUN: cd %t.d && ./built && %heapprof_score --json heapprof.built.* > built.json && %python %S/Inputs/check_recycled.py built.json
// RUN: cd %t.d && %heapprof_run ./plain 2> err && %heapprof_score --json heapprof.plain.* > plain.json && %python %S/Inputs/check_recycled.py plain.json
// RUN: cd %t.d && %heapprof_score --stacks --filter function=again heapprof.built.* | grep 'recycled 100.0 times, 100 freed before the next allocation of their thread, 100 generations'
// RUN: cd %t.d && %heapprof_score --csv --by function heapprof.built.* | head -1 | grep ',recycling,temporary_chunks,generations'
//
// The log is asked where groups or short lives are to be others; these numbers it does not have, and they stay.
// RUN: cd %t.d && %heapprof_score --json --group-gap 0.0001 heapprof.built.* > gap.json && %python %S/Inputs/check_recycled.py gap.json
// RUN: cd %t.d && %heapprof_score --json --short 10us --exclude-live heapprof.built.* > short.json && %python %S/Inputs/check_recycled.py short.json
//
// Of samples it is not known; a merged dump adds up.
// RUN: cd %t.d && %heapprof_merge -o merged heapprof.built.* && %heapprof_score --json merged > merged.json && %python %S/Inputs/check_recycled.py merged.json
// RUN: cd %t.d && rm -rf heapprof.* && env HEAPPROF_OPTIONS=sample_every=3 ./built && %heapprof_score --json heapprof.built.* | grep '"temporary_chunks": *null' > null && not grep '"temporary_chunks": *[0-9]' null
// RUN: cd %t.d && %heapprof_score --json heapprof.built.* | grep '"generations": *null' > null && not grep '"generations": *[0-9]' null
#include <pthread.h>
#include <stdlib.h>

__attribute__((noinline)) void again(void) {
  for (int i = 0; i < 100; i++)
    free(malloc(64));
}

/* The second is freed first, at once; the first behind it, after another. */
__attribute__((noinline)) void pair(void) {
  for (int i = 0; i < 50; i++) {
    char *outer = malloc(100);
    char *inner = malloc(200);
    free(inner);
    free(outer);
  }
}

/* Each goes when the next is there. */
__attribute__((noinline)) void overlap(void) {
  char *before = NULL;
  for (int i = 0; i < 200; i++) {
    char *p = malloc(64);
    free(before);
    before = p;
  }
  free(before);
}

/* realloc frees nothing; the last one is freed. */
__attribute__((noinline)) void longer(void) {
  char *p = NULL;
  for (int i = 1; i <= 10; i++)
    p = realloc(p, (size_t)i * 10);
  free(p);
}

static void *release(void *p) {
  free(p);
  return NULL;
}

__attribute__((noinline)) void *made(void) {
  char *volatile p = malloc(500);
  return p;
}

int main(void) {
  pthread_t thread;
  again();
  pair();
  longer();
  overlap();
  void *p = made();
  pthread_create(&thread, NULL, release, p);
  pthread_join(thread, NULL);
  return 0;
}
