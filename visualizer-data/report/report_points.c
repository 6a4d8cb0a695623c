/* report_points.c - the rows of a report as columns, by tables of what there is.
   A column is a member of a row, or of its point, or what a function puts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_points.h"

#include <stdlib.h>

#include "profile_json.h"
#include "type_text.h"

#define HP_CHUNKS_READ 64u   /* of a point, at once */
#define HP_THREADS_NAMED 64u /* of a point */

/* Leaf first; of a deep stack both ends. */
static void put_stack(struct hp_report_attempt *r,
                      const struct hp_report_row *row) {
  const struct hp_frame *const *stack =
      row->point ? row->point->stack : &row->site;
  size_t count = row->point ? row->point->stack_count : row->site ? 1 : 0;
  size_t half = r->detail.frames / 2;
  bool cut = count > r->detail.frames;
  r->shortened_stacks += cut;
  hp_json_begin_array(&r->j, NULL);
  for (size_t i = 0; i < count; i++) {
    if (cut && i == half) {
      hp_report_put_name(r, NULL, HP_NO_NAME);
      i = count - half;
    }
    hp_report_put_name(r, NULL, hp_report_frame(r->names, stack[i]));
  }
  hp_json_end_array(&r->j);
}

static void put_type(struct hp_report_attempt *r,
                     const struct hp_report_row *row) {
  char *brief = row->type ? hp_type_short(row->type) : NULL;
  r->failed = r->failed || (row->type && !brief);
  hp_report_put_name(r, NULL, hp_report_text(r->names, brief));
  free(brief);
}

/* Where the site is in the row's stack as it was put. */
static void put_site(struct hp_report_attempt *r,
                     const struct hp_report_row *row) {
  const struct hp_frame *site = row->point ? row->point->site : row->site;
  hp_report_put_name(r, NULL, hp_report_frame(r->names, site));
}

static void put_process(struct hp_report_attempt *r,
                        const struct hp_report_row *row) {
  const struct hp_point *p = row->point;
  size_t i = 0;
  while (p->process && hp_process_at(r->profile, i) != p->process)
    i++;
  hp_report_put_name(r, NULL, p->process ? (int64_t)i : HP_NO_NAME);
}

/* Numbers of the threads that allocated the logged chunks. */
static void put_threads(struct hp_report_attempt *r,
                        const struct hp_report_row *row) {
  const struct hp_point *p = row->point;
  struct hp_chunk_view chunks[HP_CHUNKS_READ];
  uint32_t seen[HP_THREADS_NAMED];
  size_t count = 0, begin = 0, n;
  hp_json_begin_array(&r->j, NULL);
  for (; (n = hp_point_chunks(r->profile, p, begin, chunks, HP_CHUNKS_READ)) &&
         count < HP_THREADS_NAMED;
       begin += n)
    for (size_t i = 0; i < n && count < HP_THREADS_NAMED; i++) {
      size_t k = 0;
      while (k < count && seen[k] != chunks[i].thread)
        k++;
      if (k < count)
        continue;
      seen[count++] = chunks[i].thread;
      hp_json_integer(&r->j, NULL, chunks[i].thread);
    }
  hp_json_end_array(&r->j);
}

static void put_place(struct hp_report_attempt *r,
                      const struct hp_report_row *row) {
  hp_report_put_name(r, NULL, hp_report_frame(r->names, hp_report_place(row)));
}

static void put_type_name(struct hp_report_attempt *r,
                          const struct hp_report_row *row) {
  hp_report_put_name(r, NULL, hp_report_text(r->names, row->type));
}

static void put_provenance(struct hp_report_attempt *r,
                           const struct hp_report_row *row) {
  hp_report_put_name(r, NULL,
                     hp_report_text(r->names, row->point->type_provenance));
}

static void put_pool(struct hp_report_attempt *r,
                     const struct hp_report_row *row) {
  hp_json_string(&r->j, NULL, row->point->pool);
}

static void put_colour(struct hp_report_attempt *r,
                       const struct hp_report_row *row) {
  hp_report_put_name(r, NULL, row->point->colour);
}

static void put_temporary(struct hp_report_attempt *r,
                          const struct hp_report_row *row) {
  if (row->point->temporary_known)
    hp_json_integer(&r->j, NULL, row->point->temporary_chunks);
  else
    hp_json_null(&r->j, NULL);
}

/* By the clock of the whole. */
static void put_first(struct hp_report_attempt *r,
                      const struct hp_report_row *row) {
  hp_json_integer(&r->j, NULL,
                  hp_report_offset_ns(r->profile, row->point) +
                      row->point->first_ns);
}

static void put_last(struct hp_report_attempt *r,
                     const struct hp_report_row *row) {
  hp_json_integer(&r->j, NULL,
                  hp_report_offset_ns(r->profile, row->point) +
                      row->point->last_ns);
}

/* A column: what a function puts, or else a member. */
struct column {
  const char *name;
  void (*put)(struct hp_report_attempt *r, const struct hp_report_row *row);
  enum {
    INTEGER, /* uint64_t */
    FLAG,    /* bool */
    SCORE,   /* double; below 0: null */
    NUMBER,  /* double */
    LEAST,   /* struct hp_min_mean_max: its min, */
    MEAN,
    MOST
  } is;
  size_t at; /* offset of the member */
};

#define OF_ROW(name)                                                           \
  {#name, .is = INTEGER, .at = offsetof(struct hp_report_row, name)}
static const struct column of_rows[] = {{"stack", .put = put_stack},
                                        {"site", .put = put_site},
                                        {"place", .put = put_place},
                                        {"type", .put = put_type},
                                        {"type_name", .put = put_type_name},
                                        OF_ROW(points),
                                        OF_ROW(chunks),
                                        OF_ROW(bytes),
                                        OF_ROW(bytes_at_global_peak),
                                        OF_ROW(live_chunks),
                                        OF_ROW(live_bytes),
                                        OF_ROW(reads),
                                        OF_ROW(writes),
                                        OF_ROW(bytes_accessed),
                                        OF_ROW(samples)};

#define OF_POINT(name, what, member)                                           \
  {name, .is = what, .at = offsetof(struct hp_point, member)}
#define RANGE(name, member)                                                    \
  OF_POINT(name "_min", LEAST, member), OF_POINT(name "_mean", MEAN, member),  \
      OF_POINT(name "_max", MOST, member)
static const struct column of_points[] = {
    OF_POINT("id", INTEGER, id),
    {"process", .put = put_process},
    {"first_ns", .put = put_first},
    {"last_ns", .put = put_last},
    {"threads", .put = put_threads},
    {"type_provenance", .put = put_provenance},
    {"pool", .put = put_pool},
    OF_POINT("peak_bytes", INTEGER, peak_bytes),
    {"temporary_chunks", .put = put_temporary},
    RANGE("size", size),
    RANGE("lifetime_ns", lifetime_ns),
    OF_POINT("counts_saturated", FLAG, counts_saturated),
    OF_POINT("lifetime", SCORE, scores.lifetime),
    OF_POINT("usage", SCORE, scores.usage),
    OF_POINT("useful_lifetime", SCORE, scores.useful_lifetime),
    OF_POINT("useful_lifetime_error", NUMBER, scores.useful_lifetime_error),
    OF_POINT("accesses_known", FLAG, accesses_known),
    OF_POINT("accesses_shared", FLAG, accesses_shared),
    OF_POINT("estimated", FLAG, estimated),
    OF_POINT("chunks_error", NUMBER, errors.chunks),
    OF_POINT("bytes_error", NUMBER, errors.bytes),
    OF_POINT("peak_bytes_error", NUMBER, errors.peak),
    OF_POINT("usage_error", NUMBER, errors.usage),
    OF_POINT("useful_lifetime_sampling_error", NUMBER, errors.useful_lifetime),
    OF_POINT("severity", SCORE, severity),
    {"colour", .put = put_colour},
    OF_POINT("groups", INTEGER, groups),
    OF_POINT("growth_length", INTEGER, growth.length),
    OF_POINT("growth_first", INTEGER, growth.first_size),
    OF_POINT("growth_last", INTEGER, growth.last_size),
    OF_POINT("growth_copied", INTEGER, growth.copied_bytes),
#define OF_PAGES(column, of, member) OF_POINT(#column, INTEGER, of.member),
    HP_PAGE_COLUMNS(OF_PAGES)
#undef OF_PAGES
#define OF_RESIZES(column, member) OF_POINT(#column, INTEGER, resizes.member),
        HP_RESIZE_COLUMNS(OF_RESIZES)
#undef OF_RESIZES
#define OF_TEARDOWN(column, type, member)                                      \
  OF_POINT(#column, type, teardown.member),
            HP_TEARDOWN_COLUMNS(OF_TEARDOWN)
#undef OF_TEARDOWN
#define OF_INITIALISED(column, member)                                         \
  OF_POINT(#column, INTEGER, initialised.member),
                HP_INITIALISED_COLUMNS(OF_INITIALISED)
#undef OF_INITIALISED
#define OF_CONTENTS(column, member) OF_POINT(#column, INTEGER, contents.member),
                    HP_CONTENTS_COLUMNS(OF_CONTENTS)
#undef OF_CONTENTS
#define OF_BLOCKS(column, member) OF_POINT(#column, INTEGER, blocks.member),
                        HP_BLOCK_COLUMNS(OF_BLOCKS)
#undef OF_BLOCKS
};
#undef RANGE
#undef OF_POINT
#undef OF_ROW

static const struct column of_inferences[] = {
    {"chunks", .is = INTEGER,
     .at = offsetof(struct hp_inference_value, chunks)},
    {"bytes", .is = INTEGER, .at = offsetof(struct hp_inference_value, bytes)},
    {"flagged", .is = FLAG,
     .at = offsetof(struct hp_inference_value, flagged)}};

static void put_member(struct hp_json *j, const struct column *c,
                       const void *of) {
  const void *member = (const char *)of + c->at;
  const struct hp_min_mean_max *range = member;
  if (c->is >= LEAST && !range->defined) {
    hp_json_null(j, NULL);
    return;
  }
  switch (c->is) {
  case INTEGER:
    hp_json_integer(j, NULL, *(const uint64_t *)member);
    break;
  case FLAG:
    hp_json_integer(j, NULL, *(const bool *)member);
    break;
  case SCORE:
    hp_json_score(j, NULL, *(const double *)member);
    break;
  case NUMBER:
    hp_json_number(j, NULL, *(const double *)member);
    break;
  case LEAST:
    hp_json_integer(j, NULL, range->min);
    break;
  case MEAN:
    hp_json_score(j, NULL, range->mean);
    break;
  case MOST:
    hp_json_integer(j, NULL, range->max);
    break;
  }
}

static void put_row_column(struct hp_report_attempt *r,
                           const struct column *c) {
  hp_json_begin_array(&r->j, c->name);
  for (size_t i = 0; i < r->rows.count; i++) {
    const struct hp_report_row *row = &r->rows.items[i];
    if (c->put)
      c->put(r, row);
    else
      put_member(&r->j, c, row);
  }
  hp_json_end_array(&r->j);
}

static void put_point_column(struct hp_report_attempt *r,
                             const struct column *c) {
  hp_json_begin_array(&r->j, c->name);
  for (size_t i = 0; i < r->rows.kept; i++) {
    const struct hp_report_row *row = &r->rows.items[i];
    if (c->put)
      c->put(r, row);
    else
      put_member(&r->j, c, row->point);
  }
  hp_json_end_array(&r->j);
}

static void put_inference(struct hp_report_attempt *r,
                          enum hp_inference inference) {
  struct hp_json *j = &r->j;
  hp_json_begin_object(j, hp_inference_name(inference));
  hp_json_string(j, "text", hp_inference_text(inference));
  for (size_t c = 0; c < sizeof of_inferences / sizeof *of_inferences; c++) {
    hp_json_begin_array(j, of_inferences[c].name);
    for (size_t i = 0; i < r->rows.kept; i++)
      put_member(j, &of_inferences[c],
                 &r->rows.items[i].point->inferences[inference]);
    hp_json_end_array(j);
  }
  hp_json_end_object(j);
}

void hp_report_put_points(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  hp_json_begin_object(j, "points");
  hp_json_integer(j, "count", r->rows.kept);
  hp_json_integer(j, "rows", r->rows.count);
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
    put_row_column(r, &of_rows[i]);
  for (size_t i = 0; i < sizeof of_points / sizeof *of_points; i++)
    put_point_column(r, &of_points[i]);
  hp_json_begin_object(j, "inferences");
  for (int i = 0; i < HP_INF_COUNT; i++)
    put_inference(r, (enum hp_inference)i);
  hp_json_end_object(j);
  hp_json_end_object(j);
}
