/* make_wide_dump.c - `make_wide_dump POINTS CHUNKS DIRECTORY`: a dump of many
   points with CHUNKS chunks each, to see what a report makes of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_builder.h"
#include "resolve/symbolcache.h"

#include <stdio.h>
#include <stdlib.h>

#define BIAS 0x10000u
#define FUNCTIONS 5000u
#define LINES 8u /* calls in a function */
#define DEPTH 14u
#define BLOCK 1000u /* points */

static const uint8_t build_id[] = {1, 2, 3, 4}; /* as hp_build writes it */
static const char module_path[] = "/opt/wide/app";
static const struct hp_build_module module = {
    module_path, BIAS, BIAS, BIAS + FUNCTIONS * LINES * 16, 0, 0};

/* Numbers without a pattern that matters, the same in each run. */
static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static uint64_t address(uint64_t function, uint64_t line) {
  return (function * LINES + line) * 16;
}

/* Names of functions with arguments of templates, as C++ has them. */
static void write_names(const char *directory) {
  char path[4096], function[200], file[64];
  snprintf(path, sizeof path, "%s/symbols", directory);
  hp_symbolcache *cache = hp_symbolcache_open(path);
  if (!cache)
    abort();
  for (unsigned f = 0; f < FUNCTIONS; f++)
    for (unsigned line = 0; line < LINES; line++) {
      snprintf(function, sizeof function,
               "wide::part_%u::Table<std::pair<int, long> >::work_%u(int, "
               "std::vector<long, std::allocator<long> > const&)",
               f % 50, f);
      snprintf(file, sizeof file, "/src/wide/part_%u.cpp", f % 50);
      struct hp_frame frame = {.function = function,
                               .file = file,
                               .line = 10 * f + line + 1,
                               .column = 3};
      struct hp_symbol_module m = {module_path, build_id, sizeof build_id};
      hp_symbolcache_add(cache, &m, address(f, line), &frame, 1);
    }
  hp_symbolcache_close(cache);
}

/* A file is blocks in a row, and no block may be too large. */
static void write_in_blocks(const struct hp_build *build, size_t each,
                            const char *directory) {
  struct hp_image whole, part;
  hp_build_image(build, &whole);
  whole.points.size = whole.chunks.size = 0;
  for (size_t i = 0; i < build->point_count; i += BLOCK) {
    struct hp_build some = *build;
    size_t rest = build->point_count - i;
    some.point_count = rest < BLOCK ? rest : BLOCK;
    some.points += i;
    some.chunk_count = some.point_count * each;
    some.chunks += i * each;
    hp_build_image(&some, &part);
    hp_put_bytes(&whole.points, part.points.data, part.points.size);
    hp_put_bytes(&whole.chunks, part.chunks.data, part.chunks.size);
    hp_image_free(&part);
  }
  hp_image_write(&whole, directory);
  hp_image_free(&whole);
}

int main(int argc, char **argv) {
  size_t points = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
  size_t each = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
  if (points == 0 || each == 0) {
    fputs("usage: make_wide_dump POINTS CHUNKS DIRECTORY\n", stderr);
    return 2;
  }
  uint64_t *stacks = reallocarray(NULL, points * DEPTH, sizeof *stacks);
  struct hp_build_point *list = reallocarray(NULL, points, sizeof *list);
  struct hp_chunk_log *chunks = calloc(points * each, sizeof *chunks);
  uint64_t random = 1, window = 1000000000;
  if (!stacks || !list || !chunks)
    abort();
  for (size_t i = 0; i < points; i++) {
    uint64_t *stack = stacks + i * DEPTH;
    /* Near the root few branches, near the leaf many. */
    for (unsigned k = 0; k < DEPTH; k++) {
      uint64_t choice = k < 5 ? next_random(&random) % FUNCTIONS
                              : next_random(&random) % (DEPTH - k);
      stack[k] = BIAS + 1 + address(choice, next_random(&random) % LINES);
    }
    list[i] = (struct hp_build_point){i + 1, stack, DEPTH,
                                      i % 3 ? "wide::Node" : "char", 2};
    for (size_t k = 0; k < each; k++) {
      uint64_t t0 = next_random(&random) % (window / 2);
      uint64_t size = 16 + next_random(&random) % 1000;
      chunks[i * each + k] = (struct hp_chunk_log){
          .t0 = t0,
          .t1 = t0 + 1000 + next_random(&random) % (window / 4),
          .first = t0 + 100,
          .last = t0 + 900,
          .size = size,
          .lo = 0,
          .hi = size / (1 + i % 3),
          .reads = 10,
          .writes = i % 7 ? 3 : 0,
          .point = (uint32_t)(i + 1),
          .thread = 1,
          .free_thread = 1,
          .weight = 1};
    }
  }
  struct hp_build build = {.window = window,
                           .modules = &module,
                           .module_count = 1,
                           .points = list,
                           .point_count = points,
                           .chunks = chunks,
                           .chunk_count = points * each};
  write_in_blocks(&build, each, argv[3]);
  write_names(argv[3]);
  free(chunks);
  free(list);
  free(stacks);
  return 0;
}
