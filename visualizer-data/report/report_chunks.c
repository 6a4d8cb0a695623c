/* report_chunks.c - see report_chunks.h: a column is LEB128 numbers; all are deflated and written in base64.
   Columns compress to a third of what rows do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_chunks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/numbered_text.h"
#include "chunk_measure.h"
#include "measure/metric.h"
#include "profile/profile_inside.h"
#include "query/set_free.h"

/* In this order they are in the page, which names them likewise. */
enum column {
  BEGUN, /* ticks since the row's chunk before it began */
  LIFE,  /* ticks */
  FLAGS, /* bit 0: live, bit 1: accessed */
  SIZE,
  THREAD,
  FREE_THREAD,
  READS,
  WRITES,
  INTERVAL, /* bytes */
  FIRST,    /* ticks since it began */
  LAST,     /* ticks since the first access */
  FREED,    /* 1 + number of where; 0: not known, or live */
  WEIGHT,
  COLUMNS
};

struct packing {
  struct hp_report_attempt *r;
  FILE *out[COLUMNS];
  char *text[COLUMNS];
  size_t size[COLUMNS];
  struct hp_frees *frees;    /* of each process */
  struct hp_numbered places; /* texts: see place_text */
};

/* A point's view is the first member of what the library keeps of it. */
static const struct hp_profile_point *inside_of(const struct hp_point *point) {
  return (const struct hp_profile_point *)point;
}

/* ---- columns ------------------------------------------------------------- */

static void put_number(struct packing *p, enum column column, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    putc((int)(value & 0x7f) | 0x80, p->out[column]);
  putc((int)value, p->out[column]);
}

static uint64_t since(uint64_t time, uint64_t begin) {
  return time > begin ? time - begin : 0;
}

/* 1 if that is the whole stack, the site, then the frames, by their numbers. */
static char *place_text(struct packing *p, const struct hp_free_place *place) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%d", place->is_whole);
  for (size_t i = 0; i <= place->count; i++) {
    const struct hp_frame *frame = i ? place->frames[i - 1] : place->site;
    const int64_t number = hp_report_frame(p->r->names, frame);
    p->r->failed = p->r->failed || number == HP_NAME_FULL;
    fprintf(out, " %" PRId64, number);
  }
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

/* Many places say the same. */
static bool keep_place(struct packing *p, const struct hp_free_place *place) {
  char *text = place_text(p, place);
  const size_t number = text ? hp_number_of(&p->places, text) : HP_NO_NUMBER;
  free(text);
  *place->number = number == HP_NO_NUMBER ? 0 : number + 1;
  return number != HP_NO_NUMBER;
}

static uint64_t freed_at(struct packing *p,
                         const struct hp_profile_point *point,
                         const struct hp_chunk_log *c) {
  if (c->flags & HP_CHUNK_LIVE || !c->free_pc)
    return 0;
  struct hp_free_place place;
  struct hp_frees *frees = &p->frees[point->process - p->r->profile->processes];
  if (!hp_set_free_place(frees, p->r->profile, point->process->dump, point->raw,
                         c, &place) ||
      (!*place.number && !keep_place(p, &place))) {
    p->r->failed = true;
    return 0;
  }
  return *place.number;
}

static void put_chunk(struct packing *p, const struct hp_profile_point *point,
                      const struct hp_chunk_log *c, uint64_t *before) {
  const bool accessed = c->reads || c->writes;
  put_number(p, BEGUN, c->t0 - *before);
  put_number(p, LIFE, since(c->t1, c->t0));
  put_number(p, FLAGS, (c->flags & HP_CHUNK_LIVE ? 1 : 0) | (accessed ? 2 : 0));
  put_number(p, SIZE, c->size);
  put_number(p, THREAD, c->thread);
  put_number(p, FREE_THREAD, c->free_thread);
  put_number(p, READS, c->reads);
  put_number(p, WRITES, c->writes);
  put_number(p, INTERVAL, hp_chunk_span(c));
  put_number(p, FIRST, accessed ? since(c->first, c->t0) : 0);
  put_number(p, LAST, accessed ? since(c->last, c->first) : 0);
  put_number(p, FREED, freed_at(p, point, c));
  put_number(p, WEIGHT, c->weight);
  *before = c->t0;
}

/* KEPT of the point's chunks, evenly chosen. */
static void put_row(struct packing *p, const struct hp_profile_point *point,
                    uint64_t kept) {
  const uint64_t count = point->chunks->count;
  struct hp_chunk_reader reader = hp_chunks_read(point->chunks);
  struct hp_chunk_log c;
  uint64_t before = 0, put = 0;
  for (uint64_t i = 0; put < kept && hp_chunks_next(&reader, &c); i++)
    if (i == (uint64_t)((hp_wide)count * put / kept)) {
      put_chunk(p, point, &c, &before);
      put++;
    }
}

static uint64_t kept_of(const struct hp_report_row *row, uint64_t most) {
  const uint64_t count = inside_of(row->point)->chunks->count;
  return count < most ? count : most;
}

static uint64_t sum_of(const struct hp_report_rows *rows, uint64_t most) {
  uint64_t sum = 0;
  for (size_t i = 0; i < rows->kept; i++)
    sum += kept_of(&rows->items[i], most);
  return sum;
}

/* How many of each row, so that all together are at most so many. */
static uint64_t most_of_row(const struct hp_report_rows *rows, uint64_t all) {
  uint64_t low = 0, high = UINT64_MAX;
  if (sum_of(rows, high) <= all)
    return high;
  while (low + 1 < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (sum_of(rows, middle) <= all)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void put_rows(struct packing *p, uint64_t most) {
  const struct hp_report_rows *rows = &p->r->rows;
  for (size_t i = 0; i < rows->kept; i++)
    put_row(p, inside_of(rows->items[i].point), kept_of(&rows->items[i], most));
}

/* ---- text ---------------------------------------------------------------- */

static char *base64_of(const uint8_t *bytes, size_t size) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((size + 2) / 3 * 4 + 1), *to = text;
  for (size_t i = 0; text && i < size; i += 3) {
    const size_t left = size - i;
    const uint32_t all = (uint32_t)bytes[i] << 16 |
                         (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
    *to++ = digits[all >> 18];
    *to++ = digits[all >> 12 & 63];
    *to++ = left > 1 ? digits[all >> 6 & 63] : '=';
    *to++ = left > 2 ? digits[all & 63] : '=';
  }
  if (text)
    *to = '\0';
  return text;
}

static uint8_t *join(const struct packing *p, size_t *size) {
  *size = 0;
  for (size_t i = 0; i < COLUMNS; i++)
    *size += p->size[i];
  uint8_t *all = malloc(*size + 1), *to = all;
  for (size_t i = 0; all && i < COLUMNS; i++) {
    memcpy(to, p->text[i], p->size[i]);
    to += p->size[i];
  }
  return all;
}

static void put_columns(struct packing *p) {
  size_t size = 0;
  uint8_t *all = join(p, &size);
  uLongf packed_size = compressBound(size);
  uint8_t *packed = malloc(packed_size);
  char *text = NULL;
  if (all && packed && compress2(packed, &packed_size, all, size, 6) == Z_OK)
    text = base64_of(packed, packed_size);
  p->r->failed = p->r->failed || !text;
  hp_json_string(&p->r->j, "columns", text);
  free(text);
  free(packed);
  free(all);
}

/* ---- what is no chunk ---------------------------------------------------- */

static void put_process(struct hp_report_attempt *r,
                        const struct hp_profile_process *process) {
  struct hp_json *j = &r->j;
  const struct hp_dump_end *end = &process->of->end;
  char why[HP_SET_SILENCE];
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "ticks_per_second", process->rules.ticks_per_second);
  hp_json_integer(j, "offset_ns",
                  process->of->header.start_unix_ns -
                      hp_report_start_ns(r->profile));
  hp_json_integer(j, "window", process->rules.window);
  hp_json_integer(j, "end", end->end);
  hp_json_integer(j, "peak", end->peak_time);
  hp_json_bool(j, "sampled", process->rules.sampled);
  hp_json_string(j, "silent",
                 hp_set_log_is_silent(process, why, sizeof why) ? why : NULL);
  hp_json_begin_array(j, "marks");
  for (size_t i = 0; i < end->mark_count; i++) {
    hp_json_begin_array(j, NULL);
    hp_json_string(j, NULL, end->marks[i].name);
    hp_json_integer(j, NULL, end->marks[i].ticks);
    hp_json_end_array(j);
  }
  hp_json_end_array(j);
  hp_json_end_object(j);
}

/* When the whole had most: what a part had then is counted as here. */
static void put_peak(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  const struct hp_profile_peak_time *peak = &r->profile->peak_time;
  hp_json_begin_object(j, "peak");
  hp_json_bool(j, "wall", peak->wall);
  hp_json_integer(j, "time",
                  peak->wall ? since(peak->time, hp_report_start_ns(r->profile))
                             : peak->time);
  hp_json_integer(j, "most", peak->most);
  hp_json_integer(j, "sum", peak->sum);
  hp_json_end_object(j);
}

static void put_counts(struct hp_report_attempt *r, uint64_t most) {
  struct hp_json *j = &r->j;
  hp_json_begin_array(j, "log_chunks");
  for (size_t i = 0; i < r->rows.kept; i++)
    hp_json_integer(j, NULL, inside_of(r->rows.items[i].point)->chunks->count);
  hp_json_end_array(j);
  hp_json_begin_array(j, "kept");
  for (size_t i = 0; i < r->rows.kept; i++)
    hp_json_integer(j, NULL, kept_of(&r->rows.items[i], most));
  hp_json_end_array(j);
  hp_json_begin_array(j, "all"); /* of its chunks are logged */
  for (size_t i = 0; i < r->rows.kept; i++)
    hp_json_integer(j, NULL, inside_of(r->rows.items[i].point)->is_logged);
  hp_json_end_array(j);
}

static void put_place(void *json, const char *text) {
  hp_json_string(json, NULL, text);
}

static void put_places(struct packing *p) {
  hp_json_begin_array(&p->r->j, "freed");
  hp_numbered_each(&p->places, put_place, &p->r->j);
  hp_json_end_array(&p->r->j);
}

/* ---- all of it ----------------------------------------------------------- */

static bool open_columns(struct packing *p) {
  bool good = p->frees != NULL;
  for (size_t i = 0; i < COLUMNS; i++)
    good = (p->out[i] = open_memstream(&p->text[i], &p->size[i])) && good;
  return good;
}

static void close_columns(struct packing *p) {
  for (size_t i = 0; i < COLUMNS; i++)
    if (p->out[i] && fclose(p->out[i]) != 0)
      p->r->failed = true;
}

void hp_report_chunks_put(struct hp_report_attempt *r) {
  const size_t processes = r->profile->process_count;
  struct packing p = {.r = r};
  const uint64_t most = most_of_row(&r->rows, r->detail.asked);
  p.frees = calloc(processes + 1, sizeof *p.frees);
  hp_json_begin_object(&r->j, "log");
  hp_json_begin_array(&r->j, "processes");
  for (size_t i = 0; i < processes; i++)
    put_process(r, &r->profile->processes[i]);
  hp_json_end_array(&r->j);
  put_peak(r);
  put_counts(r, most);
  if (open_columns(&p))
    put_rows(&p, most);
  else
    r->failed = true;
  close_columns(&p);
  put_places(&p);
  if (!r->failed)
    put_columns(&p);
  hp_json_end_object(&r->j);
  for (size_t i = 0; p.frees && i < processes; i++)
    hp_set_forget_frees(&p.frees[i]);
  for (size_t i = 0; i < COLUMNS; i++)
    free(p.text[i]);
  hp_numbered_free(&p.places);
  free(p.frees);
}
