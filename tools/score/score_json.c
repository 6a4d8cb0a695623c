/* score_json.c - writes the document heapprof.score/1.
   Undefined is null; addresses are strings, as JSON numbers may lose bits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_json.h"

#include "json_writer.h"

#include <inttypes.h>
#include <string.h>

static void put_score(struct hp_json *j, const char *key, double score) {
  if (score < 0)
    hp_json_null(j, key);
  else
    hp_json_number(j, key, score);
}

/* "budget" is a log that keeps some chunks only. */
static void put_chunk_log(struct hp_json *j, const struct hp_process *p) {
  hp_json_begin_object(j, "chunk_log");
  hp_json_string(j, "mode",
                 p->chunks_kept >= p->allocations ? "all"
                 : p->chunks_kept                 ? "budget"
                                                  : "none");
  hp_json_integer(j, "kept", p->chunks_kept);
  hp_json_integer(j, "of", p->allocations);
  hp_json_end_object(j);
}

static void put_process(struct hp_json *j, const struct hp_process *p) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "dump", p->dump);
  hp_json_string(j, "program", p->program);
  hp_json_begin_array(j, "args");
  for (size_t i = 0; i < p->arg_count; i++)
    hp_json_string(j, NULL, p->args[i]);
  hp_json_end_array(j);
  hp_json_integer(j, "pid", p->pid);
  hp_json_integer(j, "parent", p->parent);
  hp_json_string(j, "host", p->host);
  hp_json_string(j, "rank", p->rank);
  hp_json_integer(j, "window_ns", p->window_ns);
  hp_json_string(j, "ended", p->ended);
  hp_json_bool(j, "complete", p->complete);
  if (p->has_exit_status)
    hp_json_integer(j, "exit_status", p->exit_status);
  else
    hp_json_null(j, "exit_status");
  hp_json_integer(j, "allocations", p->allocations);
  hp_json_integer(j, "frees", p->frees);
  hp_json_integer(j, "failed_requests", p->failed_requests);
  hp_json_integer(j, "failed_bytes", p->failed_bytes);
  hp_json_integer(j, "inherited_frees", p->inherited_frees);
  hp_json_integer(j, "invalid_frees", p->invalid_frees);
  hp_json_integer(j, "threads", p->threads);
  hp_json_integer(j, "peak_bytes", p->peak_bytes);
  hp_json_integer(j, "live_bytes_at_end", p->live_bytes_at_end);
  put_chunk_log(j, p);
  hp_json_begin_object(j, "dropped");
  hp_json_integer(j, "points", p->dropped_points);
  hp_json_integer(j, "chunks", p->dropped_chunks);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

static void put_global_score(struct hp_json *j, const char *key,
                             const struct hp_global_score *g) {
  hp_json_begin_object(j, key);
  put_score(j, "geomean", g->geomean);
  put_score(j, "mean", g->mean);
  put_score(j, "variance", g->variance);
  hp_json_integer(j, "points", g->points);
  hp_json_end_object(j);
}

static void put_global(struct hp_json *j, const struct hp_global *g) {
  hp_json_begin_object(j, "global");
  put_global_score(j, "lifetime", &g->lifetime);
  put_global_score(j, "usage", &g->usage);
  put_global_score(j, "useful_lifetime", &g->useful_lifetime);
  hp_json_integer(j, "points", g->points);
  hp_json_integer(j, "chunks", g->chunks);
  hp_json_integer(j, "bytes", g->bytes);
  hp_json_integer(j, "peak_bytes", g->peak_bytes);
  hp_json_integer(j, "time_in_allocator_ns", g->time_in_allocator_ns);
  hp_json_end_object(j);
}

static void put_number_or_null(struct hp_json *j, const char *key,
                               uint32_t number) {
  if (number)
    hp_json_integer(j, key, number);
  else
    hp_json_null(j, key);
}

/* A site is a frame without the two members that tell where in a stack it is.
 */
static void put_frame(struct hp_json *j, const char *key,
                      const struct hp_frame *f, bool in_stack) {
  char address[20];
  if (!f) {
    hp_json_null(j, key);
    return;
  }
  hp_json_begin_object(j, key);
  hp_json_string(j, "function", f->function);
  hp_json_string(j, "file", f->file);
  put_number_or_null(j, "line", f->line);
  put_number_or_null(j, "column", f->column);
  hp_json_string(j, "module", f->module);
  if (in_stack) {
    snprintf(address, sizeof address, "0x%" PRIx64, f->address);
    hp_json_string(j, "address", address);
    hp_json_bool(j, "inlined", f->inlined);
  }
  hp_json_end_object(j);
}

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
    }
    hp_json_end_object(j);
  }
  hp_json_end_object(j);
}

static void put_scores(struct hp_json *j, const struct hp_point *p) {
  hp_json_begin_object(j, "scores");
  put_score(j, "lifetime", p->scores.lifetime);
  put_score(j, "usage", p->scores.usage);
  put_score(j, "useful_lifetime", p->scores.useful_lifetime);
  if (p->scores.useful_lifetime < 0 && p->scores.useful_lifetime_error <= 0)
    hp_json_null(j, "useful_lifetime_error");
  else
    hp_json_number(j, "useful_lifetime_error", p->scores.useful_lifetime_error);
  hp_json_end_object(j);
  hp_json_integer(j, "groups", p->groups);
  hp_json_integer(j, "singleton_groups", p->singleton_groups);
  put_score(j, "severity", p->severity);
  if (p->colour < 0)
    hp_json_null(j, "colour");
  else
    hp_json_integer(j, "colour", (uint64_t)p->colour);
}

/* 0 stands for unknown. */
static void put_known(struct hp_json *j, const char *key, uint64_t number) {
  if (number)
    hp_json_integer(j, key, number);
  else
    hp_json_null(j, key);
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
  put_known(j, "element_size", p->element_size);
  put_known(j, "elements", p->elements);
  put_frame(j, "site", p->site, false);
  hp_json_integer(j, "chunks", p->chunks);
  hp_json_integer(j, "bytes", p->bytes);
  hp_json_integer(j, "peak_bytes", p->peak_bytes);
  hp_json_integer(j, "bytes_at_global_peak", p->bytes_at_global_peak);
  hp_json_integer(j, "live_chunks", p->live_chunks);
  hp_json_integer(j, "live_bytes", p->live_bytes);
  put_min_mean_max(j, "size", &p->size);
  put_min_mean_max(j, "lifetime_ns", &p->lifetime_ns);
  hp_json_integer(j, "reads", p->reads);
  hp_json_integer(j, "writes", p->writes);
  hp_json_bool(j, "counts_saturated", p->counts_saturated);
  hp_json_integer(j, "bytes_accessed", p->bytes_accessed);
  put_scores(j, p);
  put_inferences(j, p);
  hp_json_begin_object(j, "threads");
  hp_json_integer(j, "multithread_chunks", p->multithread_chunks);
  hp_json_integer(j, "freed_elsewhere", p->freed_elsewhere);
  hp_json_end_object(j);
  hp_json_begin_array(j, "stack");
  for (size_t i = 0; i < p->stack_count; i++)
    put_frame(j, NULL, &p->stack[i], true);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_finding(struct hp_json *j, const struct hp_finding *f) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "rule", hp_finding_rule_name(f->rule));
  hp_json_string(j, "action", hp_finding_rule_verb(f->rule));
  hp_json_bool(j, "certain", f->certain);
  hp_json_string(j, "text", f->text);
  hp_json_string(j, "remedy", f->remedy);
  hp_json_string(j, "subject", f->subject);
  put_frame(j, "site", f->place, false);
  hp_json_integer(j, "chunks", f->chunks);
  hp_json_integer(j, "bytes", f->bytes);
  hp_json_begin_object(j, "saves");
  hp_json_integer(j, "chunks", f->saved_chunks);
  hp_json_integer(j, "peak_bytes", f->saved_peak_bytes);
  hp_json_integer(j, "copied_bytes", f->saved_copied_bytes);
  hp_json_end_object(j);
  hp_json_begin_object(j, "shares");
  put_score(j, "allocations", f->share_of_allocations);
  put_score(j, "peak", f->share_of_peak);
  put_score(j, "bytes", f->share_of_bytes);
  hp_json_end_object(j);
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < f->point_count; i++)
    hp_json_integer(j, NULL, f->points[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_findings(struct hp_json *j, const hp_findings *findings) {
  hp_json_begin_array(j, "findings");
  for (size_t i = 0; i < hp_finding_count(findings); i++)
    put_finding(j, hp_finding_at(findings, i));
  hp_json_end_array(j);
  hp_json_integer(j, "findings_too_small", hp_finding_small_count(findings));
}

void hp_score_json(FILE *out, const struct hp_score_options *o,
                   const hp_profile *profile, const hp_findings *findings,
                   const struct hp_point *const *points, size_t count) {
  struct hp_json j = {.out = out, .first = true};
  size_t shown = count < o->limit ? count : o->limit;
  bool grouped = o->query.by && strcmp(o->query.by, "point") != 0;
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.score/1");
  hp_json_begin_array(&j, "processes");
  for (size_t i = 0; i < hp_process_count(profile); i++)
    put_process(&j, hp_process_at(profile, i));
  hp_json_end_array(&j);
  hp_json_begin_array(&j, "warnings");
  for (size_t i = 0; i < hp_profile_note_count(profile); i++)
    hp_json_string(&j, NULL, hp_profile_note_at(profile, i));
  hp_json_end_array(&j);
  put_global(&j, hp_profile_global(profile));
  put_findings(&j, findings);
  if (grouped)
    hp_json_string(&j, "by", o->query.by);
  hp_json_begin_array(&j, grouped ? "groups" : "points");
  for (size_t i = 0; i < shown && !ferror(out); i++)
    put_point(&j, points[i]);
  hp_json_end_array(&j);
  hp_json_integer(&j, "not_shown", count - shown);
  hp_json_end_object(&j);
}
