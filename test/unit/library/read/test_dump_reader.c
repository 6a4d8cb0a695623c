/* test_dump_reader.c - the reader against every change of a small dump.
   Never a crash, never HP_OK with numbers that silently differ.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chunk_items.h"
#include "dump_builder.h"
#include "profile_text.h"
#include "read/dump_reader.h"

/* ---- the small dump ------------------------------------------------------ */

static const uint64_t stack_one[] = {0x401005, 0x402007, 0x7f0000001009};
static const uint64_t stack_two[] = {0x401105, 0x402007};
static const struct hp_build_module modules[] = {
    {"/bin/app", 0x400000, 0x400000, 0x410000, 0, 0},
    {"/lib/lib.so", 0x7f0000000000, 0x7f0000000000, 0x7f0000010000, 1, 900}};
static const struct hp_build_point points[] = {
    {1, stack_one, 3, "struct node", HP_PROVENANCE_ARGUMENT},
    {2, stack_two, 2, NULL, 0}};
/* One that took over from no other. */
#define CHUNK(...) {__VA_ARGS__, 1, 0, 0, 0, 0, 0, 0}
static const struct hp_chunk_log chunks[] = {
    CHUNK(10, 90, 12, 80, 32, 0, 32, 3, 2, 0x401200, 1, 1, 1, HP_CHUNK_EXACT,
          0),
    CHUNK(20, 500, 30, 400, 48, 8, 16, 1, 1, 0x401200, 1, 1, 2, 0, 0),
    CHUNK(5, 1000, 0, 0, 7, 0, 0, 0, 0, 0, 2, 1, 0, HP_CHUNK_LIVE, 0),
    CHUNK(40, 45, 41, 44, 5ull << 32, 0, 64, UINT64_MAX, 1, 0x401300, 2, 2, 1,
          HP_CHUNK_MULTITHREAD, 7)};

static const struct hp_build small = {.window = 1000,
                                      .tick_max = 3,
                                      .peak_bytes = (5ull << 32) + 87,
                                      .modules = modules,
                                      .module_count = 2,
                                      .points = points,
                                      .point_count = 2,
                                      .chunks = chunks,
                                      .chunk_count = 4};

/* The builder takes a weight of 0 for 1, a step of 0 for tick_max. */
static void assert_same_chunk(const struct hp_chunk_log *read,
                              const struct hp_chunk_log *written) {
  struct hp_chunk_log expected = *written;
  expected.weight = expected.weight ? expected.weight : 1;
  expected.step = expected.step ? expected.step : 3;
  expected.point = 0; /* not kept: the chunks are that point's */
  assert_memory_equal(read, &expected, sizeof expected);
}

/* The files of an image, by name. */
enum { FILE_COUNT = 5 };
static const char *const file_names[FILE_COUNT] = {"header", "modules",
                                                   "points", "chunks/0", "end"};
static struct hp_bytes *image_file(struct hp_image *image, int i) {
  struct hp_bytes *const files[FILE_COUNT] = {&image->header, &image->modules,
                                              &image->points, &image->chunks,
                                              &image->end};
  return files[i];
}

static hp_status open_dump(const char *path, hp_profile **profile,
                           struct hp_error *error) {
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  error->status = HP_OK;
  error->text[0] = 0;
  const hp_status status = hp_profile_open(profile, &path, 1, &o, error);
  if (status != HP_OK) {
    assert_null(*profile);
    assert_int_equal(error->status, status);
    assert_true(strlen(error->text) > 10);
    assert_null(strchr(error->text, '\n'));
  }
  return status;
}

static hp_status status_of(const char *path, struct hp_error *error) {
  hp_profile *profile;
  const hp_status status = open_dump(path, &profile, error);
  hp_profile_close(profile);
  return status;
}

/* A scratch directory with the dump of BUILD in it, and its image. */
struct fixture {
  char *scratch, dump[4096];
  struct hp_image image;
};

static void begin(struct fixture *f, const struct hp_build *build) {
  f->scratch = hp_scratch_make();
  snprintf(f->dump, sizeof f->dump, "%s/heapprof.app.1", f->scratch);
  hp_build_image(build, &f->image);
  hp_image_write(&f->image, f->dump);
}

static void finish(struct fixture *f) {
  hp_image_free(&f->image);
  hp_scratch_remove(f->scratch);
}

static char *path_in(const struct fixture *f, const char *name) {
  static char path[4096 + 64];
  snprintf(path, sizeof path, "%s/%s", f->dump, name);
  return path;
}

/* ---- whole dumps --------------------------------------------------------- */

static void small_dump_is_read_whole(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  struct hp_dump *dump;
  struct hp_error error;
  assert_int_equal(hp_dump_read(&dump, f.dump, &error), HP_OK);
  assert_true(dump->complete);
  assert_string_equal(dump->header.program, "app");
  assert_int_equal(dump->module_count, 2);
  assert_string_equal(dump->modules[1].path, "/lib/lib.so");
  assert_int_equal(dump->modules[1].unloaded, 900);
  assert_true(dump->modules[0].unloaded == UINT64_MAX);
  assert_memory_equal(dump->modules[0].build_id, "\1\2\3\4", 4);
  assert_int_equal(dump->point_count, 3); /* and point 0 */
  assert_memory_equal(dump->points[1].stack, stack_one, sizeof stack_one);
  assert_string_equal(dump->points[1].type, "struct node");
  assert_int_equal(dump->points[2].chunks.count, 2);
  /* All columns of all chunks, as they went in. */
  const struct hp_chunk_log *items = hp_chunk_items(&dump->points[1].chunks);
  assert_same_chunk(&items[0], &chunks[0]);
  assert_same_chunk(&items[1], &chunks[1]);
  items = hp_chunk_items(&dump->points[2].chunks);
  assert_same_chunk(&items[0], &chunks[2]);
  assert_same_chunk(&items[1], &chunks[3]);
  hp_dump_close(dump);
  finish(&f);
}

static char *fingerprint_of(const struct hp_build *build) {
  struct fixture f;
  begin(&f, build);
  hp_profile *profile;
  struct hp_error error;
  const hp_status status = open_dump(f.dump, &profile, &error);
  if (status != HP_OK)
    fail_msg("%s", error.text);
  char *text = hp_profile_text(profile);
  hp_profile_close(profile);
  finish(&f);
  return text;
}

static void unknown_kinds_tags_and_columns_are_skipped(void **state) {
  (void)state;
  struct hp_build strange = small, plain = small;
  strange.strange = true;
  plain.uncompressed = true;
  char *one = fingerprint_of(&small), *two = fingerprint_of(&strange),
       *three = fingerprint_of(&plain);
  assert_string_equal(one, two);
  assert_string_equal(one, three);
  free(one);
  free(two);
  free(three);
}

static void chunks_are_sorted_by_time_and_thread(void **state) {
  (void)state;
  const struct hp_chunk_log mixed[] = {
      {.t0 = 9, .t1 = 10, .size = 1, .point = 1, .thread = 1},
      {.t0 = 4, .t1 = 10, .size = 2, .point = 1, .thread = 2},
      {.t0 = 4, .t1 = 10, .size = 3, .point = 1, .thread = 1},
      {.t0 = 4, .t1 = 10, .size = 4, .point = 1, .thread = 2},
      {.t0 = 0, .t1 = 10, .size = 5, .point = 1, .thread = 3}};
  struct hp_build build = small;
  build.chunks = mixed;
  build.chunk_count = 5;
  struct fixture f;
  begin(&f, &build);
  struct hp_dump *dump;
  struct hp_error error;
  assert_int_equal(hp_dump_read(&dump, f.dump, &error), HP_OK);
  static const uint64_t sizes[] = {5, 3, 2, 4, 1};
  const struct hp_chunk_log *items = hp_chunk_items(&dump->points[1].chunks);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(items[i].size, sizes[i]);
  hp_dump_close(dump);
  finish(&f);
}

static void many_chunks_out_of_order_are_sorted_and_stable(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  struct hp_chunks sorted = {0};
  for (uint32_t i = 0; i < COUNT; i++) { /* size tells the logged order */
    const struct hp_chunk_log chunk = {
        .t0 = i * 7919u % 50, .size = i, .weight = 1, .thread = i % 3};
    assert_true(hp_chunks_add(&sorted, &chunk));
  }
  struct hp_error error;
  assert_int_equal(hp_chunks_sort(&sorted, &error), HP_OK);
  assert_int_equal(sorted.count, COUNT);
  assert_int_equal(sorted.first_t0, 0);
  const struct hp_chunk_log *items = hp_chunk_items(&sorted);
  for (size_t i = 1; i < COUNT; i++) {
    const struct hp_chunk_log *a = &items[i - 1], *b = &items[i];
    assert_true(a->t0 <= b->t0);
    if (a->t0 == b->t0) {
      assert_true(a->thread <= b->thread);
      if (a->thread == b->thread)
        assert_true(a->size < b->size);
    }
  }
  hp_chunks_free(&sorted);
}

/* Fields as large and as far apart as a file may have them, in runs that
   overlap. */
static void packed_chunks_come_back_as_they_were(void **state) {
  (void)state;
  enum { COUNT = 5000, RUNS = 7 };
  static struct hp_chunk_log all[COUNT];
  struct hp_chunks packed = {0};
  struct hp_error error;
  uint64_t seed = 1;
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t random[12];
    for (size_t k = 0; k < 12; k++) { /* of 0 to 63 bits */
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      random[k] = seed >> (1 + (seed >> 20) % 63);
    }
    bool accessed = random[5] || random[6];
    all[i] = (struct hp_chunk_log){.t0 = i % (COUNT / RUNS),
                                   .t1 = random[1],
                                   .first = accessed ? random[2] : 0,
                                   .last = accessed ? random[3] : 0,
                                   .size = random[4],
                                   .reads = i % 9 ? random[5] : UINT64_MAX,
                                   .writes = random[6],
                                   .lo = random[7] / 2,
                                   .hi = random[7],
                                   .free_pc = random[8],
                                   .step = (uint32_t)random[9],
                                   .weight = (uint32_t)random[10] | 1,
                                   .flags = (uint32_t)random[11] & 127,
                                   .thread = (uint32_t)(i / (COUNT / RUNS)),
                                   .free_thread = (uint32_t)random[0]};
    assert_true(hp_chunks_add(&packed, &all[i]));
  }
  assert_memory_equal(hp_chunk_items(&packed), all, sizeof all);
  assert_int_equal(hp_chunks_sort(&packed, &error), HP_OK);
  assert_int_equal(packed.size, packed.capacity);
  const struct hp_chunk_log *sorted = hp_chunk_items(&packed);
  for (size_t i = 0; i < COUNT; i++) {
    size_t run = sorted[i].thread, at = sorted[i].t0;
    assert_memory_equal(&sorted[i], &all[run * (COUNT / RUNS) + at],
                        sizeof *all);
    if (i)
      assert_true(sorted[i - 1].t0 < at ||
                  (sorted[i - 1].t0 == at && sorted[i - 1].thread < run));
  }
  struct hp_chunk_reader reader = hp_chunks_read(&packed);
  struct hp_chunk_log life;
  for (size_t i = 0; i < COUNT; i++) {
    assert_true(hp_chunks_next_life(&reader, &life));
    assert_int_equal(life.t0, sorted[i].t0);
    assert_true(life.t1 == sorted[i].t1);
    assert_true(life.size == sorted[i].size);
    assert_int_equal(life.weight, sorted[i].weight);
    assert_int_equal(life.flags, sorted[i].flags);
  }
  assert_false(hp_chunks_next_life(&reader, &life));
  hp_chunks_free(&packed);
}

static void empty_dump_is_a_dump(void **state) {
  (void)state;
  const struct hp_build nothing = {.window = 5};
  char *text = fingerprint_of(&nothing);
  assert_non_null(strstr(text, "app"));
  free(text);
}

/* ---- changed and cut ----------------------------------------------------- */

/* Opens the dump after a change and judges it: an error, or numbers equal to
   EXPECTED, or marked as incomplete. */
static void judge(const struct fixture *f, const char *expected,
                  const char *what, size_t at) {
  hp_profile *profile;
  struct hp_error error;
  if (open_dump(f->dump, &profile, &error) != HP_OK)
    return;
  char *text = hp_profile_text(profile);
  const bool marked = !hp_process_at(profile, 0)->complete;
  if (!marked && strcmp(text, expected) != 0)
    fail_msg("%s, byte %zu: silently different:\n%s", what, at, text);
  free(text);
  hp_profile_close(profile);
}

static void every_changed_byte(const struct hp_build *build) {
  struct fixture f;
  begin(&f, build);
  char *expected = fingerprint_of(build);
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t at = 0; at < file->size; at++)
      for (int change = 0; change < 3; change++) {
        const uint8_t before = file->data[at];
        static const uint8_t masks[] = {0xff, 0x01, 0x80};
        file->data[at] ^= masks[change];
        hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
        struct hp_error error;
        /* All bytes are covered by a checksum, so that none may pass. */
        if (!build->strange)
          assert_int_not_equal(status_of(f.dump, &error), HP_OK);
        judge(&f, expected, file_names[i], at);
        file->data[at] = before;
      }
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
  }
  free(expected);
  finish(&f);
}

static void every_changed_byte_is_noticed(void **state) {
  (void)state;
  every_changed_byte(&small);
}

static void every_changed_byte_is_noticed_uncompressed(void **state) {
  (void)state;
  struct hp_build plain = small;
  plain.uncompressed = true;
  every_changed_byte(&plain);
}

static void every_changed_byte_beside_unknown_blocks(void **state) {
  (void)state;
  struct hp_build strange = small;
  strange.strange = true;
  every_changed_byte(&strange);
}

static void every_length_is_noticed(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t size = 0; size < file->size; size++) {
      hp_file_write(path_in(&f, file_names[i]), file->data, size);
      hp_profile *profile;
      struct hp_error error;
      const hp_status status = open_dump(f.dump, &profile, &error);
      if (i == FILE_COUNT - 1) { /* a cut end record is none */
        assert_int_equal(status, HP_OK);
        assert_false(hp_process_at(profile, 0)->complete);
        assert_string_equal(hp_process_at(profile, 0)->ended, "killed");
        assert_int_equal(hp_profile_note_count(profile), 1);
      } else {
        assert_int_equal(status, HP_E_TRUNCATED);
        assert_non_null(strstr(error.text, f.dump));
      }
      hp_profile_close(profile);
    }
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
  }
  finish(&f);
}

static void every_length_after_a_kill_is_read_as_far_as_it_goes(void **state) {
  (void)state;
  struct hp_build killed = small;
  killed.no_end = true;
  struct fixture f;
  begin(&f, &killed);
  for (int i = 1; i < FILE_COUNT - 1; i++) {
    struct hp_bytes *file = image_file(&f.image, i);
    for (size_t size = 0; size <= file->size; size++) {
      hp_file_write(path_in(&f, file_names[i]), file->data, size);
      hp_profile *profile;
      struct hp_error error;
      if (open_dump(f.dump, &profile, &error) != HP_OK)
        fail_msg("%s cut at %zu: %s", file_names[i], size, error.text);
      assert_false(hp_process_at(profile, 0)->complete);
      hp_profile_close(profile);
    }
  }
  finish(&f);
}

static void every_added_byte_is_noticed(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  for (int i = 0; i < FILE_COUNT - 1; i++) {
    struct hp_bytes longer = {0};
    struct hp_bytes *file = image_file(&f.image, i);
    hp_put_bytes(&longer, file->data, file->size);
    hp_put_bytes(&longer, "HPB1", 4);
    hp_file_write(path_in(&f, file_names[i]), longer.data, longer.size);
    struct hp_error error;
    assert_int_equal(status_of(f.dump, &error), HP_E_TRUNCATED);
    hp_file_write(path_in(&f, file_names[i]), file->data, file->size);
    hp_bytes_free(&longer);
  }
  finish(&f);
}

static void missing_files_are_named(void **state) {
  (void)state;
  static const struct {
    const char *file, *word;
    hp_status status;
  } cases[] = {{"header", "dump", HP_E_NOT_DUMP},
               {"modules", "modules", HP_E_TRUNCATED},
               {"points", "points", HP_E_TRUNCATED},
               {"chunks/0", "chunk", HP_E_TRUNCATED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    begin(&f, &small);
    assert_int_equal(unlink(path_in(&f, cases[i].file)), 0);
    struct hp_error error;
    assert_int_equal(status_of(f.dump, &error), cases[i].status);
    assert_non_null(strstr(error.text, cases[i].word));
    finish(&f);
  }
}

static void missing_end_is_a_killed_process(void **state) {
  (void)state;
  struct hp_build killed = small;
  killed.no_end = true;
  struct fixture f;
  begin(&f, &killed);
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_dump(f.dump, &profile, &error), HP_OK);
  const struct hp_process *p = hp_process_at(profile, 0);
  assert_false(p->complete);
  assert_string_equal(p->ended, "killed");
  assert_int_equal(p->window_ns, 1000); /* the latest time seen */
  assert_int_equal(p->allocations, 4);
  assert_int_equal(p->frees, 3);
  assert_true(p->peak_bytes == (5ull << 32) + 87);
  assert_true(p->tick_max == UINT64_MAX);
  hp_profile_close(profile);
  finish(&f);
}

/* ---- hostile but with right checksums ------------------------------------ */

/* Writes file I of the small dump as one block of PAYLOAD and opens it. */
static hp_status with_payload(int i, uint16_t kind, uint32_t items,
                              struct hp_bytes *payload,
                              struct hp_error *error) {
  struct fixture f;
  struct hp_bytes file = {0};
  begin(&f, &small);
  hp_put_block(&file, kind, items, payload, false);
  hp_file_write(path_in(&f, file_names[i]), file.data, file.size);
  const hp_status status = status_of(f.dump, error);
  hp_bytes_free(&file);
  hp_bytes_free(payload);
  finish(&f);
  return status;
}

/* A CHUNKS payload of one run and ROOM bytes for its columns, all 0. */
static struct hp_bytes one_run(uint64_t width, uint64_t runs, uint64_t point,
                               uint64_t count, uint64_t weight, size_t room) {
  struct hp_bytes payload = {0};
  hp_put_varint(&payload, width);
  hp_put_varint(&payload, runs);
  hp_put_varint(&payload, point);
  hp_put_varint(&payload, count);
  hp_put_varint(&payload, weight);
  for (size_t i = 0; i < room; i++)
    hp_put_varint(&payload, 0);
  return payload;
}

/* What is said of that payload as a block of ITEMS chunks. */
static void require_corrupt(struct hp_bytes payload, uint64_t items,
                            const char *text) {
  struct hp_error error;
  assert_int_equal(
      with_payload(3, HP_BLOCK_CHUNKS, (uint32_t)items, &payload, &error),
      HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "chunks/0: offset 0"));
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

static void huge_count_of_chunks_is_refused(void **state) {
  (void)state;
  static const uint64_t counts[] = {2, 1000, UINT32_MAX};
  for (size_t i = 0; i < 3; i++)
    require_corrupt(
        one_run(HP_COLUMN_COUNT, 1, 1, counts[i], 1, HP_COLUMN_COUNT),
        counts[i], "do not fit");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, 1, 1, UINT64_MAX, 1, HP_COLUMN_COUNT),
      UINT32_MAX, "run of 18446744073709551615 chunks");
}

static void huge_count_of_runs_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 2, 1, 1, 1, 3), 1,
                  "run 1: impossible weight 0");
  require_corrupt(one_run(HP_COLUMN_COUNT, 1000, 1, 1, 1, HP_COLUMN_COUNT), 1,
                  "runs do not fit");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, UINT64_MAX, 1, 1, 1, HP_COLUMN_COUNT), 1,
      "runs do not fit");
}

static void odd_count_of_columns_is_refused(void **state) {
  (void)state;
  static const uint64_t widths[] = {0, 1, HP_COLUMNS_LEAST - 1};
  for (size_t i = 0; i < 3; i++)
    require_corrupt(one_run(widths[i], 1, 1, 1, 1, HP_COLUMN_COUNT), 1,
                    "columns instead of");
  require_corrupt(one_run(UINT64_MAX, 1, 1, 1, 1, HP_COLUMN_COUNT), 1,
                  "do not fit");
}

static void impossible_weight_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 1, 1, 0, HP_COLUMN_COUNT), 1,
                  "impossible weight 0");
  require_corrupt(
      one_run(HP_COLUMN_COUNT, 1, 1, 1, 1ull << 32, HP_COLUMN_COUNT), 1,
      "impossible weight 4294967296");
}

static void bytes_behind_the_columns_are_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 1, 1, 1, HP_COLUMN_COUNT + 1), 1,
                  "1 bytes behind");
}

static void chunk_of_an_unknown_point_is_refused(void **state) {
  (void)state;
  require_corrupt(one_run(HP_COLUMN_COUNT, 1, 77, 1, 1, HP_COLUMN_COUNT), 1,
                  "77");
}

static void impossible_columns_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    enum hp_chunk_column column;
    uint64_t value;
    const char *name;
  } cases[] = {{HP_COLUMN_t0, 1, "t0"}, /* zigzag of -1 */
               {HP_COLUMN_life, 1, "life"},
               {HP_COLUMN_thread, 1ull << 32, "thread"},
               {HP_COLUMN_free_thread, 1ull << 32, "free_thread"},
               {HP_COLUMN_step, 1ull << 33, "step"},
               {HP_COLUMN_first, 1, "first"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hp_bytes payload = one_run(HP_COLUMN_COUNT, 1, 1, 1, 1, 0);
    for (enum hp_chunk_column c = 0; c < HP_COLUMN_COUNT; c++)
      hp_put_varint(&payload, c == cases[i].column   ? cases[i].value
                              : c == HP_COLUMN_reads ? 1
                                                     : 0);
    require_corrupt(payload, 1, cases[i].name);
  }
}

static void wrong_item_counts_are_refused(void **state) {
  (void)state;
  static const uint16_t kinds[] = {HP_BLOCK_HEADER, HP_BLOCK_MODULES,
                                   HP_BLOCK_POINTS, HP_BLOCK_CHUNKS,
                                   HP_BLOCK_END};
  for (int i = 0; i < FILE_COUNT; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    if (kinds[i] == HP_BLOCK_CHUNKS) {
      hp_put_varint(&payload, HP_COLUMN_COUNT);
      hp_put_varint(&payload, 0); /* runs */
    }
    assert_int_equal(with_payload(i, kinds[i], 1, &payload, &error),
                     HP_E_CORRUPT);
  }
}

static void record_cut_inside_a_block_is_refused(void **state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++) {
    static const uint16_t kinds[] = {HP_BLOCK_HEADER, HP_BLOCK_MODULES,
                                     HP_BLOCK_POINTS, HP_BLOCK_CHUNKS,
                                     HP_BLOCK_END};
    struct hp_bytes payload = {0};
    struct hp_error error;
    hp_put_varint(&payload, 5);
    hp_put_varint(&payload, 100);
    hp_put_bytes(&payload, "abc", 3);
    assert_int_equal(with_payload(i, kinds[i], 1, &payload, &error),
                     HP_E_CORRUPT);
    assert_non_null(strstr(error.text, file_names[i]));
  }
}

static void header_without_a_clock_is_refused(void **state) {
  (void)state;
  static const uint64_t rates[] = {0, 10000000001u, UINT64_MAX};
  for (size_t i = 0; i < 3; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    hp_put_u64_field(&payload, HP_HEADER_ticks_per_second, rates[i]);
    assert_int_equal(with_payload(0, HP_BLOCK_HEADER, 1, &payload, &error),
                     HP_E_CORRUPT);
    assert_non_null(strstr(error.text, "ticks per second"));
  }
}

static void point_ids_are_checked(void **state) {
  (void)state;
  static const uint64_t ids[][2] = {{1, 1}, {0, 2}, {1, 1ull << 32}};
  for (size_t i = 0; i < 3; i++) {
    struct hp_bytes payload = {0};
    struct hp_error error;
    for (int k = 0; k < 2; k++) {
      struct hp_bytes record = {0};
      hp_put_u64_field(&record, HP_POINT_id, ids[i][k]);
      hp_put_varint(&payload, record.size);
      hp_put_bytes(&payload, record.data, record.size);
      hp_bytes_free(&record);
    }
    assert_int_equal(with_payload(2, HP_BLOCK_POINTS, 2, &payload, &error),
                     HP_E_CORRUPT);
  }
}

static void end_without_a_window_is_refused(void **state) {
  (void)state;
  struct hp_bytes payload = {0};
  struct hp_error error;
  hp_put_u64_field(&payload, HP_END_allocations, 4);
  assert_int_equal(with_payload(4, HP_BLOCK_END, 1, &payload, &error),
                   HP_E_CORRUPT);
}

static void block_of_another_kind_is_refused(void **state) {
  (void)state;
  struct hp_bytes payload = {0};
  struct hp_error error;
  assert_int_equal(with_payload(2, HP_BLOCK_MODULES, 0, &payload, &error),
                   HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "MODULES"));
}

/* Changes a field of the first block header of the header file and its CRC. */
static hp_status with_header_field(size_t at, uint32_t value, size_t size,
                                   struct hp_error *error) {
  struct fixture f;
  begin(&f, &small);
  struct hp_bytes *file = &f.image.header;
  for (size_t i = 0; i < size; i++)
    file->data[at + i] = (uint8_t)(value >> (8 * i));
  /* crc32 by way of the builder: the CRC of 28 bytes as a stored payload. */
  struct hp_bytes head = {0}, wrapped = {0};
  hp_put_bytes(&head, file->data, 28);
  hp_put_block(&wrapped, HP_BLOCK_HEADER, 0, &head, false);
  memcpy(file->data + 28, wrapped.data + 24, 4);
  hp_file_write(path_in(&f, "header"), file->data, file->size);
  const hp_status status = status_of(f.dump, error);
  hp_bytes_free(&head);
  hp_bytes_free(&wrapped);
  finish(&f);
  return status;
}

static void newer_version_is_named(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(4, HP_FORMAT_VERSION + 1, 2, &error),
                   HP_E_VERSION);
  assert_non_null(strstr(error.text, "newer heapprof"));
  assert_int_equal(with_header_field(12, 2, 4, &error), HP_E_VERSION);
}

static void older_version_is_named(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(4, 1, 2, &error), HP_E_VERSION);
  assert_non_null(strstr(error.text, "profile the program again"));
  assert_int_equal(with_header_field(4, 0, 2, &error), HP_E_VERSION);
}

static void huge_sizes_are_refused_without_memory_for_them(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(with_header_field(16, UINT32_MAX, 4, &error), HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, UINT32_MAX, 4, &error), HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, HP_BLOCK_RAW_MAX, 4, &error),
                   HP_E_CORRUPT);
  assert_int_equal(with_header_field(20, 1, 4, &error), HP_E_CORRUPT);
}

/* ---- what is no dump ----------------------------------------------------- */

static void no_dump_is_told_apart(void **state) {
  (void)state;
  struct hp_error error;
  char *scratch = hp_scratch_make();
  char path[4096];
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  snprintf(path, sizeof path, "%s/none", scratch);
  assert_int_equal(status_of(path, &error), HP_E_OPEN);
  assert_non_null(strstr(error.text, path));
  hp_file_write(path, "text", 4);
  assert_int_equal(status_of(path, &error), HP_E_NOT_DUMP);
  snprintf(path, sizeof path, "%s/header", scratch);
  hp_file_write(path, "text", 4);
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  hp_file_write(path, "a longer text that is no dump at all", 36);
  assert_int_equal(status_of(scratch, &error), HP_E_NOT_DUMP);
  hp_scratch_remove(scratch);
}

static void links_and_fifos_are_not_followed(void **state) {
  (void)state;
  struct fixture f;
  struct hp_error error;
  begin(&f, &small);
  char other[4096 + 64];
  snprintf(other, sizeof other, "%s/points", f.scratch);
  assert_int_equal(rename(path_in(&f, "points"), other), 0);
  assert_int_equal(symlink(other, path_in(&f, "points")), 0);
  assert_int_equal(status_of(f.dump, &error), HP_E_CORRUPT);
  assert_non_null(strstr(error.text, "symbolic link"));
  assert_int_equal(unlink(path_in(&f, "points")), 0);
  assert_int_equal(mkfifo(path_in(&f, "points"), 0666), 0);
  assert_int_equal(status_of(f.dump, &error), HP_E_CORRUPT);
  finish(&f);
}

static void directory_of_dumps_is_read_in_natural_order(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  struct hp_build other = small;
  static const int pids[] = {10, 9, 2};
  for (size_t i = 0; i < 3; i++) {
    char path[8192];
    snprintf(path, sizeof path, "%s/heapprof.app.%d", f.scratch, pids[i]);
    other.pid = (uint64_t)pids[i];
    hp_build_write(&other, path);
  }
  char path[8192];
  snprintf(path, sizeof path, "%s/heapprof.app.77", f.scratch);
  assert_int_equal(mkdir(path, 0777), 0); /* killed before it began */
  snprintf(path, sizeof path, "%s/heapprof.txt", f.scratch);
  hp_file_write(path, "no directory", 12);
  snprintf(path, sizeof path, "%s/heapprof.link", f.scratch);
  assert_int_equal(symlink(f.dump, path), 0);
  hp_profile *profile;
  struct hp_error error;
  assert_int_equal(open_dump(f.scratch, &profile, &error), HP_OK);
  assert_int_equal(hp_process_count(profile), 4);
  static const uint64_t order[] = {1, 2, 9, 10};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(hp_process_at(profile, i)->pid, order[i]);
  assert_null(hp_process_at(profile, 4));
  assert_int_equal(hp_profile_global(profile)->points, 8);
  hp_profile_close(profile);
  finish(&f);
}

static void dump_that_cannot_be_read_is_not_passed_over(void **state) {
  (void)state;
  struct fixture f;
  begin(&f, &small);
  char path[8192];
  snprintf(path, sizeof path, "%s/heapprof.app.2", f.scratch);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/heapprof.app.2/points", f.scratch);
  hp_file_write(path, "x", 1);
  struct hp_error error;
  assert_int_equal(status_of(f.scratch, &error), HP_E_NOT_DUMP);
  assert_non_null(strstr(error.text, "heapprof.app.2"));
  finish(&f);
}

static void control_characters_stay_out_of_messages(void **state) {
  (void)state;
  struct hp_error error;
  assert_int_equal(status_of("/no\nsuch\x1b[31m", &error), HP_E_OPEN);
  assert_null(strchr(error.text, '\x1b'));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_dump_is_read_whole),
      cmocka_unit_test(unknown_kinds_tags_and_columns_are_skipped),
      cmocka_unit_test(chunks_are_sorted_by_time_and_thread),
      cmocka_unit_test(many_chunks_out_of_order_are_sorted_and_stable),
      cmocka_unit_test(packed_chunks_come_back_as_they_were),
      cmocka_unit_test(empty_dump_is_a_dump),
      cmocka_unit_test(every_changed_byte_is_noticed),
      cmocka_unit_test(every_changed_byte_is_noticed_uncompressed),
      cmocka_unit_test(every_changed_byte_beside_unknown_blocks),
      cmocka_unit_test(every_length_is_noticed),
      cmocka_unit_test(every_length_after_a_kill_is_read_as_far_as_it_goes),
      cmocka_unit_test(every_added_byte_is_noticed),
      cmocka_unit_test(missing_files_are_named),
      cmocka_unit_test(missing_end_is_a_killed_process),
      cmocka_unit_test(huge_count_of_chunks_is_refused),
      cmocka_unit_test(huge_count_of_runs_is_refused),
      cmocka_unit_test(odd_count_of_columns_is_refused),
      cmocka_unit_test(impossible_weight_is_refused),
      cmocka_unit_test(bytes_behind_the_columns_are_refused),
      cmocka_unit_test(chunk_of_an_unknown_point_is_refused),
      cmocka_unit_test(impossible_columns_are_refused_by_name),
      cmocka_unit_test(wrong_item_counts_are_refused),
      cmocka_unit_test(record_cut_inside_a_block_is_refused),
      cmocka_unit_test(header_without_a_clock_is_refused),
      cmocka_unit_test(point_ids_are_checked),
      cmocka_unit_test(end_without_a_window_is_refused),
      cmocka_unit_test(block_of_another_kind_is_refused),
      cmocka_unit_test(newer_version_is_named),
      cmocka_unit_test(older_version_is_named),
      cmocka_unit_test(huge_sizes_are_refused_without_memory_for_them),
      cmocka_unit_test(no_dump_is_told_apart),
      cmocka_unit_test(links_and_fifos_are_not_followed),
      cmocka_unit_test(directory_of_dumps_is_read_in_natural_order),
      cmocka_unit_test(dump_that_cannot_be_read_is_not_passed_over),
      cmocka_unit_test(control_characters_stay_out_of_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
