/* report_document.c - writes the document heapprof.report/1, within a size.
   Written in memory; too large, it is written again with half the detail.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "member_json.h"
#include "profile/profile_inside.h"
#include "profile_json.h"
#include "report/report_chunks.h"
#include "report/report_maps.h"
#include "report/report_objects.h"
#include "report/report_page.h"
#include "report/report_points.h"

#define HP_SIZE_DEFAULT (10u << 20)
#define HP_SIZE_MIN (1u << 20)
#define HP_POINTS_LEAST 16u /* with fewer it is no report */
#define HP_INTERVALS 200u
#define HP_CHUNKS_DRAWN 64u /* of a point */
#define HP_JUMPS_SHOWN 12u  /* of a point */
#define HP_AROUND_SITE 6u   /* lines of source before and behind */
#define HP_AROUND_FRAME 2u

static const struct hp_report_detail full_detail = {.points = 4000,
                                                    .series = 400,
                                                    .drawn = 300,
                                                    .histograms = 2000,
                                                    .objects = 2000,
                                                    .rows = 1000,
                                                    .types = 60,
                                                    .asked = 100000,
                                                    .frames = 64,
                                                    .source_bytes = 1u << 20};

/* ---- over time ----------------------------------------------------------- */

static void put_numbers(struct hp_json *j, const char *key,
                        const uint64_t *numbers, size_t count) {
  hp_json_begin_array(j, key);
  for (size_t i = 0; i < count; i++)
    hp_json_integer(j, NULL, numbers[i]);
  hp_json_end_array(j);
}

static size_t series_shown(const struct hp_report_attempt *r) {
  return r->detail.series < r->series->points ? r->detail.series
                                              : r->series->points;
}

static void put_resident(struct hp_json *j, const struct hp_report_series *s) {
  bool is_known = false;
  for (size_t i = 0; i < s->intervals; i++)
    is_known = is_known || s->resident[i];
  if (!is_known) {
    hp_json_null(j, "resident");
    return;
  }
  hp_json_begin_array(j, "resident");
  for (size_t i = 0; i < s->intervals; i++)
    if (s->resident[i])
      hp_json_integer(j, NULL, s->resident[i]);
    else
      hp_json_null(j, NULL);
  hp_json_end_array(j);
}

static void put_timeline(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  const struct hp_report_series *s = r->series;
  hp_json_begin_object(j, "timeline");
  hp_json_integer(j, "length_ns", s->length_ns);
  hp_json_bool(j, "estimated", s->estimated);
  put_numbers(j, "instant_ns", s->instant_ns, s->intervals);
  put_numbers(j, "low", s->low, s->intervals);
  put_numbers(j, "high", s->high, s->intervals);
  put_numbers(j, "chunks", s->chunks, s->intervals);
  put_numbers(j, "begun", s->begun, s->intervals);
  put_resident(j, s);
  hp_json_begin_array(j, "points");
  for (size_t k = 0; k < series_shown(r); k++)
    put_numbers(j, NULL, s->of_point + k * s->intervals, s->intervals);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

/* Pairs of a number of binary digits and the count of values that have it. */
static void put_histogram(struct hp_json *j, const struct hp_histogram *h) {
  hp_json_begin_array(j, NULL);
  for (unsigned i = 0; i < h->count; i++)
    if (h->counts[i]) {
      hp_json_integer(j, NULL, h->lowest + i);
      hp_json_integer(j, NULL, h->counts[i]);
    }
  hp_json_end_array(j);
}

static void put_histograms(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  size_t count =
      r->rows.kept < r->detail.histograms ? r->rows.kept : r->detail.histograms;
  hp_json_begin_object(j, "histograms");
  hp_json_begin_array(j, "ns_per_tick");
  for (size_t i = 0; i < hp_process_count(r->profile); i++)
    hp_json_number(j, NULL, 1 / hp_process_at(r->profile, i)->ticks_per_ns);
  hp_json_end_array(j);
  hp_json_begin_array(j, "size");
  for (size_t i = 0; i < count; i++)
    put_histogram(j, &r->rows.items[i].point->sizes);
  hp_json_end_array(j);
  hp_json_begin_array(j, "lifetime_ticks");
  for (size_t i = 0; i < count; i++)
    put_histogram(j, &r->rows.items[i].point->lives);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

/* Of each row: null if no chunk was resized, else their number, the most
   frequent jumps, and how many others there are. */
static void put_jumps(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  size_t rows =
      r->rows.kept < r->detail.histograms ? r->rows.kept : r->detail.histograms;
  size_t next = 0;
  hp_json_begin_array(j, "reallocs");
  for (size_t i = 0; i < rows; i++) {
    uint64_t resized = hp_report_resized(r->rows.items[i].point), others = 0;
    if (!resized) {
      hp_json_null(j, NULL);
      continue;
    }
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "chunks", resized);
    hp_json_begin_array(j, "jumps");
    for (size_t shown = 0;
         next < r->jumps->count && r->jumps->items[next].row == i; next++) {
      const struct hp_report_jump *jump = &r->jumps->items[next];
      if (shown++ < HP_JUMPS_SHOWN)
        put_numbers(j, NULL, (uint64_t[]){jump->from, jump->to, jump->count},
                    3);
      else
        others = hp_add(others, jump->count);
    }
    hp_json_end_array(j);
    hp_json_integer(j, "others", others);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

/* What lies before the chunk's begin, by two clocks, is at it. */
static void put_since(struct hp_json *j, const struct hp_chunk_view *c,
                      uint64_t time) {
  hp_json_integer(j, NULL, time > c->t0_ns ? time - c->t0_ns : 0);
}

static void put_chunk(struct hp_json *j, const struct hp_chunk_view *c,
                      uint64_t offset) {
  bool accessed = c->reads || c->writes;
  hp_json_begin_array(j, NULL);
  hp_json_integer(j, NULL, offset + c->t0_ns);
  put_since(j, c, c->t1_ns);
  if (accessed) {
    put_since(j, c, c->first_ns);
    put_since(j, c, c->last_ns);
  } else {
    hp_json_null(j, NULL);
    hp_json_null(j, NULL);
  }
  hp_json_integer(j, NULL, c->size);
  hp_json_integer(j, NULL, c->reads);
  hp_json_integer(j, NULL, c->writes);
  hp_json_integer(j, NULL, c->live);
  hp_json_end_array(j);
}

static void put_chunks(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  struct hp_chunk_view chunks[HP_CHUNKS_DRAWN];
  hp_json_begin_array(j, "chunks");
  for (size_t i = 0; i < r->rows.kept && i < r->detail.drawn; i++) {
    const struct hp_point *p = r->rows.items[i].point;
    uint64_t offset = hp_report_offset_ns(r->profile, p);
    size_t count = hp_report_chunks(chunks, HP_CHUNKS_DRAWN, r->profile, p);
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "logged", p->logged_chunks);
    hp_json_begin_array(j, "drawn");
    for (size_t k = 0; k < count; k++)
      put_chunk(j, &chunks[k], offset);
    hp_json_end_array(j);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

/* Names that the language of sets may use. */
static void put_sets(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  hp_json_begin_array(j, "sets");
  for (size_t i = 0; i < r->set_count; i++) {
    hp_json_begin_array(j, NULL);
    hp_json_string(j, NULL, r->sets[i].name);
    hp_json_string(j, NULL, r->sets[i].text);
    hp_json_end_array(j);
  }
  hp_json_end_array(j);
}

/* Pairs of points that the page shows of either run. */
static void put_pairs(struct hp_report_attempt *r,
                      const struct hp_report_before *b, const bool *has_row) {
  struct hp_json *j = &r->j;
  hp_json_begin_array(j, "pairs");
  for (size_t i = 0; i < b->pair_count; i++) {
    const struct hp_report_pair *pair = &b->pairs[i];
    if (has_row[pair->new_id] || b->has_row[pair->old_id])
      put_numbers(j, NULL, (uint64_t[]){pair->old_id, pair->new_id}, 2);
  }
  hp_json_end_array(j);
}

static void put_before(struct hp_report_attempt *r, const bool *has_row) {
  struct hp_json *j = &r->j;
  const struct hp_report_before *b = r->o->before;
  if (!b) {
    hp_json_null(j, "before");
    return;
  }
  hp_json_begin_object(j, "before");
  hp_json_string(j, "dump", b->dump);
  put_pairs(r, b, has_row);
  hp_json_value(j, "document", b->document, b->size);
  hp_json_end_object(j);
}

/* Which points have a row of their own. */
static void find_rows(struct hp_report_attempt *r) {
  bool *has_row = calloc(r->profile->point_count + 1, sizeof *has_row);
  r->failed = r->failed || !has_row;
  for (size_t i = 0; has_row && i < r->rows.kept; i++)
    has_row[r->rows.items[i].point->id] = true;
  if (has_row)
    put_before(r, has_row);
  if (has_row && r->o->has_row)
    memcpy(r->o->has_row, has_row,
           (r->profile->point_count + 1) * sizeof *has_row);
  free(has_row);
}

/* ---- what each point did to members -------------------------------------- */

/* [id, the first member of its type, bits of each of heapprof_members.h]; null in their
   place: the document does not have the type. */
static void put_uses_of(struct hp_report_attempt *r, const struct hp_point *p,
                        size_t first, const struct hp_member_type *t,
                        const uint8_t *uses) {
  struct hp_json *j = &r->j;
  hp_json_begin_array(j, NULL);
  hp_json_integer(j, NULL, p->id);
  if (first == SIZE_MAX) {
    hp_json_null(j, NULL);
  } else {
    hp_json_integer(j, NULL, first);
    for (size_t i = 0; uses && i < t->count; i++)
      hp_json_integer(j, NULL, uses[i]);
  }
  hp_json_end_array(j);
}

static void put_uses_of_type(struct hp_report_attempt *r, size_t first,
                             const struct hp_member_type *t) {
  const hp_member_types *types = hp_findings_members(r->findings);
  struct hp_store store = {0};
  struct hp_error error;
  for (size_t i = 0; i < t->point_count; i++) {
    const struct hp_point *p = t->points[i];
    const uint8_t *uses = NULL;
    if (!hp_point_members(r->profile, p))
      continue;
    if (first != SIZE_MAX &&
        hp_member_uses_of(types, r->profile, p, &store, &uses, &error) != HP_OK)
      r->failed = true;
    put_uses_of(r, p, first, t, uses);
  }
  hp_store_free(&store);
}

/* Of all points of which something was counted. */
static void put_member_uses(struct hp_report_attempt *r) {
  const hp_member_types *types = hp_findings_members(r->findings);
  size_t first = 0;
  hp_json_begin_array(&r->j, "member_uses");
  for (size_t i = 0; i < hp_member_types_count(types); i++) {
    const struct hp_member_type *t = hp_member_types_at(types, i);
    put_uses_of_type(r, i < r->detail.types ? first : SIZE_MAX, t);
    first += t->count;
  }
  hp_json_end_array(&r->j);
}

/* ---- the whole ----------------------------------------------------------- */

static void want_source(struct hp_report_attempt *r, const struct hp_frame *f,
                        uint32_t around) {
  if (f && f->file && !r->o->no_sources &&
      !hp_report_sources_want(r->sources, f->file, f->line, around))
    r->failed = true;
}

/* Sites first, so that what matters most has room. */
static void want_sources(struct hp_report_attempt *r) {
  for (size_t i = 0; i < hp_finding_count(r->findings); i++)
    want_source(r, hp_finding_at(r->findings, i)->place, HP_AROUND_SITE);
  for (size_t i = 0; i < r->rows.kept; i++)
    want_source(r, hp_report_place(&r->rows.items[i]), HP_AROUND_SITE);
  for (size_t i = 0; i < r->rows.kept; i++) {
    const struct hp_point *p = r->rows.items[i].point;
    for (size_t k = 0; k < p->stack_count; k++)
      want_source(r, p->stack[k], HP_AROUND_FRAME);
  }
}

static void put_cut(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  size_t kept = r->rows.kept;
  hp_json_begin_object(j, "cut");
  hp_json_integer(j, "points_merged", r->rows.merged);
  hp_json_integer(j, "points_without_series",
                  kept > series_shown(r) ? kept - series_shown(r) : 0);
  hp_json_integer(j, "points_without_chunks",
                  kept > r->detail.drawn ? kept - r->detail.drawn : 0);
  hp_json_integer(j, "points_without_histograms",
                  kept > r->detail.histograms ? kept - r->detail.histograms
                                              : 0);
  hp_json_integer(j, "stacks_shortened", r->shortened_stacks);
  hp_json_integer(j, "sources_left_out", r->sources_left_out);
  hp_json_integer(j, "objects_left_out", r->objects_left_out);
  hp_json_end_object(j);
}

static void put_document(struct hp_report_attempt *r) {
  struct hp_json *j = &r->j;
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "schema", "heapprof.report/1");
  hp_json_string(j, "filter", r->o->filter);
  hp_json_processes(j, r->profile);
  hp_json_mappings(j, r->profile, r->detail.rows);
  hp_json_globals(j, r->globals, r->detail.rows);
  hp_json_global(j, r->profile);
  hp_json_findings(j, r->findings);
  hp_json_members(j, hp_findings_members(r->findings), r->detail.types);
  put_member_uses(r);
  hp_report_put_points(r);
  put_timeline(r);
  put_histograms(r);
  put_jumps(r);
  put_chunks(r);
  put_sets(r);
  hp_report_chunks_put(r);
  find_rows(r);
  hp_report_maps_put(j, r->maps);
  r->objects_left_out = hp_report_objects_put(r, r->objects);
  want_sources(r);
  r->sources_left_out = hp_report_sources_put(
      r->sources, j, hp_report_start_ns(r->profile), r->detail.source_bytes);
  hp_report_names_put(r->names, j);
  put_cut(r);
  hp_json_end_object(j);
}

static hp_status write_once(struct hp_report_attempt *r, char **text,
                            size_t *size, const struct hp_point *const *points,
                            size_t count, struct hp_error *error) {
  hp_status status = hp_report_rows_make(&r->rows, r->profile, points, count,
                                         r->findings, r->detail.points, error);
  if (status == HP_OK && !r->series->of_point)
    status = hp_report_series_make(r->series, r->profile, &r->rows,
                                   r->detail.series, HP_INTERVALS, error);
  if (status == HP_OK && !r->jumps->items)
    status = hp_report_jumps_make(r->jumps, r->profile, &r->rows,
                                  r->detail.histograms, error);
  FILE *out = status == HP_OK ? open_memstream(text, size) : NULL;
  r->names = hp_report_names_new();
  r->sources = hp_report_sources_new(r->o->source_dir);
  if (status == HP_OK && (!out || !r->names || !r->sources))
    status = hp_fail_memory(error);
  if (status == HP_OK) {
    r->j = (struct hp_json){.out = out, .first = true, .inline_html = true};
    put_document(r);
  }
  if (out && fclose(out) != 0)
    r->failed = true;
  if (status == HP_OK && r->failed)
    status = hp_fail_memory(error);
  hp_report_sources_free(r->sources);
  hp_report_names_free(r->names);
  hp_report_rows_free(&r->rows);
  return status;
}

static struct hp_report_detail half_of(const struct hp_report_detail *d) {
  return (struct hp_report_detail){.points = d->points / 2,
                                   .series = d->series / 2,
                                   .drawn = d->drawn / 2,
                                   .histograms = d->histograms / 2,
                                   .objects = d->objects / 2,
                                   .rows = d->rows / 2,
                                   .types = d->types / 2,
                                   .asked = d->asked / 2,
                                   .frames = d->frames,
                                   .source_bytes = d->source_bytes / 2};
}

static hp_status
write_all(FILE *out, hp_profile *profile, struct hp_report_series *series,
          struct hp_report_jumps *jumps,
          const struct hp_report_objects *objects,
          const struct hp_report_maps *maps, const hp_globals *globals,
          const hp_findings *findings, const struct hp_set_text *sets,
          size_t set_count, const struct hp_report_options *o,
          const struct hp_point *const *points, size_t count,
          struct hp_error *error) {
  uint64_t page = o->document_only ? 0 : hp_page_head_size + hp_page_tail_size;
  struct hp_report_detail detail = full_detail;
  char *text = NULL;
  size_t size = 0;
  for (;;) {
    struct hp_report_attempt r = {.profile = profile,
                                  .findings = findings,
                                  .o = o,
                                  .detail = detail,
                                  .series = series,
                                  .jumps = jumps,
                                  .objects = objects,
                                  .maps = maps,
                                  .globals = globals,
                                  .sets = sets,
                                  .set_count = set_count};
    hp_status status = write_once(&r, &text, &size, points, count, error);
    if (status != HP_OK) {
      free(text);
      return status;
    }
    if (size + page <= o->max_bytes)
      break;
    free(text);
    text = NULL;
    if (detail.points < HP_POINTS_LEAST)
      return hp_fail(error, HP_E_ARGUMENT,
                     "a report of less than %" PRIu64
                     " bytes is not possible; allow more than %" PRIu64,
                     size + page, o->max_bytes);
    detail = half_of(&detail);
  }
  if (!o->document_only)
    fwrite(hp_page_head, 1, hp_page_head_size, out);
  fwrite(text, 1, size, out);
  if (!o->document_only)
    fwrite(hp_page_tail, 1, hp_page_tail_size, out);
  free(text);
  return HP_OK;
}

/* The filter may use names.  The time line is that of the whole, so that chunks
   are asked in the page only. */
static hp_status keep_named(hp_profile *profile,
                            const struct hp_report_options *o,
                            struct hp_error *error) {
  const struct hp_set_options set = {
      .sz = sizeof set, .filter = o->filter, .sets_file = o->sets_file};
  if (!o->filter)
    return HP_OK;
  HP_TRY(hp_profile_keep(profile, &set, error));
  return hp_profile_set(profile)->is_of_log
             ? hp_fail(error, HP_E_ARGUMENT,
                       "filter: a set of single chunks, which this command "
                       "does not ask; the page's own filter does")
             : HP_OK;
}

hp_status hp_report_write(FILE *out, hp_profile *profile,
                          const struct hp_report_options *given,
                          struct hp_error *error) {
  struct hp_report_options o = {0};
  if (given)
    memcpy(&o, given, given->sz < sizeof o ? given->sz : sizeof o);
  if (o.max_bytes == 0)
    o.max_bytes = HP_SIZE_DEFAULT;
  if (o.max_bytes < HP_SIZE_MIN)
    return hp_fail(error, HP_E_ARGUMENT,
                   "a report of at most %" PRIu64
                   " bytes has no room; give 1 MiB or more",
                   o.max_bytes);
  const struct hp_query query = {.sz = sizeof query, .filter = o.filter};
  const struct hp_point *const *points;
  const struct hp_set_text *sets;
  hp_findings *findings;
  size_t count, set_count;
  HP_TRY(hp_profile_sets(profile, o.sets_file, &sets, &set_count, error));
  HP_TRY(hp_profile_query(profile, &query, &points, &count, error));
  HP_TRY(keep_named(profile, &o, error));
  HP_TRY(hp_profile_query(profile, &query, &points, &count, error));
  HP_TRY(hp_findings_make(&findings, profile, points, count, error));
  struct hp_report_series series = {0};
  struct hp_report_jumps jumps = {0};
  hp_globals *globals = NULL;
  struct hp_report_objects objects;
  struct hp_report_maps maps = {0};
  hp_status status = hp_report_objects_make(&objects, points, count, error);
  if (status == HP_OK)
    status = hp_globals_make(&globals, profile, error);
  if (status == HP_OK)
    status = hp_report_maps_make(&maps, profile, o.max_bytes, error);
  if (status == HP_OK)
    status = write_all(out, profile, &series, &jumps, &objects, &maps, globals,
                       findings, sets, set_count, &o, points, count, error);
  hp_report_maps_free(&maps);
  hp_globals_free(globals);
  hp_report_objects_free(&objects);
  hp_report_jumps_free(&jumps);
  hp_report_series_free(&series);
  hp_findings_free(findings);
  return status;
}
