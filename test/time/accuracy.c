// The useful-lifetime score of the default clock against exact_time=1: chunks
// that live 1 us, 100 us and 10 ms, in a thread that allocates much and one
// that allocates little, used throughout, at the start only, at the end only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program measures its own chunks too and prints life and mean active share,
// so that a run in which it was held up is compared with what really happened.
// RUN: %clang_heapprof -g -O1 -pthread %s -o %t
// The error that a score states is that of a random sample, which may be
// greater once in a while, and more so where the machine is busy; what is wrong
// is wrong in each run.
// RUN: pair() { \
// RUN:   %run %t > %t.own && %heapprof_score --json %dump > %t.json && \
// RUN:   %env_heapprof_opts=exact_time=1 %run %t > %t.exact.own && \
// RUN:   %heapprof_score --json %dump > %t.exact.json && \
// RUN:   %python %S/check_accuracy.py %t.json %t.own %t.exact.json %t.exact.own; }; \
// RUN: pair || pair || pair
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum use { THROUGHOUT, START, END, CHANGING, MIXED, GROWN };

// Cells: name, life in us, use, whether the thread allocates much meanwhile,
// chunks, chunks that live at the same time.
//   CHANGING  the first 600 throughout, the others at the start only
//   MIXED     in turn throughout and at the start only
//   GROWN     at the start only; every other one ends by realloc, which reads it
#define CELLS(X)                                                               \
  X(us1_little_throughout, 1, THROUGHOUT, false, 3000, 1)                      \
  X(us1_little_start, 1, START, false, 3000, 1)                                \
  X(us1_little_end, 1, END, false, 3000, 1)                                    \
  X(us1_much_throughout, 1, THROUGHOUT, true, 3000, 1)                         \
  X(us1_much_start, 1, START, true, 3000, 1)                                   \
  X(us1_much_end, 1, END, true, 3000, 1)                                       \
  X(us100_little_throughout, 100, THROUGHOUT, false, 3000, 1)                  \
  X(us100_little_start, 100, START, false, 3000, 1)                            \
  X(us100_little_end, 100, END, false, 3000, 1)                                \
  X(us100_much_throughout, 100, THROUGHOUT, true, 3000, 1)                     \
  X(us100_much_start, 100, START, true, 3000, 1)                               \
  X(us100_much_end, 100, END, true, 3000, 1)                                   \
  X(ms10_little_throughout, 10000, THROUGHOUT, false, 1920, 64)                \
  X(ms10_little_start, 10000, START, false, 1920, 64)                          \
  X(ms10_little_end, 10000, END, false, 1920, 64)                              \
  X(ms10_much_throughout, 10000, THROUGHOUT, true, 1920, 64)                   \
  X(ms10_much_start, 10000, START, true, 1920, 64)                             \
  X(ms10_much_end, 10000, END, true, 1920, 64)                                 \
  X(us100_little_changing, 100, CHANGING, false, 3000, 1)                      \
  X(us100_little_mixed, 100, MIXED, false, 3000, 1)                            \
  X(us100_little_grown, 100, GROWN, false, 3000, 1)

#define TOGETHER_MAX 64

// Each cell's chunks are an allocation point of their own, in a function of the
// cell's name.
#define ALLOCATE(name, ...)                                                    \
  __attribute__((noinline)) static char *name(void) {                          \
    char *volatile p = malloc(64);                                             \
    return p;                                                                  \
  }
CELLS(ALLOCATE)

static const struct cell {
  const char *name;
  char *(*allocate)(void);
  int life_us;
  enum use use;
  bool much;
  int chunks, together;
} cells[] = {
#define CELL(name, life, use, much, chunks, together)                          \
  {#name, name, life, use, much, chunks, together},
    CELLS(CELL)};

// What the program itself knows of a chunk, in ticks of its own clock.
struct seen {
  char *chunk;
  uint64_t t0, first, last;
};

static double ticks_per_us;

static uint64_t now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

static void measure_clock(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  uint64_t begin = now();
  double us;
  do {
    clock_gettime(CLOCK_MONOTONIC, &b);
    us = (double)(b.tv_sec - a.tv_sec) * 1e6 +
         (double)(b.tv_nsec - a.tv_nsec) / 1e3;
  } while (us < 2000);
  ticks_per_us = (double)(now() - begin) / us;
}

static void allocate_meanwhile(void) {
  void *volatile p = malloc(32);
  free(p);
}

static void use_once(struct seen *seen) {
  seen->last = now();
  if (!seen->first)
    seen->first = seen->last;
  *(volatile char *)seen->chunk += 1;
}

static double age(const struct seen *oldest) {
  return (double)(now() - oldest->t0);
}

static void spin(const struct seen *seen, const struct cell *cell, double to) {
  while (age(seen) < to)
    if (cell->much)
      allocate_meanwhile();
}

static void use_all(struct seen *seen, const struct cell *cell) {
  for (int i = 0; i < cell->together; i++)
    use_once(&seen[i]);
}

// The life of chunks that are there: used from the beginning or for the last
// 0.3 of it, up to the end or for the first 0.3 of it.  If the program is held
// up in one part, the other parts become longer too.
static void live(struct seen *seen, const struct cell *cell, bool from_begin,
                 bool to_end) {
  double life = cell->life_us * ticks_per_us, end = life;
  if (!from_begin) {
    spin(seen, cell, 0.7 * life);
    end = age(seen) / 0.7;
  } else if (!to_end) {
    end = 0.3 * life;
  }
  while (age(seen) < end) {
    use_all(seen, cell);
    if (cell->much)
      allocate_meanwhile();
  }
  use_all(seen, cell);
  if (!to_end)
    spin(seen, cell, age(seen) / 0.3);
}

static double share(const struct seen *seen, uint64_t t1) {
  if (!seen->first)
    return 0;
  uint64_t active = seen->last - seen->first;
  return (double)(active ? active : 1) / (double)(t1 - seen->t0);
}

static void run(const struct cell *cell) {
  double sum = 0;
  for (int done = 0; done < cell->chunks; done += cell->together) {
    struct seen seen[TOGETHER_MAX] = {0};
    bool throughout = cell->use == THROUGHOUT ||
                      (cell->use == CHANGING && done < 600) ||
                      (cell->use == MIXED && done % 2 == 0);
    for (int i = 0; i < cell->together; i++) {
      seen[i].chunk = cell->allocate();
      seen[i].t0 = now();
    }
    live(seen, cell, cell->use != END, throughout || cell->use == END);
    for (int i = 0; i < cell->together; i++) {
      uint64_t t1 = now();
      if (cell->use == GROWN && done % 2 == 0) {
        seen[i].chunk = realloc(seen[i].chunk, 128);
        seen[i].last = t1;
      }
      free(seen[i].chunk);
      sum += share(&seen[i], t1);
    }
  }
  printf("%s %d %.6f\n", cell->name, cell->life_us, sum / cell->chunks);
}

static void *run_those(void *much) {
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    if (cells[i].much == (much != NULL))
      run(&cells[i]);
  return NULL;
}

int main(void) {
  static char much;
  pthread_t thread;
  measure_clock();
  if (pthread_create(&thread, NULL, run_those, NULL) != 0 ||
      pthread_join(thread, NULL) != 0 ||
      pthread_create(&thread, NULL, run_those, &much) != 0 ||
      pthread_join(thread, NULL) != 0)
    return 1;
  return 0;
}
