/* test_map.c - address maps of dumps whose chunks lie at known places: cells, figures and what is refused, by hand.
   Regions of 64-byte slots from 0x10000 on, and of pages that are apart from 0x40000000 on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dump_builder.h"
#include "heapprof_map.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define SMALL 0x10000u
#define LARGE 0x40000000u
#define SLOT 64u

static const uint64_t usual_regions[] = {SMALL, 8 * SLOT, SLOT,    0, 3,
                                         LARGE, 1 << 30,  1 << 17, 1, 2};
static const uint64_t pc[] = {0x401005};
static const struct hp_build_point points[] = {{1, pc, 1, "struct a", 1},
                                               {2, pc, 1, NULL, 0}};
static const struct hp_build_module modules[] = {
    {"/bin/app", 0x400000, 0x400000, 0x410000, 0, 0}};

/* Ticks are nanoseconds; the window has 1000. */
#define LIVE(point_, t0_, size_, address_)                                     \
  {.t0 = (t0_),                                                                \
   .t1 = 1000,                                                                 \
   .size = (size_),                                                            \
   .point = (point_),                                                          \
   .thread = 1,                                                                \
   .weight = 1,                                                                \
   .flags = HP_CHUNK_LIVE,                                                     \
   .address = (address_)}
#define ENDED(point_, t0_, t1_, size_, address_)                               \
  {.t0 = (t0_),                                                                \
   .t1 = (t1_),                                                                \
   .size = (size_),                                                            \
   .point = (point_),                                                          \
   .thread = 1,                                                                \
   .weight = 1,                                                                \
   .address = (address_)}
static const struct hp_chunk_log chunks[] = {
    ENDED(1, 10, 500, 32, SMALL + 32),
    LIVE(1, 20, 16, SMALL + SLOT + 32),
    ENDED(1, 30, 600, 32, SMALL + 2 * SLOT + 32),
    LIVE(1, 700, 0, SMALL + 32),
    LIVE(2, 40, 20, SMALL + 3 * SLOT + 32),
    LIVE(2, 100, 5000, LARGE + 32),
    LIVE(2, 200, 100000, LARGE + (1 << 17) + 32),
    ENDED(2, 300, 310, 100000, LARGE + (64u << 17) + 32)};

static const struct hp_build usual = {.window = 1000,
                                      .peak_time = 305,
                                      .modules = modules,
                                      .module_count = 1,
                                      .points = points,
                                      .point_count = 2,
                                      .chunks = chunks,
                                      .chunk_count = LENGTH(chunks),
                                      .regions = usual_regions,
                                      .region_numbers = LENGTH(usual_regions)};

struct fixture {
  char *scratch;
  char dump[4096];
  hp_profile *profile;
  struct hp_map *map;
  struct hp_error error;
};

static void begin(struct fixture *f, const struct hp_build *build) {
  f->scratch = hp_scratch_make();
  f->map = NULL;
  snprintf(f->dump, sizeof f->dump, "%s/heapprof.app.1", f->scratch);
  hp_build_write(build, f->dump);
  const char *path = f->dump;
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  assert_int_equal(hp_profile_open(&f->profile, &path, 1, &o, &f->error),
                   HP_OK);
}

static hp_status make(struct fixture *f, const struct hp_map_when *when,
                      size_t count, uint64_t cell, size_t most) {
  const struct hp_map_options o = {
      .sz = sizeof o, .cell_bytes = cell, .most_cells = most};
  hp_map_free(f->map);
  f->map = NULL;
  return hp_map_make(&f->map, f->profile, 0, when, count, &o, &f->error);
}

static void finish(struct fixture *f) {
  hp_map_free(f->map);
  hp_profile_close(f->profile);
  hp_scratch_remove(f->scratch);
}

static const struct hp_map_when at_end = {.name = "end"};

static void require_use(const struct hp_map_use *use, uint64_t count,
                        uint64_t live, uint64_t taken, uint64_t span,
                        uint64_t mapped) {
  assert_int_equal(use->chunks, count);
  assert_int_equal(use->live_bytes, live);
  assert_int_equal(use->taken_bytes, taken);
  assert_int_equal(use->span_bytes, span);
  assert_int_equal(use->mapped_bytes, mapped);
}

static bool is_near(double a, double b) { return fabs(a - b) < 1e-12; }

static void figures_are_as_defined(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &usual);
  const struct hp_map_when when[] = {
      at_end, {.name = "peak"}, {.at_ns = 550}, {.at_ns = 0}};
  assert_int_equal(make(&f, when, 4, SLOT, 0), HP_OK);
  const struct hp_map_moment *m = f.map->moments;
  assert_int_equal(f.map->moment_count, 4);
  assert_int_equal(m[0].at_ns, 0);
  require_use(&m[0].all, 0, 0, 0, 0, 0);
  assert_true(m[0].mean_fragmentation == HP_NULL_SCORE);
  assert_true(hp_map_utilisation(&m[0].all) == HP_NULL_SCORE);
  assert_string_equal(m[1].name, "peak");
  require_use(&m[1].uses[0], 4, 100, 4 * SLOT, 3 * SLOT + 52, 4 * SLOT);
  require_use(&m[1].uses[1], 3, 205000, 8192 + 2 * 102400, 5032 + 2 * 100032,
              8192 + 2 * 102400);
  assert_int_equal(m[2].at_ns, 550);
  require_use(&m[2].uses[0], 3, 68, 3 * SLOT, 3 * SLOT + 52, 4 * SLOT);
  assert_string_equal(m[3].name, "end");
  /* At the end the dump itself says what was used. */
  require_use(&m[3].uses[0], 3, 36, 3 * SLOT, 3 * SLOT + 52, 8 * SLOT);
  require_use(&m[3].uses[1], 2, 105000, 8192 + 102400, 5032 + 100032,
              8192 + 102400);
  const struct hp_map_use *use = &m[3].uses[0];
  assert_true(is_near(hp_map_fragmentation(use), 1 - 36 / 244.0));
  assert_true(is_near(hp_map_internal(use), 1 - 36 / 192.0));
  assert_true(is_near(hp_map_external(use), 1 - 192 / 244.0));
  assert_true(is_near(hp_map_utilisation(use), 36 / 512.0));
  assert_true(is_near(m[3].mean_fragmentation,
                      (1 - 36 / 244.0 + 1 - 105000 / 105064.0) / 2));
  assert_int_equal(m[3].all.chunks, 5);
  assert_int_equal(m[3].all.span_bytes, 244 + 105064);
  assert_int_equal(f.map->note_count, 0);
  finish(&f);
}

static void cells_have_what_lies_in_them(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &usual);
  assert_int_equal(make(&f, &at_end, 1, 2 * SLOT, 0), HP_OK);
  const struct hp_map_cell *cells = f.map->moments[0].cells;
  assert_int_equal(f.map->cell_bytes, 2 * SLOT);
  const struct hp_map_stretch *s = f.map->stretches;
  /* The slots up to the last chunk; a chunk and its neighbour's slot, 960 cells
     behind its end, are two stretches. */
  assert_int_equal(f.map->stretch_count, 3);
  assert_int_equal(s[0].begin, SMALL);
  assert_int_equal(s[0].cell_count, 2);
  assert_int_equal(s[1].begin, LARGE);
  assert_int_equal(s[1].cell_count, 64);
  assert_int_equal(s[2].begin, LARGE + (1 << 17));
  assert_int_equal(s[2].cell_count, 800);
  assert_int_equal(f.map->cell_count, 866);
  /* A chunk of no bytes and one of 16; one of 20 alone. */
  assert_int_equal(cells[0].chunks, 2);
  assert_int_equal(cells[0].live_bytes, 16);
  assert_int_equal(cells[0].taken_bytes, 2 * SLOT);
  assert_int_equal(cells[0].point->id, 1);
  assert_true(is_near(cells[0].begun_ns, 20));
  assert_int_equal(cells[1].chunks, 1);
  assert_int_equal(cells[1].live_bytes, 20);
  assert_int_equal(cells[1].taken_bytes, SLOT);
  assert_int_equal(cells[1].point->id, 2);
  /* The first begins behind its record, the last ends with the chunk. */
  assert_int_equal(cells[2].live_bytes, 2 * SLOT - 32);
  assert_int_equal(cells[2 + 39].live_bytes, 5032 - 39 * 128);
  assert_int_equal(cells[2 + 39].chunks, 1);
  assert_int_equal(cells[2 + 40].live_bytes, 0);
  assert_int_equal(cells[2 + 40].chunks, 0);
  assert_int_equal(cells[2 + 40].taken_bytes, 2 * SLOT);
  assert_int_equal(f.map->point_count, 2);
  finish(&f);
}

static void a_cell_is_of_the_point_with_most_bytes(void **state) {
  (void)state;
  static const struct hp_chunk_log mixed[] = {
      LIVE(2, 1, 20, SMALL + 32), LIVE(1, 3, 10, SMALL + SLOT + 32),
      LIVE(1, 2, 11, SMALL + 2 * SLOT + 32), LIVE(2, 4, 20, SMALL + 4 * SLOT),
      LIVE(1, 5, 20, SMALL + 5 * SLOT)};
  struct hp_build build = usual;
  build.chunks = mixed;
  build.chunk_count = LENGTH(mixed);
  struct fixture f;
  begin(&f, &build);
  assert_int_equal(make(&f, &at_end, 1, 4 * SLOT, 0), HP_OK);
  const struct hp_map_cell *cells = f.map->moments[0].cells;
  assert_int_equal(cells[0].point->id, 1); /* 21 bytes against 20 */
  assert_true(is_near(cells[0].begun_ns, (20 * 1 + 10 * 3 + 11 * 2) / 41.0));
  assert_int_equal(cells[1].point->id, 1); /* equal: the first */
  finish(&f);
}

static void cells_grow_until_they_are_few(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &usual);
  assert_int_equal(make(&f, &at_end, 1, 0, 0), HP_OK);
  assert_int_equal(f.map->cell_bytes, 64);
  assert_true(f.map->cell_count <= 2048);
  assert_int_equal(make(&f, &at_end, 1, 0, 40), HP_OK);
  /* 244 bytes, 8 KiB, and 100 KiB behind a gap of 30 cells. */
  assert_int_equal(f.map->cell_bytes, 4096);
  assert_int_equal(f.map->stretch_count, 3);
  assert_int_equal(f.map->cell_count, 1 + 2 + 25);
  assert_int_equal(make(&f, &at_end, 1, 8192, 0), HP_OK);
  assert_int_equal(f.map->stretch_count, 2); /* it is of 15 cells now */
  assert_int_equal(f.map->cell_count, 1 + 29);
  /* What lies far is one by itself, in cells however large. */
  const struct hp_map_when peak = {.name = "peak"};
  assert_int_equal(make(&f, &peak, 1, 8192, 0), HP_OK);
  assert_int_equal(f.map->stretch_count, 3);
  finish(&f);
}

static void what_the_dump_does_not_have_is_said(void **state) {
  (void)state;
  static const uint64_t more[] = {SMALL, 8 * SLOT, SLOT,    0, 5,
                                  LARGE, 1 << 23,  1 << 17, 1, 2};
  static const struct hp_chunk_log outside[] = {
      LIVE(1, 1, 20, SMALL + 32), LIVE(1, 2, 20, 0), LIVE(1, 2, 20, SMALL - 8),
      LIVE(1, 3, 20, SMALL + 8 * SLOT), LIVE(1, 3, 60, SMALL + SLOT + 32)};
  struct hp_build build = usual;
  struct fixture f;
  build.regions = more;
  begin(&f, &build);
  assert_int_equal(make(&f, &at_end, 1, 0, 0), HP_OK);
  assert_int_equal(f.map->note_count, 1);
  assert_non_null(strstr(f.map->notes[0], "2 more chunks lie there"));
  finish(&f);
  build = usual;
  build.chunks = outside;
  build.chunk_count = LENGTH(outside);
  build.unprofiled_chunks = 7;
  begin(&f, &build);
  assert_int_equal(make(&f, &at_end, 1, 0, 0), HP_OK);
  assert_int_equal(f.map->moments[0].all.chunks, 1);
  assert_int_equal(f.map->note_count, 3);
  assert_non_null(strstr(f.map->notes[0], "4 more chunks"));
  assert_non_null(strstr(f.map->notes[1], "7 chunks began without a profile"));
  assert_non_null(strstr(f.map->notes[2], "4 chunks lie in no known part"));
  finish(&f);
}

static void require_refused(struct fixture *f, hp_status status,
                            const struct hp_map_when *when, size_t count,
                            uint64_t cell, const char *text) {
  assert_int_equal(make(f, when, count, cell, 0), status);
  assert_non_null(strstr(f->error.text, text));
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct hp_map_when mark = {.name = "never"},
                                  early = {.at_ns = 5};
  static struct hp_map_when many[HP_MAP_MOMENTS_MAX + 1];
  struct hp_build build = usual;
  struct fixture f;
  bool any;
  begin(&f, &build);
  assert_int_equal(hp_map_check(f.profile, 0, &any, &f.error), HP_OK);
  assert_true(any);
  assert_int_equal(hp_map_check(f.profile, 1, &any, &f.error), HP_E_ARGUMENT);
  require_refused(&f, HP_E_ARGUMENT, &mark, 1, 0, "no mark \"never\"");
  require_refused(&f, HP_E_ARGUMENT, many, LENGTH(many), 0, "65 moments");
  require_refused(&f, HP_E_ARGUMENT, many, 0, 0, "0 moments");
  require_refused(&f, HP_E_ARGUMENT, &at_end, 1, 48, "power of two");
  require_refused(&f, HP_E_ARGUMENT, &at_end, 1, 8, "power of two");
  require_refused(&f, HP_E_ARGUMENT, &at_end, 1, (uint64_t)1 << 41,
                  "power of two");
  finish(&f);
  build.thinned_chunks = 1;
  begin(&f, &build);
  assert_int_equal(hp_map_check(f.profile, 0, &any, &f.error), HP_OK);
  assert_false(any);
  require_refused(&f, HP_E_ARGUMENT, &early, 1, 0, "chunk_log=all");
  assert_int_equal(make(&f, &at_end, 1, 0, 0), HP_OK);
  finish(&f);
  build.region_numbers = 0;
  begin(&f, &build);
  require_refused(&f, HP_E_ARGUMENT, &at_end, 1, 0, "addresses=1");
  finish(&f);
}

/* Every cell of a heap that has a chunk in its last slot. */
static void too_many_cells_are_refused(void **state) {
  (void)state;
  static const uint64_t wide[] = {SMALL, (uint64_t)1 << 40, SLOT, 0, 1};
  static const struct hp_chunk_log last[] = {
      LIVE(1, 1, 20, SMALL + ((uint64_t)1 << 40) - SLOT)};
  struct hp_build build = usual;
  build.chunks = last;
  build.chunk_count = 1;
  build.regions = wide;
  build.region_numbers = LENGTH(wide);
  struct fixture f;
  begin(&f, &build);
  require_refused(&f, HP_E_ARGUMENT, &at_end, 1, 4096,
                  "cells of 4096 bytes are too many; they may have 1048576");
  assert_int_equal(make(&f, &at_end, 1, 1 << 20, 0), HP_OK);
  assert_int_equal(f.map->cell_count, 1 << 20);
  assert_int_equal(make(&f, &at_end, 1, 0, 0), HP_OK);
  assert_int_equal(f.map->cell_bytes, 1 << 29);
  finish(&f);
}

static void impossible_regions_are_corrupt(void **state) {
  (void)state;
  static const uint64_t wrong[][10] = {
      {SMALL, 64, 0, 0, 1},                            /* no slot */
      {SMALL, 64, 40, 0, 1},                           /* an odd one */
      {SMALL, 96, 64, 0, 1},                           /* half a slot */
      {0, 64, 64, 0, 1},                               /* at 0 */
      {UINT64_MAX - 60, 64, 64, 0, 1},                 /* past the end */
      {SMALL, 128, 64, 0, 1, SMALL + 64, 64, 64, 0, 1} /* one in another */
  };
  static const uint64_t cut[] = {SMALL, 64, 64, 0};
  struct fixture f;
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    struct hp_build build = usual;
    build.regions = wrong[i];
    build.region_numbers = wrong[i][5] ? 10 : 5;
    begin(&f, &build);
    require_refused(&f, HP_E_CORRUPT, &at_end, 1, 0, "cannot be");
    finish(&f);
  }
  struct hp_build build = usual;
  build.regions = cut;
  build.region_numbers = LENGTH(cut);
  begin(&f, &build);
  require_refused(&f, HP_E_CORRUPT, &at_end, 1, 0, "cannot be");
  finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_are_as_defined),
      cmocka_unit_test(cells_have_what_lies_in_them),
      cmocka_unit_test(a_cell_is_of_the_point_with_most_bytes),
      cmocka_unit_test(cells_grow_until_they_are_few),
      cmocka_unit_test(what_the_dump_does_not_have_is_said),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(too_many_cells_are_refused),
      cmocka_unit_test(impossible_regions_are_corrupt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
