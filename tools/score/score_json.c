/* score_json.c - writes the document heapprof.score/1.
   Undefined is null; addresses are strings, as JSON numbers may lose bits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* fopencookie */
#include "score_json.h"

#include "member_json.h"
#include "profile_json.h"
#include "score_generations.h"

#include <inttypes.h>
#include <string.h>

static void put_min_mean_max(struct hp_json *j, const char *key,
                             const struct hp_min_mean_max *m) {
  hp_json_begin_object(j, key);
  if (m->defined) {
    hp_json_integer(j, "min", m->min);
    hp_json_number(j, "mean", m->mean);
    hp_json_integer(j, "max", m->max);
  } else {
    hp_json_null(j, "min");
    hp_json_null(j, "mean");
    hp_json_null(j, "max");
  }
  hp_json_end_object(j);
}

static void put_inferences(struct hp_json *j, const struct hp_point *p) {
  hp_json_begin_object(j, "inferences");
  for (int i = 0; i < HP_INF_COUNT; i++) {
    const struct hp_inference_value *v = &p->inferences[i];
    hp_json_begin_object(j, hp_inference_name((enum hp_inference)i));
    hp_json_integer(j, "chunks", v->chunks);
    hp_json_integer(j, "bytes", v->bytes);
    hp_json_bool(j, "flagged", v->flagged);
    if (i == HP_INF_growing) {
      hp_json_integer(j, "length", p->growth.length);
      hp_json_integer(j, "first_size", p->growth.first_size);
      hp_json_integer(j, "last_size", p->growth.last_size);
      hp_json_integer(j, "copied_bytes", p->growth.copied_bytes);
      hp_json_integer(j, "chains", p->grown.chains);
      hp_json_integer(j, "chain_chunks", p->grown.chunks);
      hp_json_integer(j, "chain_copied_bytes", p->grown.copied_bytes);
      hp_json_integer(j, "likely_chunks", p->grown.likely_chunks);
    }
    hp_json_end_object(j);
  }
  hp_json_end_object(j);
}

static void put_scores(struct hp_json *j, const struct hp_point *p) {
  hp_json_begin_object(j, "scores");
  hp_json_scores(j, &p->scores);
  if (p->scores.useful_lifetime < 0 && p->scores.useful_lifetime_error <= 0)
    hp_json_null(j, "useful_lifetime_error");
  else
    hp_json_number(j, "useful_lifetime_error", p->scores.useful_lifetime_error);
  hp_json_end_object(j);
  hp_json_integer(j, "groups", p->groups);
  hp_json_integer(j, "singleton_groups", p->singleton_groups);
  hp_json_score(j, "severity", p->severity);
  if (p->colour < 0)
    hp_json_null(j, "colour");
  else
    hp_json_integer(j, "colour", (uint64_t)p->colour);
}

/* Of the values between FROM and TO, both included; PER is how much of the unit
   that is written one of the histogram's is. */
static void put_histogram(struct hp_json *j, const char *key,
                          const struct hp_histogram *h, double per) {
  if (h->count == 0) {
    hp_json_null(j, key);
    return;
  }
  hp_json_begin_array(j, key);
  for (unsigned i = 0; i < h->count; i++) {
    unsigned digits = h->lowest + i;
    uint64_t least = digits ? UINT64_C(1) << (digits - 1) : 0;
    uint64_t most = digits ? least + (least - 1) : 0;
    if (h->counts[i] == 0)
      continue;
    hp_json_begin_object(j, NULL);
    if (per == 1) {
      hp_json_integer(j, "from", least);
      hp_json_integer(j, "to", most);
    } else {
      hp_json_number(j, "from", (double)least * per);
      hp_json_number(j, "to", (double)most * per);
    }
    hp_json_integer(j, "chunks", h->counts[i]);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

static void put_misuse(struct hp_json *j, const struct hp_point *p) {
  const struct hp_overrun *o = &p->overrun;
  hp_json_begin_object(j, "held");
  hp_json_integer(j, "chunks", p->held_chunks);
  hp_json_integer(j, "bytes", p->held_bytes);
  hp_json_end_object(j);
  hp_json_bool(j, "leak_suppressed", p->leak_suppressed);
  hp_json_begin_object(j, "overrun");
  hp_json_known(j, "beyond", o->beyond);
  hp_json_bool(j, "ahead", o->ahead);
  hp_json_bool(j, "read", o->is_read);
  hp_json_bool(j, "written", o->is_written);
  hp_json_frame(j, "reader", o->reader, false);
  hp_json_frame(j, "writer", o->writer, false);
  hp_json_end_object(j);
}

static void put_point(struct hp_json *j, const struct hp_point *p) {
  hp_json_begin_object(j, NULL);
  if (p->key)
    hp_json_string(j, "key", p->key);
  hp_json_integer(j, "id", p->id);
  if (p->process)
    hp_json_integer(j, "pid", p->process->pid);
  else
    hp_json_null(j, "pid");
  hp_json_string(j, "type", p->type);
  hp_json_string(j, "type_provenance", p->type_provenance);
  hp_json_known(j, "element_size", p->element_size);
  hp_json_known(j, "elements", p->elements);
  hp_json_frame(j, "site", p->site, false);
  hp_json_frame(j, "place", p->place, false);
  hp_json_bool(j, "is_part", p->is_part);
  hp_json_amounts(j, p);
  hp_json_integer(j, "bytes_at_global_peak", p->bytes_at_global_peak);
  hp_json_integer(j, "peak_touched_bytes", p->peak_touched_bytes);
  hp_json_integer(j, "peak_memory_bytes", p->peak_memory_bytes);
  hp_json_integer(j, "logged_chunks", p->logged_chunks);
  put_min_mean_max(j, "size", &p->size);
  put_min_mean_max(j, "lifetime_ns", &p->lifetime_ns);
  hp_json_score(j, "recycling", hp_recycling(p));
  if (p->temporary_known)
    hp_json_integer(j, "temporary_chunks", p->temporary_chunks);
  else
    hp_json_null(j, "temporary_chunks");
  hp_json_known(j, "generations", p->generations);
  hp_json_bool(j, "counts_saturated", p->counts_saturated);
  hp_json_accesses(j, p);
  hp_json_pages(j, p);
  hp_json_resizes(j, p);
  hp_json_teardown(j, p);
  hp_json_initialised(j, p);
  hp_json_contents(j, p);
  hp_json_blocks(j, p);
  put_scores(j, p);
  put_inferences(j, p);
  put_histogram(j, "size_histogram", &p->sizes, 1);
  put_histogram(j, "lifetime_ns_histogram", &p->lives,
                p->process ? 1 / p->process->ticks_per_ns : 1);
  hp_json_begin_object(j, "threads");
  hp_json_integer(j, "multithread_chunks", p->multithread_chunks);
  hp_json_integer(j, "freed_elsewhere", p->freed_elsewhere);
  hp_json_end_object(j);
  put_misuse(j, p);
  hp_json_stack(j, p);
  hp_json_end_object(j);
}

static void put_object(struct hp_json *j, const struct hp_made_object *o) {
  hp_json_begin_object(j, NULL);
  if (o->sizes_vary)
    hp_json_null(j, "size");
  else
    hp_json_integer(j, "size", o->size);
  hp_json_frame(j, "allocated_by", o->allocated_by, false);
  hp_json_frame(j, "freed_by", o->freed_by, false);
  hp_json_bool(j, "freed_by_others_too", o->callers_vary);
  hp_json_bool(j, "reallocated", o->reallocated);
  hp_json_integer(j, "frequency", o->frequency);
  hp_json_number(j, "mean_lifetime_ns", o->mean_lifetime_ns);
  hp_json_number(j, "ratio", o->ratio);
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < o->point_count; i++)
    hp_json_integer(j, NULL, o->points[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_objects(struct hp_json *j, const hp_objects *objects,
                        size_t limit) {
  const size_t count = hp_object_count(objects);
  const size_t shown = count < limit ? count : limit;
  hp_json_begin_array(j, "objects");
  for (size_t i = 0; i < shown; i++)
    put_object(j, hp_object_at(objects, i));
  hp_json_end_array(j);
  hp_json_integer(j, "objects_not_shown", count - shown);
  hp_json_integer(j, "freed_nobody_knows_where", hp_objects_unknown(objects));
}

/* Members are numbers in "objects". */
static void put_excess(struct hp_json *j, const hp_objects *objects,
                       const struct hp_score_options *o,
                       const struct hp_excess_verdict *v) {
  if (!v) {
    hp_json_null(j, "excessive");
    return;
  }
  const bool by_ratio = o->excess.method == HP_EXCESS_IQR;
  hp_json_begin_object(j, "excessive");
  hp_json_string(j, "method", by_ratio ? "iqr" : "clusters");
  hp_json_string(j, "verdict", hp_verdict_of_excess_name(v->verdict));
  hp_json_integer(j, "objects", v->objects);
  if (by_ratio && v->verdict != HP_VERDICT_UNDETERMINED) {
    hp_json_number(j, "q1", v->q1);
    hp_json_number(j, "q3", v->q3);
    hp_json_number(j, "bound", v->bound);
  }
  if (!by_ratio)
    hp_json_integer(j, "clusters", v->clusters);
  hp_json_begin_array(j, "members");
  for (size_t i = 0; i < hp_object_count(objects); i++)
    if (hp_object_at(objects, i)->excessive)
      hp_json_integer(j, NULL, i);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

/* ---- points, as far as there is room ---------------------------------------- */

/* What is written, and how much: a stream that is a pipe does not say. */
struct counted {
  FILE *out;
  uint64_t bytes;
};

static ssize_t write_counted(void *cookie, const char *text, size_t size) {
  struct counted *to = cookie;
  const size_t written = fwrite(text, 1, size, to->out);
  to->bytes += written;
  return written ? (ssize_t)written : -1;
}

/* A point takes some kilobytes, and there may be millions: those beyond so many
   bytes are left out.  How many were written. */
static size_t put_points(struct hp_json *j,
                         const struct hp_point *const *points, size_t count,
                         uint64_t most) {
  struct counted to = {.out = j->out};
  FILE *stream =
      fopencookie(&to, "w", (cookie_io_functions_t){.write = write_counted});
  size_t i = 0;
  if (stream)
    j->out = stream;
  while (i < count && to.bytes < most && !ferror(to.out))
    put_point(j, points[i++]);
  if (stream && fclose(stream) != 0)
    i = 0; /* OUT has the error */
  j->out = to.out;
  return i;
}

static void say_left_out(size_t count, uint64_t most) {
  fprintf(
      stderr,
      "heapprof-score: %zu rows are left out, since those ahead of them take "
      "%" PRIu64 " bytes; %s--limit 0 writes all\n",
      count, most,
      most == HP_DEFAULT_JSON_BYTES ? "" : "without --json-bytes, ");
}

void hp_score_json(FILE *out, const struct hp_score_options *o,
                   const hp_profile *profile, const hp_findings *findings,
                   const hp_objects *objects,
                   const struct hp_excess_verdict *verdict,
                   const hp_globals *globals, const hp_member_types *members,
                   const hp_generations *generations,
                   const struct hp_point *const *points, size_t count) {
  struct hp_json j = {.out = out, .first = true};
  size_t shown = count < o->limit ? count : o->limit;
  bool grouped = hp_score_is_grouped(o);
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.score/1");
  hp_json_processes(&j, profile);
  hp_json_mappings(&j, profile, SIZE_MAX);
  hp_json_globals(&j, globals, SIZE_MAX);
  hp_json_begin_array(&j, "timelines");
  for (size_t i = 0; i < hp_process_count(profile); i++)
    hp_json_timeline(&j, hp_process_at(profile, i)->intervals,
                     hp_process_at(profile, i)->interval_count);
  hp_json_end_array(&j);
  hp_json_global(&j, profile);
  hp_json_set(&j, profile);
  hp_json_findings(&j, findings);
  put_objects(&j, objects, o->limit);
  put_excess(&j, objects, o, verdict);
  hp_json_members(&j, members, o->limit);
  hp_score_generations_json(&j, generations);
  if (grouped)
    hp_json_string(&j, "by", o->query.by);
  hp_json_begin_array(&j, grouped ? "groups" : "points");
  const size_t written = put_points(&j, points, shown, o->json_bytes);
  if (written < shown && !ferror(out))
    say_left_out(shown - written, o->json_bytes);
  hp_json_end_array(&j);
  hp_json_integer(&j, "not_shown", count - written);
  hp_json_end_object(&j);
}
