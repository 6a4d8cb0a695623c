/* golden_generator.c - writes the golden dumps below the directory given.
   They stay in the repository, so that a later reader is held to reading them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "dump_builder.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint64_t loop_stack[] = {0x401105, 0x401905, 0x7f0000021045};
static const uint64_t growth_stack[] = {0x401205, 0x401905, 0x7f0000021045};
static const uint64_t idle_stack[] = {0x401305, 0x401905, 0x7f0000021045};
static const uint64_t good_stack[] = {0x401405, 0x401905, 0x7f0000021045};
static const struct hp_build_module modules[] = {
    {"/usr/bin/picture", 0x400000, 0x400000, 0x410000, 0, 0},
    {"/lib/libc.so.6", 0x7f0000000000, 0x7f0000000000, 0x7f0000200000, 0, 0}};
static const struct hp_build_point points[] = {
    {1, loop_stack, 3, "struct item", HP_PROVENANCE_ARGUMENT},
    {2, growth_stack, 3, "int", HP_PROVENANCE_INSTANTIATION},
    {3, idle_stack, 3, NULL, 0},
    {4, good_stack, 3, "char", HP_PROVENANCE_ARGUMENT}};

/* One that took over from no other. */
#define CHUNK(...) {__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0}

/* The four patterns of Memoro's figures: an allocation in a loop, the growth
   of a vector, a short useful life in a long one, and one well used. */
static const struct hp_chunk_log picture[] = {
    /* t0, t1, first, last, size, lo, hi, reads, writes, free_pc, point, ... */
    CHUNK(100, 110, 101, 108, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(120, 130, 121, 128, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(140, 150, 141, 148, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(160, 170, 161, 168, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(200, 210, 201, 210, 16, 0, 16, 4, 4, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(210, 220, 210, 220, 32, 0, 32, 8, 8, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(220, 240, 220, 240, 64, 0, 64, 16, 16, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(240, 900, 240, 300, 128, 0, 128, 32, 32, 0x401222, 2, 1, 2,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(300, 90000, 320, 400, 4096, 0, 100, 3, 1, 0, 3, 1, 0,
          HP_CHUNK_EXACT | HP_CHUNK_LIVE, 0, 1),
    CHUNK(10, 80000, 12, 79000, 1000, 0, 1000, 500, 100, 0x401333, 4, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_MULTITHREAD, 0, 1)};

/* Counters, sizes and clocks at their limits. */
static const struct hp_chunk_log limits[] = {
    CHUNK(5, 5, 5, 5, 0, 0, 0, 1, 0, 0x401111, 1, 1, 1, HP_CHUNK_OVERRUN, 0, 1),
    CHUNK(9, 4, 3, 20, 5ull << 32, 0, UINT64_MAX, UINT64_MAX, 1, 0x401111, 1, 2,
          1, HP_CHUNK_OVERRUN, 0, 1),
    CHUNK(7, 60, 0, 0, 8, 0, 0, 0, 0, 0x401111, 0, 1, 1, HP_CHUNK_ZEROED, 0, 1),
    CHUNK(INT64_MAX - 9, INT64_MAX, 0, 0, UINT64_MAX, 0, 0, 0, 0, 0, 2,
          UINT32_MAX, 0, HP_CHUNK_LIVE, 0, 1)};

static void write_golden(const char *directory, const char *name,
                         const struct hp_build *build) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.%s.1", directory, name);
  hp_build_write(build, path);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: golden_generator DIRECTORY\n", stderr);
    return 2;
  }
  static const char *const args[] = {"picture", "--all", NULL};
  struct hp_build build = {.program = "/usr/bin/picture",
                           .args = args,
                           .host = "node1",
                           .pid = 4711,
                           .start_unix_ns = 1700000000000000000,
                           .window = 100000,
                           .tick_max = 50,
                           .peak_bytes = 5224,
                           .modules = modules,
                           .module_count = COUNT(modules),
                           .points = points,
                           .point_count = COUNT(points),
                           .chunks = picture,
                           .chunk_count = COUNT(picture)};
  write_golden(argv[1], "picture", &build);
  build.uncompressed = true;
  write_golden(argv[1], "uncompressed", &build);
  build.strange = true;
  write_golden(argv[1], "future", &build);
  build.strange = false;
  build.no_end = true;
  write_golden(argv[1], "killed", &build);
  struct hp_build extreme = {.window = INT64_MAX,
                             .ticks_per_second = 3000000000,
                             .tick_max = 1,
                             .dropped_points = 1,
                             .dropped_chunks = 2,
                             .modules = modules,
                             .module_count = COUNT(modules),
                             .points = points,
                             .point_count = COUNT(points),
                             .chunks = limits,
                             .chunk_count = COUNT(limits)};
  write_golden(argv[1], "limits", &extreme);
  const struct hp_build nothing = {.program = "empty", .window = 1};
  write_golden(argv[1], "nothing", &nothing);
  return 0;
}
