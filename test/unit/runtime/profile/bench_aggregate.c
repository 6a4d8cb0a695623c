/* bench_aggregate.c - what an event costs the aggregates, as CPU time.
   bench_aggregate [POINTS]: a row for each pattern of chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "aggregate_fixture.h"

enum { CHUNKS = 4000000 };

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Chunks that begin every 100 ticks and live for LIFE beginnings. */
static void run(const char *name, uint32_t points, uint64_t life, bool varied) {
  uint64_t random = 88172645463325252u;
  struct hp_chunk_log *ring = calloc(life + 1, sizeof *ring);
  if (!ring || !hp_aggregate_start(3000000, false))
    abort();
  double before = cpu_seconds();
  for (uint64_t i = 0; i < CHUNKS; i++) {
    uint64_t now = 100 * i;
    struct hp_chunk_log *slot = &ring[i % (life + 1)];
    if (i > life) {
      slot->t1 = now;
      slot->last = now - 20;
      hp_aggregate_end(slot);
    }
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    *slot = (struct hp_chunk_log){.weight = 1,
                                  .t0 = now,
                                  .first = now + 10,
                                  .size = varied ? random >> 54 : 24,
                                  .hi = varied ? random >> 55 : 24,
                                  .reads = 3,
                                  .writes = varied ? random & 1 : 2,
                                  .flags = random & 15 ? 0 : HP_CHUNK_EXACT,
                                  .step = 3000000,
                                  .point = (uint32_t)(random >> 20) % points,
                                  .thread = 1,
                                  .free_thread = 1};
    hp_aggregate_begin(slot->point, now, slot->size, 1);
  }
  double spent = cpu_seconds() - before;
  printf("%-28s %7u points %6.1f ns an event %6zu bytes a point\n", name,
         points, spent * 1e9 / (2 * (double)CHUNKS),
         hp_aggregate_memory() / points);
  free(ring);
}

int main(int argc, char **argv) {
  uint32_t points = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  run("alike, one point", 1, 10, false);
  run("alike, 100 points", 100, 1000, false);
  run("varied, 100 points", 100, 1000, true);
  run("alike, many points", points, 1000, false);
  run("varied, many points", points, 1000, true);
  return 0;
}
