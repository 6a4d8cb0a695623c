/* fuzz_dump.c - libFuzzer target: any bytes as a dump, opened, asked, reported.
   Checksums are put right here, so that the fuzzer gets behind them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "dump_builder.h"
#include "heapprof.h"
#include "heapprof_report.h"

/* The input is a row of pieces: part, form, size (2 bytes, little-endian),
   bytes.  FORM 0 is the bytes as they are, 1 a block of them, 2 a compressed
   block; the number of items is what the first byte says. */
enum { PIECE_HEAD = 4, PARTS = 10 };

static const uint16_t kinds[PARTS] = {
    HP_BLOCK_HEADER,    HP_BLOCK_MODULES,    HP_BLOCK_POINTS,   HP_BLOCK_CHUNKS,
    HP_BLOCK_END,       HP_BLOCK_AGGREGATES, HP_BLOCK_TIMELINE, HP_BLOCK_END,
    HP_BLOCK_PROCESSES, HP_BLOCK_FREES};

/* A count of items that is right more often than not. */
static uint32_t items_of(uint8_t form, size_t size) {
  return form / 4 < 32 ? form / 4 : (uint32_t)size;
}

static void fill(struct hp_image *image, const uint8_t *data, size_t size) {
  struct hp_bytes *files[PARTS] = {&image->header,     &image->modules,
                                   &image->points,     &image->chunks,
                                   &image->end,        &image->aggregates,
                                   &image->aggregates, &image->aggregates,
                                   &image->processes,  &image->aggregates};
  while (size >= PIECE_HEAD) {
    size_t length = (size_t)(data[2] | data[3] << 8);
    if (length > size - PIECE_HEAD)
      length = size - PIECE_HEAD;
    const int file = data[0] % PARTS;
    const uint8_t form = data[1];
    struct hp_bytes payload = {0};
    hp_put_bytes(&payload, data + PIECE_HEAD, length);
    if (form % 4 == 0)
      hp_put_bytes(files[file], payload.data, payload.size);
    else
      hp_put_block(files[file], kinds[file], items_of(form, length), &payload,
                   form % 4 == 2);
    hp_bytes_free(&payload);
    data += PIECE_HEAD + length;
    size -= PIECE_HEAD + length;
  }
  /* Without a header nothing else is looked at. */
  if (image->header.size == 0) {
    const struct hp_build nothing = {.window = 1, .no_end = true};
    struct hp_image other;
    hp_build_image(&nothing, &other);
    hp_put_bytes(&image->header, other.header.data, other.header.size);
    hp_image_free(&other);
  }
}

static void require(bool good) {
  if (!good)
    abort();
}

static bool in_unit_interval(double score) {
  return (score >= 0 && score <= 1) || score == HP_NULL_SCORE;
}

static void look_at_chunks(const hp_profile *profile,
                           const struct hp_point *point) {
  struct hp_chunk_view chunks[3];
  size_t begin = 0, n;
  while ((n = hp_point_chunks(profile, point, begin, chunks, 3)) > 0)
    begin += n;
  require(begin == point->logged_chunks || point->key);
}

static void look_at_intervals(const struct hp_process *process) {
  for (size_t i = 0; i < process->interval_count; i++)
    require(process->intervals[i].bytes_min <= process->intervals[i].bytes_max);
}

static void ask(hp_profile *profile, const char *by) {
  const struct hp_query query = {.sz = sizeof query, .by = by};
  const struct hp_point *const *points;
  size_t count;
  struct hp_error error;
  require(hp_profile_query(profile, &query, &points, &count, &error) == HP_OK);
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = points[i];
    require(in_unit_interval(p->scores.lifetime));
    require(in_unit_interval(p->scores.usage));
    require(in_unit_interval(p->scores.useful_lifetime));
    require(in_unit_interval(p->severity));
    require(p->peak_bytes <= p->bytes);
    require(p->live_chunks <= p->chunks);
    look_at_chunks(profile, p);
  }
}

/* With all findings; to nowhere. */
static void report(hp_profile *profile) {
  const struct hp_report_options o = {
      .sz = sizeof o, .document_only = true, .no_sources = true};
  struct hp_error error;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  require(out && hp_report_write(out, profile, &o, &error) == HP_OK);
  require(fclose(out) == 0 && size > 0 && !memchr(text, '<', size));
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char *scratch;
  if (!scratch)
    scratch = hp_scratch_make();
  struct hp_image image = {0};
  fill(&image, data, size);
  hp_image_write(&image, scratch);
  hp_image_free(&image);
  const char *const paths[] = {scratch};
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  hp_profile *profile;
  struct hp_error error;
  if (hp_profile_open(&profile, paths, 1, &o, &error) != HP_OK) {
    require(error.status != HP_OK && strlen(error.text) > 0);
    return 0;
  }
  look_at_intervals(hp_process_at(profile, 0));
  ask(profile, NULL);
  ask(profile, "type");
  ask(profile, "module");
  report(profile);
  hp_profile_close(profile);
  return 0;
}
