/* make_dump.c - `make_dump KIND DIRECTORY` writes a dump for test/score.
   Symbols come as a cache file: nothing on the machine decides them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_builder.h"
#include "resolve/symbolcache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIAS 0x10000u
#define MS 1000000u /* ticks of 1 ns */

/* As hp_build writes it. */
static const uint8_t build_id[] = {1, 2, 3, 4};
static const char module_path[] = "/opt/shop/app";
static const struct hp_build_module module = {module_path,    BIAS, BIAS,
                                              BIAS + 0x10000, 0,    0};

/* Return address of the call at ELF address VADDR. */
#define CALL(vaddr) (BIAS + (vaddr) + 1)

static void add_frames(hp_symbolcache *cache, uint64_t vaddr,
                       const struct hp_frame *frames, size_t count) {
  const struct hp_symbol_module m = {module_path, build_id, sizeof build_id};
  hp_symbolcache_add(cache, &m, vaddr, frames, count);
}

static void add_frame(hp_symbolcache *cache, uint64_t vaddr,
                      const char *function, const char *file, uint32_t line) {
  const struct hp_frame frame = {
      .function = function, .file = file, .line = line, .column = 3};
  add_frames(cache, vaddr, &frame, 1);
}

static hp_symbolcache *open_cache(const char *directory) {
  char path[4096];
  hp_symbolcache *cache;
  snprintf(path, sizeof path, "%s/symbols", directory);
  cache = hp_symbolcache_open(path);
  if (!cache)
    abort();
  return cache;
}

/* ---- shop: one point for each thing the table shows ------------------------

   Window 1 s, so tau = 1 ms.  Expected, by hand:
   1 make_node  2 chunks, 200 B, lives [0, 0.4 ms) and [0.4 ms, 0.8 ms): one
                group over 0.8 ms, lifetime (0.4 + 0.4) / (2 * 0.8) = 0.5;
                accessed 100 and 50 of 100 B each: usage 0.75; useful life
                0.2 / 0.4 and 0.4 / 0.4: 0.75; reads 3, writes 4
   2 open_log   1 chunk of 4096 B, never accessed, live: 1, 0, 0
   3 grow       16, 32, 64, 128 B, each whole: 240 B, copies 16 + 32 + 64 = 112;
                1 ms each, 10 ms apart: 4 groups of one, all scores 1
   4 nothing    1 chunk of 0 B, never accessed: 1, null, 0
   5 (module)   1 chunk of 10 B, written only, by another thread, no symbols:
                1, 0, 0.5                                                     */
static const uint64_t node_stack[] = {CALL(0x2000), CALL(0x3000)};
static const uint64_t log_stack[] = {CALL(0x2100), CALL(0x3000)};
static const uint64_t grow_stack[] = {CALL(0x2200), CALL(0x3000)};
static const uint64_t nothing_stack[] = {CALL(0x2300), CALL(0x3000)};
static const uint64_t bare_stack[] = {CALL(0x2400)};

static const struct hp_build_point shop_points[] = {
    {1, node_stack, 2, "struct node", HP_PROVENANCE_ARGUMENT},
    {2, log_stack, 2, NULL, HP_PROVENANCE_UNKNOWN},
    {3, grow_stack, 2, "char", HP_PROVENANCE_ARGUMENT},
    {4, nothing_stack, 2, NULL, HP_PROVENANCE_UNKNOWN},
    {5, bare_stack, 1, NULL, HP_PROVENANCE_UNKNOWN},
};

#define CHUNK(point_, size_, from, to, ...)                                    \
  {.point = point_,                                                            \
   .size = size_,                                                              \
   .t0 = from,                                                                 \
   .t1 = to,                                                                   \
   .thread = 1,                                                                \
   .free_thread = 1,                                                           \
   __VA_ARGS__}
#define USED(from, to, low, high, r, w)                                        \
  .first = from, .last = to, .lo = low, .hi = high, .reads = r, .writes = w
#define FIRST(size_, at)                                                       \
  CHUNK(3, size_, at, (at) + MS, USED(at, (at) + MS, 0, size_, 1, 1))
/* The NUMBER-th of a chain of 16, 32, ... bytes. */
#define GROWN(size_, at, number)                                               \
  CHUNK(3, size_, at, (at) + MS, USED(at, (at) + MS, 0, size_, 1, 1),          \
        .flags = HP_CHUNK_GROWN, .chain_length = number, .chain_first = 16,    \
        .chain_bytes = (size_) - 16, .chain_copied = (size_) - 16,             \
        .copied = (size_) / 2)

static const struct hp_chunk_log shop_chunks[] = {
    CHUNK(1, 100, 0, 400000, USED(100000, 300000, 0, 100, 2, 3)),
    CHUNK(1, 100, 400000, 800000, USED(400000, 800000, 0, 50, 1, 1)),
    CHUNK(2, 4096, 2 * MS, 1000 * MS, .flags = HP_CHUNK_LIVE),
    FIRST(16, 10 * MS),
    GROWN(32, 20 * MS, 2),
    GROWN(64, 30 * MS, 3),
    GROWN(128, 40 * MS, 4),
    CHUNK(4, 0, 50 * MS, 52 * MS),
    CHUNK(5, 10, 60 * MS, 64 * MS, USED(60 * MS, 62 * MS, 0, 10, 0, 1),
          .flags = HP_CHUNK_MULTITHREAD),
};

static const char *const shop_args[] = {"app", "--open", "all day", NULL};

static struct hp_build shop(void) {
  return (struct hp_build){.program = module_path,
                           .args = shop_args,
                           .pid = 42,
                           .exact_time = 1,
                           .window = 1000 * MS,
                           .peak_bytes = 4224,
                           .peak_time = 40 * MS,
                           .modules = &module,
                           .module_count = 1,
                           .points = shop_points,
                           .point_count = 5,
                           .chunks = shop_chunks,
                           .chunk_count = 9};
}

static void shop_symbols(hp_symbolcache *cache) {
  const struct hp_frame node[] = {
      {.function = "make_node",
       .file = "/src/shop/tree.c",
       .line = 12,
       .column = 10,
       .inlined = true},
      {.function = "build_tree(std::vector<int> const&)",
       .file = "/src/shop/tree.c",
       .line = 20,
       .column = 3,
       .inlined = false}};
  add_frames(cache, 0x2000, node, 2);
  add_frame(cache, 0x2100, "open_log", "/src/shop/log.c", 7);
  add_frame(cache, 0x2200, "shop::Buffer<long>::grow(unsigned long)",
            "/src/shop/a_rather_long_file_name.cpp", 1234);
  add_frame(cache, 0x2300, "nothing", "/src/shop/tree.c", 99);
  add_frame(cache, 0x3000, "main", "/src/shop/main.c", 5);
}

static void write_shop(const char *directory) {
  const struct hp_build build = shop();
  hp_symbolcache *cache;
  hp_build_write(&build, directory);
  cache = open_cache(directory);
  shop_symbols(cache);
  hp_symbolcache_close(cache);
}

/* ---- the others are the shop with one thing changed ---------------------- */

static void write_changed(const char *directory, struct hp_build build) {
  hp_symbolcache *cache;
  hp_build_write(&build, directory);
  cache = open_cache(directory);
  shop_symbols(cache);
  hp_symbolcache_close(cache);
}

static void write_killed(const char *directory) {
  struct hp_build build = shop();
  build.no_end = true;
  write_changed(directory, build);
}

static void write_dropped(const char *directory) {
  struct hp_build build = shop();
  build.dropped_chunks = 7;
  build.dropped_points = 2;
  build.failed_requests = 3;
  write_changed(directory, build);
}

static void write_empty(const char *directory) {
  struct hp_build build = shop();
  build.point_count = build.chunk_count = 0;
  build.peak_bytes = 0;
  hp_build_write(&build, directory);
}

/* The clock stood still for up to 2 ms, longer than any chunk lives: nobody
   knows when those chunks were used last. */
static void write_coarse(const char *directory) {
  struct hp_build build = shop();
  build.exact_time = 0;
  build.tick_max = 2 * MS;
  write_changed(directory, build);
}

/* The same, but the first chunk of make_node is exact and stands for the other:
   0.5 for both, and the other may be off by 1: 0.5 +- 1 / 2. */
static void write_inexact(const char *directory) {
  struct hp_build build = shop();
  struct hp_chunk_log chunks[9];
  memcpy(chunks, shop_chunks, sizeof chunks);
  chunks[0].flags = HP_CHUNK_EXACT;
  build.chunks = chunks;
  build.exact_time = 0;
  build.tick_max = 2 * MS;
  write_changed(directory, build);
}

static void write_saturated(const char *directory) {
  struct hp_build build = shop();
  struct hp_chunk_log chunks[9];
  memcpy(chunks, shop_chunks, sizeof chunks);
  chunks[0].reads = UINT64_MAX;
  chunks[1].reads = 5;
  build.chunks = chunks;
  write_changed(directory, build);
}

static void write_big(const char *directory) {
  static const struct hp_chunk_log chunks[] = {
      CHUNK(1, (uint64_t)5 << 30, 0, 1000 * MS,
            USED(0, 1000 * MS, 0, (uint64_t)5 << 30, 1, 1))};
  struct hp_build build = shop();
  build.chunks = chunks;
  build.chunk_count = 1;
  build.peak_bytes = (uint64_t)5 << 30;
  write_changed(directory, build);
}

/* A chunk of 1 MiB that lives 700 ms, and was first used after 600 of them.  The
   clock stood still for TICK_MAX at most. */
static void write_used_late(const char *directory, uint64_t tick_max) {
  static const struct hp_chunk_log chunks[] = {
      CHUNK(1, 1 << 20, 0, 700 * MS, USED(600 * MS, 650 * MS, 0, 1 << 20, 5, 5),
            .flags = HP_CHUNK_EXACT)};
  struct hp_build build = shop();
  build.chunks = chunks;
  build.chunk_count = 1;
  build.peak_bytes = 1 << 20;
  build.exact_time = 0;
  build.tick_max = tick_max;
  write_changed(directory, build);
}

static void write_early(const char *directory) {
  write_used_late(directory, 350 * MS);
}

static void write_waited(const char *directory) {
  write_used_late(directory, 351 * MS);
}

/* The shop's next version: all lines have moved by 3, make_node takes one chunk
   more, open_log has become open_cache with 1000 B, and a chunk of grow is 1 B
   larger.  3 * 100 + 1000 + 241 + 0 + 10 = 1551 B
   in 10 chunks; the peak is 1000 + 129 = 1129 B, live at the end 1000 B.  */
static void write_later(const char *directory) {
  struct hp_chunk_log chunks[10];
  struct hp_build build = shop();
  hp_symbolcache *cache;
  memcpy(chunks, shop_chunks, sizeof shop_chunks);
  chunks[2].size = 1000;
  chunks[6].size = 129;
  chunks[9] = (struct hp_chunk_log)CHUNK(
      1, 100, 900 * MS, 901 * MS, USED(900 * MS, 901 * MS, 0, 100, 1, 1));
  build.chunks = chunks;
  build.chunk_count = 10;
  build.peak_bytes = 1129;
  hp_build_write(&build, directory);
  cache = open_cache(directory);
  const struct hp_frame node[] = {
      {.function = "make_node",
       .file = "/src/shop/tree.c",
       .line = 15,
       .column = 10,
       .inlined = true},
      {.function = "build_tree(std::vector<int> const&)",
       .file = "/src/shop/tree.c",
       .line = 23,
       .column = 3,
       .inlined = false}};
  add_frames(cache, 0x2000, node, 2);
  add_frame(cache, 0x2100, "open_cache", "/src/shop/log.c", 10);
  add_frame(cache, 0x2200, "shop::Buffer<long>::grow(unsigned long)",
            "/src/shop/a_rather_long_file_name.cpp", 1237);
  add_frame(cache, 0x2300, "nothing", "/src/shop/tree.c", 102);
  add_frame(cache, 0x3000, "main", "/src/shop/main.c", 8);
  hp_symbolcache_close(cache);
}

/* Names that a careless writer of tables, JSON or CSV gets wrong. */
static void write_strange(const char *directory) {
  static const char *const args[] = {"app", "a\"b\\c\n\x1b[31m", "\xff\xfe",
                                     "gr\xc3\xb6\xc3\x9f"
                                     "e",
                                     NULL};
  struct hp_build_point points[5];
  struct hp_build build = shop();
  hp_symbolcache *cache;
  memcpy(points, shop_points, sizeof points);
  points[0].type = "std::pair<\"x\", '\\n'>\x7f";
  points[1].type = "\xed\xa0\x80"; /* a surrogate is no UTF-8 */
  build.points = points;
  build.args = args;
  hp_build_write(&build, directory);
  cache = open_cache(directory);
  add_frame(cache, 0x2000, "we\"ird,\tna\\me\r\n\x1b[2Jx", "a,b\".c", 1);
  add_frame(cache, 0x2100,
            "gr\xc3\xb6\xc3\x9f"
            "e\xe6\x97\xa5\xe6\x9c\xac",
            "\xff.c", 2);
  hp_symbolcache_close(cache);
}

/* Points 1..60, point N with a chunk of N bytes; a name of 100000 letters. */
static void write_many(const char *directory) {
  enum { COUNT = 60, LONG = 100000 };
  uint64_t stacks[COUNT];
  struct hp_build_point points[COUNT];
  struct hp_chunk_log chunks[COUNT];
  struct hp_build build = shop();
  char *name = malloc(LONG + 1), file[32];
  hp_symbolcache *cache;
  if (!name)
    abort();
  memset(name, 'x', LONG);
  name[LONG] = '\0';
  for (unsigned i = 0; i < COUNT; i++) {
    stacks[i] = CALL(0x2000 + 16 * i);
    points[i] = (struct hp_build_point){i + 1, &stacks[i], 1, NULL, 0};
    chunks[i] = (struct hp_chunk_log)CHUNK(i + 1, i + 1, 0, 1000 * MS,
                                           USED(0, 1000 * MS, 0, i + 1, 1, 1));
  }
  build.points = points;
  build.chunks = chunks;
  build.point_count = build.chunk_count = COUNT;
  hp_build_write(&build, directory);
  cache = open_cache(directory);
  for (unsigned i = 0; i < COUNT; i++) {
    snprintf(file, sizeof file, "/src/file%u.c", i + 1);
    add_frame(cache, 0x2000 + 16 * i, i ? "make" : name, file, i + 1);
  }
  hp_symbolcache_close(cache);
  free(name);
}

static const struct {
  const char *kind;
  void (*write)(const char *directory);
} kinds[] = {{"shop", write_shop},           {"killed", write_killed},
             {"dropped", write_dropped},     {"empty", write_empty},
             {"coarse", write_coarse},       {"inexact", write_inexact},
             {"saturated", write_saturated}, {"big", write_big},
             {"strange", write_strange},     {"many", write_many},
             {"later", write_later},         {"early", write_early},
             {"waited", write_waited}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(argv[1], kinds[i].kind) == 0) {
      kinds[i].write(argv[2]);
      return 0;
    }
  fputs("usage: make_dump KIND DIRECTORY\n", stderr);
  return 2;
}
