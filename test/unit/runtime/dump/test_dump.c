/* test_dump.c - the library reads what the runtime writes, each field.
   Expectations stand beside the input, never computed by the writer.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk_items.h"
#include "hook_abi.h"
#include "origin/module.h"
#include "profile/aggregate.h"
#include "profile/log.h"
#include "system/clock.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- header -------------------------------------------------------------- */

static void test_header(void **state) {
  (void)state;
  static const char arguments[] = "app\0--flag\0\0caf\xe9 au lait";
  hp_double.arguments = arguments;
  hp_double.arguments_size = sizeof arguments;
  hp_double.executable = "/opt/some where/app";
  hp_double.environment[0][0] = "SLURM_PROCID";
  hp_double.environment[0][1] = "3";
  hp_double.environment[1][0] = "PMI_RANK";
  hp_double.environment[1][1] = "17";
  hp_double.ticks_per_second = 2999999999;
  hp_double.start_unix_ns = 1700000000123456789;
  hp_clock_period = 3000000;
  hp_options.exact_time = true;
  hp_options.max_allocation_size_mb = UINT64_MAX;
  hp_options.only_programs = "a,b";

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_dump_header *header = &dump->header;
  assert_string_equal(header->program, "/opt/some where/app");
  assert_int_equal(header->arg_count, 4);
  assert_string_equal(header->args[0], "app");
  assert_string_equal(header->args[1], "--flag");
  assert_string_equal(header->args[2], "");
  assert_string_equal(header->args[3], "caf\xe9 au lait");
  assert_int_equal(header->pid, 42);
  assert_int_equal(header->parent, 41);
  assert_string_equal(header->host, "host");
  assert_string_equal(header->rank, "17"); /* PMI before Slurm */
  assert_string_equal(header->clock, "monotonic");
  assert_int_equal(header->ticks_per_second, 2999999999);
  assert_int_equal(header->start_unix_ns, 1700000000123456789);
  assert_string_equal(header->producer, "heapprof " HEAPPROF_VERSION);
  assert_int_equal(atoi(header->pass), HP_ABI_VERSION);
  assert_int_equal(header->exact_time, 1);
  assert_int_equal(header->tick_period, 3000000);
  hp_dump_close(dump);
}

static void test_header_options(void **state) {
  (void)state;
  hp_options.max_allocation_size_mb = UINT64_MAX;
  hp_options.only_programs = "a,b";
  hp_options.tick_us = -5;
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  char directory[128];
  snprintf(directory, sizeof directory, "dump_dir=%s", hp_fixture_directory);
  const char *expected[] = {
      directory,           "dump_at_exit=1",
      "exact_time=0",      "tick_us=-5",
      "only_programs=a,b", "max_allocation_size_mb=18446744073709551615",
  };
  for (size_t i = 0; i < LENGTH(expected); i++) {
    bool found = false;
    for (size_t k = 0; k < dump->header.option_count; k++)
      found |= strcmp(dump->header.options[k], expected[i]) == 0;
    if (!found)
      print_error("%s\n", expected[i]);
    assert_true(found);
  }
  size_t options = 0;
#define HP_OPTION(type, name, value, text) options++;
#include "system/options.def"
  assert_int_equal(dump->header.option_count, options);
  hp_dump_close(dump);
}

static void test_header_of_a_process_nothing_is_known_of(void **state) {
  (void)state;
  hp_double.executable = NULL;
  hp_double.host = NULL;
  hp_fixture_write(NULL);
  struct hp_dump *dump = hp_fixture_read("heapprof.unknown.42");
  assert_string_equal(dump->header.program, "unknown");
  assert_null(dump->header.host);
  assert_null(dump->header.rank);
  assert_int_equal(dump->header.arg_count, 0);
  hp_dump_close(dump);
}

/* 200000 arguments of 9 bytes, as a shell's glob gives. */
static void test_header_many_arguments(void **state) {
  (void)state;
  enum { COUNT = 200000 };
  char *arguments = malloc(COUNT * 10 + 1);
  assert_non_null(arguments);
  for (unsigned i = 0; i < COUNT; i++)
    snprintf(arguments + 10 * i, 11, "arg%06u", i);
  hp_double.arguments = arguments;
  hp_double.arguments_size = COUNT * 10;
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->header.arg_count, COUNT);
  assert_string_equal(dump->header.args[123456], "arg123456");
  hp_dump_close(dump);
  free(arguments);
}

/* ---- modules ------------------------------------------------------------- */

static const uint8_t build_id[] = {0xde, 0xad, 0, 0xbe, 0xef};
static const struct hp_sys_module program = {"/usr/bin/app", 0x555500000000,
                                             0x555500000000, 0x555500010000,
                                             build_id,       sizeof build_id};
static const struct hp_sys_module library = {
    "/lib/x.so", 0x7f0000000000, 0x7f0000001000, 0x7f0000009000, NULL, 0};
static const struct hp_sys_module library_elsewhere = {
    "/lib/x.so", 0x7f1000000000, 0x7f1000001000, 0x7f1000009000, NULL, 0};
static const struct hp_sys_module other_in_its_place = {
    "/lib/y.so", 0x7f0000000000, 0x7f0000000000, 0x7f0000005000, NULL, 0};

static void update_modules(uint64_t now, const struct hp_sys_module *list,
                           size_t count) {
  hp_double.now = now;
  hp_double.modules = list;
  hp_double.module_count = count;
  hp_modules_update();
  hp_fixture_mapped = hp_double.mapped_bytes;
}

static void same_module(const struct hp_dump_module *read,
                        const struct hp_sys_module *module, uint64_t loaded,
                        uint64_t unloaded) {
  assert_string_equal(read->path, module->path);
  assert_int_equal(read->bias, module->bias);
  assert_int_equal(read->start, module->start);
  assert_int_equal(read->end, module->end);
  assert_int_equal(read->build_id_size, module->build_id_size);
  if (module->build_id_size)
    assert_memory_equal(read->build_id, module->build_id,
                        module->build_id_size);
  assert_int_equal(read->loaded, loaded);
  assert_int_equal(read->unloaded, unloaded);
}

/* The table is the process's: this test runs first, and each step sees what
   the steps before left. */
static void test_modules(void **state) {
  (void)state;
  hp_clock_window_start = 1000;
  update_modules(900, &program, 1);
  update_modules(1500, (const struct hp_sys_module[]){program, library}, 2);
  update_modules(2000, (const struct hp_sys_module[]){program, library}, 2);
  update_modules(3000, &program, 1);
  update_modules(4000,
                 (const struct hp_sys_module[]){program, library_elsewhere}, 2);
  update_modules(
      5000, (const struct hp_sys_module[]){program, library_elsewhere, library},
      3);
  update_modules(
      6000, (const struct hp_sys_module[]){program, other_in_its_place}, 2);

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->module_count, 5);
  same_module(&dump->modules[0], &program, 0, UINT64_MAX);
  /* Between the updates at 900 and 1500 it came, between 2000 and 3000 it
     went. */
  same_module(&dump->modules[1], &library, 0, 2000);
  same_module(&dump->modules[2], &library_elsewhere, 2000, 5000);
  /* It went, and another lies where it lay: their epochs do not overlap. */
  same_module(&dump->modules[3], &library, 3000, 4000);
  same_module(&dump->modules[4], &other_in_its_place, 4000, UINT64_MAX);
  hp_dump_close(dump);
}

static void test_module_with_other_build_id_is_another(void **state) {
  (void)state;
  static const uint8_t rebuilt[] = {1, 2, 3};
  struct hp_sys_module again = program;
  update_modules(7000, &program, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  size_t count = dump->module_count;
  hp_dump_close(dump);

  again.build_id = rebuilt;
  again.build_id_size = sizeof rebuilt;
  hp_double_process(43);
  update_modules(8000, &again, 1);
  hp_fixture_write(NULL);
  dump = hp_fixture_read("heapprof.app.43");
  assert_int_equal(dump->module_count, count + 1);
  same_module(&dump->modules[count], &again, 7000, UINT64_MAX);
  assert_int_equal(dump->modules[0].unloaded, 7000);
  hp_dump_close(dump);
}

/* A and B in turns at one place, C on part of it; 1 and 2 were given out by the
   tests before. */
static void test_frames_of_what_went_are_set_aside(void **state) {
  (void)state;
  struct hp_sys_module a = library, b = library, c = library;
  a.path = "/lib/a.so", b.path = "/lib/b.so", c.path = "/lib/c.so";
  a.start = b.start = 0x2000, a.end = b.end = 0x4000;
  c.start = 0x3000, c.end = 0x5000;
  const struct {
    const struct hp_sys_module *module; /* NULL: nothing */
    const char *expected;
  } steps[] = {
      {&a, ""},
      {NULL, ""},
      {&a, ""}, /* the same again */
      {NULL, ""},
      {&b, "2000-4000 as 3, "},
      {NULL, ""},
      {&a, "2000-4000 as 4, 3 back, "},
      {&b, "2000-4000 as 3, 4 back, "}, /* with no update between */
      {NULL, ""},
      {&b, "4 back, "}, /* which finds nothing */
      {NULL, ""},
      {&c, "2000-4000 as 4, "},
      {NULL, ""},
      {&a, "3000-5000 as 5, 3 back, "},
      {NULL, ""},
  };
  for (size_t i = 0; i < LENGTH(steps); i++) {
    hp_double.set_aside[0] = 0;
    update_modules(9000 + i, steps[i].module, steps[i].module != NULL);
    assert_string_equal(hp_double.set_aside, steps[i].expected);
  }
}

/* ---- points -------------------------------------------------------------- */

static void test_points(void **state) {
  (void)state;
  const uint64_t stack[] = {0x555500001234, 0x7fffffffffff, 1, UINT64_MAX, 0};
  hp_double_point(stack, LENGTH(stack), true, HP_ENTRY_NEW_ARRAY);
  hp_double_point(stack, 0, false, HP_ENTRY_UNKNOWN);
  hp_double_point(stack + 1, 2, false, HP_ENTRY_MALLOC);

  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_dump_point *point = hp_fixture_point(dump, 1);
  assert_int_equal(dump->end.points, 3);
  assert_int_equal(point->stack_count, LENGTH(stack));
  assert_memory_equal(point->stack, stack, sizeof stack);
  assert_int_equal(point->truncated, 1);
  assert_int_equal(point->function, HP_ENTRY_NEW_ARRAY);
  assert_null(point->type);
  point = hp_fixture_point(dump, 2);
  assert_int_equal(point->stack_count, 0);
  assert_int_equal(point->truncated, 0);
  assert_int_equal(point->function, HP_ENTRY_UNKNOWN);
  point = hp_fixture_point(dump, 3);
  assert_int_equal(point->stack_count, 2);
  assert_memory_equal(point->stack, stack + 1, 2 * sizeof *stack);
  assert_int_equal(point->function, HP_ENTRY_MALLOC);
  hp_dump_close(dump);
}

static void test_points_100000(void **state) {
  (void)state;
  enum { COUNT = 100000, DEPTH = 30 };
  for (uint64_t i = 0; i < COUNT; i++) {
    uint64_t stack[DEPTH];
    for (uint64_t frame = 0; frame < DEPTH; frame++)
      stack[frame] = 0x400000 + i * (frame + 1) * 7919;
    hp_double_point(stack, 1 + i % DEPTH, false, HP_ENTRY_MALLOC);
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->point_count, COUNT + 1); /* the reader adds point 0 */
  for (uint64_t i = 0; i < COUNT; i++) {
    const struct hp_dump_point *point = &dump->points[i + 1];
    assert_int_equal(point->id, i + 1);
    assert_int_equal(point->stack_count, 1 + i % DEPTH);
    for (uint64_t frame = 0; frame < point->stack_count; frame++)
      assert_int_equal(point->stack[frame], 0x400000 + i * (frame + 1) * 7919);
  }
  hp_dump_close(dump);
}

/* ---- chunks -------------------------------------------------------------- */

static void test_chunk_fields(void **state) {
  (void)state;
  const uint64_t start = 5000000000000; /* ticks: a day's uptime */
  const struct hp_chunk_log chunks[] = {
      {.weight = 1, .t0 = start, .t1 = start, .point = 1, .thread = 1},
      /* above 4 GiB, saturated */
      {.weight = 1,
       .t0 = start + 1,
       .t1 = start + (1ull << 62),
       .first = start + 2,
       .last = start + (1ull << 61),
       .size = (1ull << 47) - 1,
       .lo = (1ull << 33) + 7,
       .hi = (1ull << 47) - 1,
       .reads = UINT64_MAX,
       .writes = UINT64_MAX,
       .free_pc = UINT64_MAX,
       .point = 1,
       .thread = UINT32_MAX,
       .free_thread = UINT32_MAX,
       .flags = HP_CHUNK_ZEROED | HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN |
                HP_CHUNK_REALLOC | HP_CHUNK_EXACT},
      /* clocks of two cores disagree: every difference is negative */
      {.weight = 1,
       .t0 = start + 1000,
       .t1 = start + 990,
       .first = start + 900,
       .last = start + 800,
       .size = 16,
       .lo = 0,
       .hi = 16,
       .writes = 1,
       .free_pc = 0x400010,
       .point = 1,
       .thread = 2,
       .free_thread = 1},
      /* zero size, read at its own time */
      {.weight = 1,
       .t0 = start + 2000,
       .t1 = start + 2000,
       .first = start + 2000,
       .last = start + 2000,
       .reads = 1,
       .free_pc = 0x400020,
       .point = 1,
       .thread = 2,
       .free_thread = 2},
      /* never accessed: its times mean nothing and are not kept */
      {.weight = 1,
       .t0 = start + 3000,
       .t1 = start + 4000,
       .first = start + 3500,
       .last = start + 3600,
       .size = 24,
       .free_pc = 0x400030,
       .point = 1,
       .thread = 1,
       .free_thread = 1},
  };
  hp_clock_window_start = start;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(chunks, LENGTH(chunks));
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunks *read = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(read->count, LENGTH(chunks));
  const struct hp_chunk_log *items = hp_chunk_items(read);
  for (size_t i = 0; i < LENGTH(chunks); i++)
    hp_fixture_same_chunk(&chunks[i], start, &items[i]);
  hp_dump_close(dump);
}

/* The coarse clock may lag behind the window's start by a step. */
static void test_access_before_the_window(void **state) {
  (void)state;
  const struct hp_chunk_log chunk = {.weight = 1,
                                     .t0 = 1000,
                                     .t1 = 1010,
                                     .first = 990,
                                     .last = 1005,
                                     .reads = 1,
                                     .point = 1,
                                     .thread = 1};
  hp_clock_window_start = 1000;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(&chunk, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  const struct hp_chunk_log *items =
      hp_chunk_items(&hp_fixture_point(dump, 1)->chunks);
  assert_int_equal(items[0].first, 0);
  assert_int_equal(items[0].last, 5);
  hp_dump_close(dump);
}

static void test_no_chunk(void **state) {
  (void)state;
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.chunks, 0);
  assert_int_equal(dump->end.chunk_files, 0);
  assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, 0);
  hp_dump_close(dump);
  assert_int_equal(access(hp_fixture_path("heapprof.app.42/chunks/log"), F_OK),
                   -1);
}

/* Chunks of several points, in several blocks, and 7 without a point. */
static void test_points_of_chunks(void **state) {
  (void)state;
  const size_t counts[] = {7, 4095, 4096, 5000, 1};
  size_t all = 0;
  for (uint32_t point = 0; point < LENGTH(counts); point++) {
    if (point)
      hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
    for (size_t i = 0; i < counts[point]; i++) {
      /* Those of a point come in reverse. */
      struct hp_chunk_log chunk = {.weight = 1,
                                   .t0 = 1000 - i / 7,
                                   .t1 = 1000,
                                   .size = i,
                                   .point = point,
                                   .thread = (uint32_t)(9 - i % 7)};
      hp_log_append(&chunk);
      all++;
    }
  }
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.chunks, all);
  assert_int_equal(dump->end.chunk_files, 1);
  for (uint32_t point = 0; point < LENGTH(counts); point++) {
    const struct hp_chunks *chunks = &hp_fixture_point(dump, point)->chunks;
    assert_int_equal(chunks->count, counts[point]);
    const struct hp_chunk_log *items = hp_chunk_items(chunks);
    for (size_t i = 0; i < chunks->count; i++)
      assert_int_equal(items[i].size, counts[point] - 1 - i);
  }
  hp_dump_close(dump);
}

static void test_live_chunks(void **state) {
  (void)state;
  enum { COUNT = 25000 }; /* more than a block of 1 MiB holds twice */
  static struct hp_chunk_log live[COUNT];
  const struct hp_chunk_log ended = {.weight = 1,
                                     .t0 = COUNT / 2,
                                     .t1 = COUNT,
                                     .size = 77,
                                     .point = 1,
                                     .thread = 2};
  const struct hp_dump_totals totals = {.reason = "exit", .end = 1000000};
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (unsigned i = 0; i < COUNT; i++)
    live[i] = (struct hp_chunk_log){
        .weight = 1, .t0 = COUNT - i, .size = i, .point = 1, .thread = 1};
  hp_double_live(live, COUNT);
  hp_fixture_log(&ended, 1);
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  const struct hp_chunks *chunks = &hp_fixture_point(dump, 1)->chunks;
  assert_int_equal(chunks->count, COUNT + 1);
  const struct hp_chunk_log *items = hp_chunk_items(chunks);
  for (unsigned i = 0; i < COUNT; i++) {
    /* t0 = 1, 2, ...; the ended one comes behind that of equal t0. */
    const struct hp_chunk_log *chunk = &items[i < COUNT / 2 ? i : i + 1];
    assert_int_equal(chunk->t0, i + 1);
    assert_int_equal(chunk->size, COUNT - 1 - i);
    assert_int_equal(chunk->t1, 1000000);
    assert_int_equal(chunk->flags, HP_CHUNK_LIVE);
  }
  assert_int_equal(items[COUNT / 2].size, 77);
  assert_int_equal(items[COUNT / 2].flags, 0);
  hp_dump_close(dump);
}

/* Records that contradict what began and ended: of an end that was counted, and
   of a chunk that never began.  Their points' live chunks count as unknown. */
static void test_live_chunks_in_doubt(void **state) {
  (void)state;
  static const struct hp_chunk_log live[] = {
      {.weight = 1, .t0 = 1, .size = 10, .point = 1, .thread = 1},
      {.weight = 1, .t0 = 2, .size = 20, .point = 2, .thread = 1},
      {.weight = 1, .t0 = 3, .size = 30, .point = 2, .thread = 1},
      {.weight = 1, .t0 = 4, .size = 40, .point = 3, .thread = 1}};
  struct hp_chunk_log ended = live[2];
  ended.t1 = 5;
  for (unsigned i = 0; i < 3; i++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_double_live(live, LENGTH(live));
  assert_true(hp_aggregate_start(1000, false));
  for (unsigned i = 0; i < 3; i++)
    hp_aggregate_begin(live[i].point, live[i].t0, live[i].size, 1);
  hp_aggregate_end(&ended);
  hp_fixture_log(&ended, 1);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->end.unsettled_chunks, 2 + 1);
  const size_t logged[] = {1, 1, 0};
  for (uint32_t point = 1; point <= 3; point++)
    assert_int_equal(hp_fixture_point(dump, point)->chunks.count,
                     logged[point - 1]);
  const struct hp_summary *certain = hp_fixture_point(dump, 1)->summary;
  assert_int_equal(certain->class_count, 1);
  assert_int_equal(certain->classes[0].classes, HP_CLASS_LIVE);
  const struct hp_summary *doubtful = hp_fixture_point(dump, 2)->summary;
  assert_int_equal(doubtful->chunks, 2);
  assert_int_equal(doubtful->bytes, 50);
  assert_int_equal(doubtful->class_count, 2);
  assert_int_equal(doubtful->classes[1].classes,
                   HP_CLASS_LIVE | HP_CLASS_UNKNOWN | HP_CLASS_READ |
                       HP_CLASS_WRITTEN);
  assert_int_equal(doubtful->classes[1].chunks, 1);
  assert_int_equal(doubtful->classes[1].bytes, 20);
  hp_dump_close(dump);
}

static uint64_t random_word(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 16;
}

static int by_point_and_time(const void *a, const void *b) {
  const struct hp_chunk_log *x = a, *y = b;
  if (x->point != y->point)
    return x->point < y->point ? -1 : 1;
  if (x->t0 != y->t0)
    return x->t0 < y->t0 ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* 300000 random chunks of 50 points: several blocks a file. */
static void test_many_random_chunks(void **state) {
  (void)state;
  enum { COUNT = 300000, POINTS = 50 };
  struct hp_chunk_log *chunks = calloc(COUNT, sizeof *chunks);
  uint64_t seed = 1;
  assert_non_null(chunks);
  for (size_t i = 0; i < COUNT; i++) {
    struct hp_chunk_log *chunk = &chunks[i];
    unsigned bits = (unsigned)(random_word(&seed) % 40);
    /* i in it: no two are equal in (t0, thread), so that qsort will do. */
    chunk->t0 = 1 + (random_word(&seed) % 1000) * COUNT + i;
    chunk->t1 = chunk->t0 + (random_word(&seed) >> bits);
    chunk->weight = 1;
    chunk->size = random_word(&seed) >> bits;
    chunk->reads = random_word(&seed) >> bits;
    if (chunk->reads) {
      chunk->first = chunk->t0 + random_word(&seed) % 1000;
      chunk->last = chunk->first + random_word(&seed) % 1000;
    }
    chunk->hi = chunk->lo + random_word(&seed) % 5;
    chunk->free_pc = random_word(&seed);
    chunk->flags = random_word(&seed) % 64;
    chunk->thread = (uint32_t)(random_word(&seed) % 4 + 1);
    chunk->free_thread = (uint32_t)(random_word(&seed) % 4);
    /* Low points get many, high ones few. */
    chunk->point = (uint32_t)((random_word(&seed) % POINTS) *
                              (random_word(&seed) % POINTS) / POINTS);
  }
  for (uint32_t i = 1; i < POINTS; i++)
    hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  hp_fixture_log(chunks, COUNT);
  struct hp_dump *dump = hp_fixture_round_trip(NULL);
  qsort(chunks, COUNT, sizeof *chunks, by_point_and_time);
  size_t at = 0;
  for (uint32_t point = 0; point < POINTS; point++) {
    const struct hp_chunks *read = &hp_fixture_point(dump, point)->chunks;
    const struct hp_chunk_log *items = hp_chunk_items(read);
    for (size_t i = 0; i < read->count; i++, at++) {
      assert_int_equal(chunks[at].point, point);
      hp_fixture_same_chunk(&chunks[at], 0, &items[i]);
    }
  }
  assert_int_equal(at, COUNT);
  hp_dump_close(dump);
  assert_true(hp_fixture_whole_blocks("heapprof.app.42") > POINTS / 2);
  free(chunks);
}

static void test_compression_levels(void **state) {
  (void)state;
  const int levels[] = {0, 1, 6, 9, -1, 99};
  struct hp_chunk_log chunks[1000];
  off_t sizes[LENGTH(levels)];
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  for (unsigned i = 0; i < LENGTH(chunks); i++)
    chunks[i] = (struct hp_chunk_log){
        .weight = 1, .t0 = i, .t1 = i + 5, .point = 1, .thread = 1};
  for (unsigned i = 0; i < LENGTH(levels); i++) {
    char name[64];
    struct stat status;
    hp_double_process((int)i + 1);
    hp_options.dump_compression = levels[i];
    hp_fixture_log(chunks, LENGTH(chunks));
    hp_fixture_write(NULL);
    snprintf(name, sizeof name, "heapprof.app.%u", i + 1);
    struct hp_dump *dump = hp_fixture_read(name);
    assert_int_equal(hp_fixture_point(dump, 1)->chunks.count, LENGTH(chunks));
    hp_dump_close(dump);
    snprintf(name, sizeof name, "heapprof.app.%u/chunks/log", i + 1);
    assert_int_equal(stat(hp_fixture_path(name), &status), 0);
    sizes[i] = status.st_size;
  }
  assert_true(sizes[0] > 13 * 1000); /* 13 columns, none compressed */
  assert_true(sizes[1] < sizes[0] / 10);
}

/* ---- end ----------------------------------------------------------------- */

static void test_end(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {
      .reason = "signal 9",
      .exit_status = 255,
      .end = 10007,
      .allocations = 1,
      .frees = 2,
      .failed_requests = 3,
      .failed_bytes = UINT64_MAX,
      .inherited_frees = 5,
      .invalid_frees = 6,
      .threads = 7,
      .peak_bytes = 8,
      .peak_chunks = 9,
      .peak_time = 4,
      .dropped_points = 11,
      .allocator_ticks = 12,
  };
  hp_clock_window_start = 10000;
  hp_double.tick_max = 13;
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  const struct hp_dump_end *end = &dump->end;
  assert_int_equal(end->end, 7);
  assert_string_equal(end->reason, "signal 9");
  assert_true(end->has_exit_status);
  assert_int_equal(end->exit_status, 255);
  assert_int_equal(end->allocations, 1);
  assert_int_equal(end->frees, 2);
  assert_int_equal(end->failed_requests, 3);
  assert_int_equal(end->failed_bytes, UINT64_MAX);
  assert_int_equal(end->inherited_frees, 5);
  assert_int_equal(end->invalid_frees, 6);
  assert_int_equal(end->threads, 7);
  assert_int_equal(end->peak_bytes, 8);
  assert_int_equal(end->peak_chunks, 9);
  assert_int_equal(end->peak_time, 4);
  assert_int_equal(end->tick_max, 13);
  assert_int_equal(end->points, 0);
  assert_int_equal(end->dropped_points, 11);
  assert_int_equal(end->dropped_chunks, 0);
  assert_int_equal(end->allocator_ticks, 12);
  hp_dump_close(dump);
}

static void test_end_without_exit_status(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {.reason = "signal 6",
                                        .exit_status = -1};
  struct hp_dump *dump = hp_fixture_round_trip(&totals);
  assert_false(dump->end.has_exit_status);
  hp_dump_close(dump);
}

/* ---- checkpoints ---------------------------------------------------------- */

static void checkpoint(const struct hp_dump_totals *totals) {
  hp_dump_take(HP_DUMP_CHECKPOINT, totals, &hp_double_live_chunks);
  hp_dump_write_checkpoint();
}

/* Points that come later are appended; the load map is written anew. */
static void test_checkpoint(void **state) {
  (void)state;
  const struct hp_dump_totals totals = {
      .reason = "checkpoint", .exit_status = -1, .end = 100};
  struct hp_dump *dump;
  checkpoint(&totals); /* of no point yet */
  hp_double_point(NULL, 0, false, HP_ENTRY_MALLOC);
  checkpoint(&totals);
  dump = hp_fixture_read("heapprof.app.42");
  assert_false(dump->complete);
  assert_int_equal(dump->point_count, 2); /* and that without a stack */
  hp_dump_close(dump);
  hp_double_point(NULL, 0, false, HP_ENTRY_CALLOC);
  checkpoint(&totals);
  dump = hp_fixture_read("heapprof.app.42");
  assert_int_equal(dump->point_count, 3);
  hp_dump_close(dump);
  hp_double_point(NULL, 0, false, HP_ENTRY_NEW);
  dump = hp_fixture_round_trip(NULL);
  assert_int_equal(dump->point_count, 4);
  assert_int_equal(dump->end.points, 3);
  hp_dump_close(dump);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, hp_fixture_begin, hp_fixture_end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_modules),
      TEST(test_module_with_other_build_id_is_another),
      TEST(test_frames_of_what_went_are_set_aside),
      TEST(test_header),
      TEST(test_header_options),
      TEST(test_header_of_a_process_nothing_is_known_of),
      TEST(test_header_many_arguments),
      TEST(test_points),
      TEST(test_points_100000),
      TEST(test_chunk_fields),
      TEST(test_access_before_the_window),
      TEST(test_no_chunk),
      TEST(test_points_of_chunks),
      TEST(test_live_chunks),
      TEST(test_live_chunks_in_doubt),
      TEST(test_many_random_chunks),
      TEST(test_compression_levels),
      TEST(test_end),
      TEST(test_end_without_exit_status),
      TEST(test_checkpoint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
