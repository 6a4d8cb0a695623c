/* profile_json.c - processes, totals, frames and findings as JSON members.
   Undefined is null; addresses are strings, as JSON numbers may lose bits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile_json.h"

#include <inttypes.h>
#include <stdio.h>

void hp_json_score(struct hp_json *j, const char *key, double score) {
  if (score < 0)
    hp_json_null(j, key);
  else
    hp_json_number(j, key, score);
}

void hp_json_known(struct hp_json *j, const char *key, uint64_t number) {
  if (number)
    hp_json_integer(j, key, number);
  else
    hp_json_null(j, key);
}

/* A number by its name in JSON. */
struct count {
  const char *name;
  uint64_t value;
};

static void put_counts(struct hp_json *j, const struct count *counts,
                       size_t count) {
  for (size_t i = 0; i < count; i++)
    hp_json_integer(j, counts[i].name, counts[i].value);
}

/* The object NAME begins with COUNTS, or is null if the first of them is 0: then
   false, and it is done. */
static bool begin_counts(struct hp_json *j, const char *name,
                         const struct count *counts, size_t count) {
  if (!counts->value) {
    hp_json_null(j, name);
    return false;
  }
  hp_json_begin_object(j, name);
  put_counts(j, counts, count);
  return true;
}
#define COUNTS_OF(counts) counts, sizeof(counts) / sizeof *(counts)

/* "budget" is a log that keeps some chunks only. */
static void put_chunk_log(struct hp_json *j, const struct hp_process *p) {
  uint64_t of = p->sampled ? p->samples : p->allocations;
  hp_json_begin_object(j, "chunk_log");
  hp_json_string(j, "mode",
                 p->chunks_kept >= of ? "all"
                 : p->chunks_kept     ? "budget"
                                      : "none");
  hp_json_integer(j, "kept", p->chunks_kept);
  hp_json_integer(j, "of", of);
  hp_json_integer(j, "back_pressure", p->back_pressure);
  hp_json_end_object(j);
}

static void put_sampling(struct hp_json *j, const struct hp_process *p) {
  if (!p->sampled) {
    hp_json_null(j, "sampling");
    return;
  }
  hp_json_begin_object(j, "sampling");
  hp_json_string(j, "mode", p->sample_every ? "every" : "bytes");
  hp_json_integer(j, "interval",
                  p->sample_every ? p->sample_every : p->sample_bytes);
  hp_json_integer(j, "seed", p->sample_seed);
  hp_json_integer(j, "samples", p->samples);
  hp_json_integer(j, "requests", p->requests);
  hp_json_integer(j, "request_bytes", p->request_bytes);
  if (p->heap.peak) {
    hp_json_integer(j, "heap_bytes", p->heap.bytes);
    hp_json_integer(j, "heap_peak", p->heap.peak);
    hp_json_integer(j, "heap_peak_error", p->heap.peak_error);
  }
  hp_json_end_object(j);
}

static void put_estimate(struct hp_json *j, const struct hp_point *p) {
  if (!p->samples) {
    hp_json_null(j, "estimate");
    return;
  }
  hp_json_begin_object(j, "estimate");
  hp_json_integer(j, "samples", p->samples);
  hp_json_begin_object(j, "error");
  hp_json_number(j, "chunks", p->errors.chunks);
  hp_json_number(j, "bytes", p->errors.bytes);
  hp_json_number(j, "usage", p->errors.usage);
  hp_json_number(j, "useful_lifetime", p->errors.useful_lifetime);
  hp_json_number(j, "peak_bytes", p->errors.peak);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

/* "NAME_bytes" for each part. */
static void put_memory(struct hp_json *j, const char *key,
                       const struct hp_memory_use *use) {
  if (!use->rss) {
    hp_json_null(j, key);
    return;
  }
  hp_json_begin_object(j, key);
  hp_json_integer(j, "at_ns", use->at_ns);
  hp_json_integer(j, "rss_bytes", use->rss);
  for (int i = 0; i < HP_PART_COUNT; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s_bytes",
             hp_memory_part_name((enum hp_memory_part)i));
    hp_json_integer(j, name, use->parts[i]);
  }
  hp_json_end_object(j);
}

static void put_mapped(struct hp_json *j, const struct hp_process *p) {
  const struct hp_mapped_sum *m = &p->mapped;
  if (!m->known) {
    hp_json_null(j, "mapped");
    return;
  }
  const struct count sums[] = {{"live_bytes", m->live_bytes},
                               {"peak_bytes", m->peak_bytes},
                               {"peak_ns", m->peak_ns}};
  const struct count calls[] = {{"mmap", m->maps},
                                {"munmap", m->unmaps},
                                {"mremap", m->remaps},
                                {"brk", m->breaks},
                                {"failed", m->failed}};
  hp_json_begin_object(j, "mapped");
  put_counts(j, COUNTS_OF(sums));
  hp_json_begin_object(j, "calls");
  put_counts(j, COUNTS_OF(calls));
  hp_json_end_object(j);
  hp_json_integer(j, "lost_bytes", m->lost_bytes);
  if (p->memory_at_end.rss)
    hp_json_integer(j, "unseen_resident_bytes", m->unseen_bytes);
  else
    hp_json_null(j, "unseen_resident_bytes");
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
  hp_json_known(j, "cpu_ns", p->cpu_ns);
  hp_json_known(j, "stale_ms", p->stale_ms);
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
  hp_json_known(j, "peak_resident_bytes", p->peak_resident_bytes);
  hp_json_integer(j, "live_bytes_at_end", p->live_bytes_at_end);
  put_chunk_log(j, p);
  hp_json_begin_array(j, "marks");
  for (size_t i = 0; i < p->mark_count; i++) {
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "at_ns", p->marks[i].at_ns);
    hp_json_string(j, "name", p->marks[i].name);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
  hp_json_begin_object(j, "dropped");
  hp_json_integer(j, "points", p->dropped_points);
  hp_json_integer(j, "chunks", p->dropped_chunks);
  hp_json_end_object(j);
  hp_json_begin_object(j, "unprofiled");
  hp_json_integer(j, "chunks", p->unprofiled_chunks);
  hp_json_integer(j, "bytes", p->unprofiled_bytes);
  hp_json_end_object(j);
  put_sampling(j, p);
  hp_json_string(j, "allocator", p->allocator);
  hp_json_string(j, "leak_check", p->leak_check);
  hp_json_begin_object(j, "process_memory");
  put_memory(j, "peak", &p->memory_at_peak);
  put_memory(j, "end", &p->memory_at_end);
  hp_json_end_object(j);
  put_mapped(j, p);
  hp_json_end_object(j);
}

void hp_json_means(struct hp_json *j, const char *key,
                   const struct hp_global_score *g) {
  hp_json_begin_object(j, key);
  hp_json_score(j, "geomean", g->geomean);
  hp_json_score(j, "mean", g->mean);
  hp_json_score(j, "variance", g->variance);
  hp_json_integer(j, "points", g->points);
  hp_json_end_object(j);
}

void hp_json_global(struct hp_json *j, const hp_profile *profile) {
  const struct hp_global *g = hp_profile_global(profile);
  hp_json_begin_object(j, "global");
  hp_json_means(j, "lifetime", &g->lifetime);
  hp_json_means(j, "usage", &g->usage);
  hp_json_means(j, "useful_lifetime", &g->useful_lifetime);
  hp_json_integer(j, "points", g->points);
  hp_json_integer(j, "chunks", g->chunks);
  hp_json_integer(j, "bytes", g->bytes);
  hp_json_integer(j, "peak_bytes", g->peak_bytes);
  hp_json_integer(j, "peak_touched_bytes", g->peak_touched_bytes);
  hp_json_integer(j, "peak_memory_bytes", g->peak_memory_bytes);
  hp_json_integer(j, "time_in_allocator_ns", g->time_in_allocator_ns);
  hp_json_begin_object(j, "accesses_unknown");
  hp_json_integer(j, "points", g->unknown_points);
  hp_json_integer(j, "chunks", g->unknown_chunks);
  hp_json_integer(j, "bytes", g->unknown_bytes);
  hp_json_begin_array(j, "modules");
  for (size_t i = 0; i < hp_profile_unseen_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_unseen_at(profile, i));
  hp_json_end_array(j);
  hp_json_end_object(j);
  hp_json_begin_object(j, "accesses_shared");
  hp_json_integer(j, "points", g->shared_points);
  hp_json_begin_array(j, "modules");
  for (size_t i = 0; i < hp_profile_reached_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_reached_at(profile, i));
  for (size_t i = 0; i < hp_profile_mixed_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_mixed_at(profile, i));
  hp_json_end_array(j);
  hp_json_begin_array(j, "unread");
  for (size_t i = 0; i < hp_profile_unread_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_unread_at(profile, i));
  hp_json_end_array(j);
  hp_json_begin_array(j, "functions");
  for (size_t i = 0; i < hp_profile_uncounted_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_uncounted_at(profile, i));
  hp_json_end_array(j);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

void hp_json_amounts(struct hp_json *j, const struct hp_point *p) {
  hp_json_integer(j, "chunks", p->chunks);
  hp_json_integer(j, "bytes", p->bytes);
  hp_json_integer(j, "peak_bytes", p->peak_bytes);
  hp_json_bool(j, "estimated", p->estimated);
  put_estimate(j, p);
  hp_json_integer(j, "live_chunks", p->live_chunks);
  hp_json_integer(j, "live_bytes", p->live_bytes);
  hp_json_integer(j, "reads", p->reads);
  hp_json_integer(j, "writes", p->writes);
  hp_json_integer(j, "bytes_accessed", p->bytes_accessed);
}

static void put_pages(struct hp_json *j, const char *name,
                      const struct hp_pages *pages) {
  const struct count counts[] = {
      {"chunks", pages->chunks},
      {"bytes", pages->bytes},
      {"touched_bytes", pages->touched},
      {"resident_bytes", pages->resident},
      {"unused_chunks", pages->unused_chunks},
      {"unused_bytes", pages->unused_bytes},
      {"sparse_chunks", pages->sparse_chunks},
      {"sparse_bytes", pages->sparse_bytes},
      {"sparse_touched_bytes", pages->sparse_touched}};
  if (begin_counts(j, name, COUNTS_OF(counts)))
    hp_json_end_object(j);
}

void hp_json_pages(struct hp_json *j, const struct hp_point *p) {
  put_pages(j, "pages", &p->pages);
  put_pages(j, "sampled_pages", &p->sampled_pages);
  if (!p->stale.chunks) {
    hp_json_null(j, "stale");
    return;
  }
  hp_json_begin_object(j, "stale");
  hp_json_integer(j, "chunks", p->stale.chunks);
  hp_json_integer(j, "resident_bytes", p->stale.resident);
  hp_json_integer(j, "stale_bytes", p->stale.stale);
  hp_json_end_object(j);
}

void hp_json_resizes(struct hp_json *j, const struct hp_point *p) {
  const struct hp_resizes *r = &p->resizes;
  const struct count counts[] = {{"calls", r->calls},
                                 {"in_place", r->in_place},
                                 {"moved_bytes", r->moved_bytes},
                                 {"grown", r->grown},
                                 {"grown_bytes", r->grown_bytes},
                                 {"shrunk", r->shrunk},
                                 {"shrunk_bytes", r->shrunk_bytes},
                                 {"jump_from", r->jump_from},
                                 {"jump_to", r->jump_to}};
  if (begin_counts(j, "resizes", COUNTS_OF(counts)))
    hp_json_end_object(j);
}

void hp_json_teardown(struct hp_json *j, const struct hp_point *p) {
  const struct hp_teardown *t = &p->teardown;
  const struct count counts[] = {{"watched_chunks", t->watched},
                                 {"freed_chunks", t->freed},
                                 {"torn_chunks", t->torn},
                                 {"late_chunks", t->late},
                                 {"unread_chunks", t->unread}};
  if (!begin_counts(j, "teardown", COUNTS_OF(counts)))
    return;
  hp_json_score(j, "useful_lifetime", t->useful_lifetime);
  hp_json_score(j, "settled_lifetime", t->settled_lifetime);
  hp_json_frame(j, "reader", t->reader, false);
  hp_json_end_object(j);
}

void hp_json_initialised(struct hp_json *j, const struct hp_point *p) {
  const struct hp_initialised *i = &p->initialised;
  const struct count counts[] = {{"chunks", i->chunks},
                                 {"lost_chunks", i->lost},
                                 {"filled_chunks", i->filled},
                                 {"bytes", i->bytes},
                                 {"only_bytes", i->only}};
  if (!begin_counts(j, "initialised", COUNTS_OF(counts)))
    return;
  hp_json_frame(j, "reader", i->reader, false);
  hp_json_end_object(j);
}

void hp_json_contents(struct hp_json *j, const struct hp_point *p) {
  const struct hp_contents *c = &p->contents;
  const struct count seen[] = {{"chunks", c->chunks},
                               {"bytes", c->bytes},
                               {"parts_chunks", c->parts_chunks},
                               {"zero_bytes", c->zero_bytes},
                               {"uniform_chunks", c->uniform_chunks},
                               {"uniform_bytes", c->uniform_bytes},
                               {"sparse_chunks", c->sparse_chunks},
                               {"sparse_bytes", c->sparse_bytes},
                               {"different", c->different},
                               {"different_bytes", c->different_bytes},
                               {"unkept", c->unkept}};
  const struct count of_all[] = {
      {"different", c->all_different},
      {"different_bytes", c->all_different_bytes},
      {"sparse_chunks", c->all_sparse_chunks},
      {"sparse_bytes", c->all_sparse_bytes},
      {"sparse_zero_bytes", c->all_sparse_zero_bytes}};
  if (!begin_counts(j, "contents", COUNTS_OF(seen)))
    return;
  hp_json_begin_object(j, "of_all");
  put_counts(j, COUNTS_OF(of_all));
  hp_json_end_object(j);
  hp_json_end_object(j);
}

void hp_json_blocks(struct hp_json *j, const struct hp_point *p) {
  const struct hp_blocks *b = &p->blocks;
  const struct count counts[] = {
      {"chunks", b->chunks},           {"bytes", b->bytes},
      {"objects", b->objects},         {"object_bytes", b->object_bytes},
      {"most_bytes", b->most_bytes},   {"mean_bytes", b->mean_bytes},
      {"idle_chunks", b->idle_chunks}, {"idle_bytes", b->idle_bytes}};
  hp_json_string(j, "pool", p->pool);
  if (begin_counts(j, "blocks", COUNTS_OF(counts)))
    hp_json_end_object(j);
}

void hp_json_accesses(struct hp_json *j, const struct hp_point *p) {
  hp_json_bool(j, "accesses_known", p->accesses_known);
  hp_json_bool(j, "accesses_shared", p->accesses_shared);
  hp_json_integer(j, "unknown_chunks", p->unknown_chunks);
}

void hp_json_scores(struct hp_json *j, const struct hp_scores *scores) {
  hp_json_score(j, "lifetime", scores->lifetime);
  hp_json_score(j, "usage", scores->usage);
  hp_json_score(j, "useful_lifetime", scores->useful_lifetime);
}

void hp_json_stack(struct hp_json *j, const struct hp_point *p) {
  hp_json_begin_array(j, "stack");
  for (size_t i = 0; i < p->stack_count; i++)
    hp_json_frame(j, NULL, p->stack[i], true);
  hp_json_end_array(j);
}

void hp_json_frame(struct hp_json *j, const char *key, const struct hp_frame *f,
                   bool in_stack) {
  char address[20];
  if (!f) {
    hp_json_null(j, key);
    return;
  }
  hp_json_begin_object(j, key);
  hp_json_string(j, "function", f->function);
  hp_json_string(j, "file", f->file);
  hp_json_known(j, "line", f->line);
  if (f->line_is_near)
    hp_json_bool(j, "line_is_near", true);
  hp_json_known(j, "column", f->column);
  hp_json_string(j, "module", f->module);
  if (in_stack) {
    snprintf(address, sizeof address, "0x%" PRIx64, f->address);
    hp_json_string(j, "address", address);
    hp_json_bool(j, "inlined", f->inlined);
  }
  hp_json_end_object(j);
}

static void put_called_by(struct hp_json *j, const struct hp_finding *f) {
  hp_json_begin_array(j, "called_by");
  for (size_t i = 0; i < f->caller_count; i++)
    hp_json_frame(j, NULL, f->callers[i], false);
  hp_json_end_array(j);
  hp_json_bool(j, "called_by_others", f->callers_vary);
  hp_json_frame(j, "through", f->through, false);
  hp_json_bool(j, "through_others", f->through_varies);
}

/* What is said of the place of another finding. */
static void put_also(struct hp_json *j, const struct hp_finding *f) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "rule", f->rule);
  hp_json_string(j, "action", f->action);
  hp_json_bool(j, "certain", f->certain);
  hp_json_string(j, "text", f->text);
  hp_json_string(j, "remedy", f->remedy);
  hp_json_frame(j, "site", f->place, false);
  hp_json_integer(j, "chunks", f->chunks);
  hp_json_integer(j, "bytes", f->bytes);
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < f->point_count; i++)
    hp_json_integer(j, NULL, f->points[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_finding(struct hp_json *j, const struct hp_finding *f) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "rule", f->rule);
  hp_json_string(j, "action", f->action);
  hp_json_bool(j, "certain", f->certain);
  hp_json_bool(j, "estimated", f->estimated);
  hp_json_bool(j, "by_pages", f->by_pages);
  hp_json_bool(j, "at_least", f->at_least);
  hp_json_string(j, "text", f->text);
  hp_json_string(j, "remedy", f->remedy);
  hp_json_string(j, "subject", f->subject);
  hp_json_frame(j, "site", f->place, false);
  put_called_by(j, f);
  hp_json_frame(j, "freed_by", f->freed_by, false);
  hp_json_bool(j, "freed_by_others", f->freed_by_others);
  hp_json_integer(j, "chunks", f->chunks);
  hp_json_integer(j, "bytes", f->bytes);
  hp_json_begin_object(j, "saves");
  hp_json_integer(j, "chunks", f->saved_chunks);
  hp_json_integer(j, "peak_bytes", f->saved_peak_bytes);
  hp_json_integer(j, "peak_memory_bytes", f->saved_peak_memory);
  hp_json_integer(j, "copied_bytes", f->saved_copied_bytes);
  hp_json_integer(j, "wasted_bytes", f->wasted_bytes);
  hp_json_end_object(j);
  hp_json_begin_object(j, "shares");
  hp_json_score(j, "allocations", f->share_of_allocations);
  hp_json_score(j, "peak", f->share_of_peak);
  hp_json_score(j, "memory", f->share_of_memory);
  hp_json_score(j, "bytes", f->share_of_bytes);
  hp_json_score(j, "time", f->share_of_time);
  hp_json_end_object(j);
  hp_json_number(j, "cost_ns", f->cost_ns);
  hp_json_begin_array(j, "points");
  for (size_t i = 0; i < f->point_count; i++)
    hp_json_integer(j, NULL, f->points[i]);
  hp_json_end_array(j);
  hp_json_integer(j, "other_lines", f->other_lines);
  hp_json_integer(j, "other_instances", f->other_instances);
  hp_json_begin_array(j, "also");
  for (size_t i = 0; i < f->also_count; i++)
    put_also(j, f->also[i]);
  hp_json_end_array(j);
  hp_json_end_object(j);
}

void hp_json_findings(struct hp_json *j, const hp_findings *findings) {
  hp_json_begin_array(j, "findings");
  for (size_t i = 0; i < hp_finding_count(findings); i++)
    put_finding(j, hp_finding_at(findings, i));
  hp_json_end_array(j);
  hp_json_integer(j, "findings_too_small", hp_finding_small_count(findings));
  hp_json_number(j, "findings_too_small_share",
                 hp_finding_small_share(findings));
}

/* THIS is the number of P among the processes. */
static void put_threads(struct hp_json *j, const struct hp_process *p,
                        size_t this) {
  for (size_t i = 0; i < p->thread_use_count; i++) {
    const struct hp_thread_use *t = &p->thread_uses[i];
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "process", this);
    hp_json_integer(j, "thread", t->number);
    hp_json_integer(j, "allocations", t->allocations);
    hp_json_integer(j, "bytes", t->bytes);
    hp_json_integer(j, "frees", t->frees);
    hp_json_integer(j, "foreign_frees", t->foreign_frees);
    hp_json_integer(j, "live_bytes", t->live_bytes);
    hp_json_integer(j, "peak_bytes", t->peak_bytes);
    hp_json_integer(j, "allocator_ns", t->allocator_ns);
    hp_json_known(j, "stack_bytes", t->stack_bytes);
    hp_json_known(j, "stack_deepest_bytes", t->stack_deepest);
    if (t->stack_bytes)
      hp_json_integer(j, "stack_resident_bytes", t->stack_resident);
    else
      hp_json_null(j, "stack_resident_bytes");
    hp_json_end_object(j);
  }
}

static void put_time(struct hp_json *j, const char *key,
                     const struct hp_call_use *c, double ns) {
  if (c->timed)
    hp_json_number(j, key, ns);
  else
    hp_json_null(j, key);
}

static void put_functions(struct hp_json *j, const struct hp_process *p,
                          size_t this) {
  for (size_t i = 0; i < p->call_use_count; i++) {
    const struct hp_call_use *c = &p->call_uses[i];
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "process", this);
    hp_json_string(j, "function", c->function);
    hp_json_integer(j, "calls", c->calls);
    hp_json_integer(j, "bytes", c->bytes);
    hp_json_integer(j, "timed", c->timed);
    hp_json_integer(j, "timed_one_in", p->timed_one_in);
    put_time(j, "mean_ns", c, c->mean_ns);
    if (c->mean_error_ns < 0)
      hp_json_null(j, "mean_error_ns");
    else
      hp_json_number(j, "mean_error_ns", c->mean_error_ns);
    put_time(j, "median_ns", c, c->median_ns);
    put_time(j, "p99_ns", c, c->p99_ns);
    hp_json_end_object(j);
  }
}

static void put_callers(struct hp_json *j, const char *key,
                        const hp_profile *profile,
                        void (*put)(struct hp_json *j,
                                    const struct hp_process *p, size_t this)) {
  hp_json_begin_array(j, key);
  for (size_t i = 0; i < hp_process_count(profile); i++)
    put(j, hp_process_at(profile, i), i);
  hp_json_end_array(j);
}

void hp_json_processes(struct hp_json *j, const hp_profile *profile) {
  hp_json_begin_array(j, "processes");
  for (size_t i = 0; i < hp_process_count(profile); i++)
    put_process(j, hp_process_at(profile, i));
  hp_json_end_array(j);
  put_callers(j, "threads", profile, put_threads);
  put_callers(j, "functions", profile, put_functions);
  hp_json_begin_array(j, "warnings");
  for (size_t i = 0; i < hp_profile_note_count(profile); i++)
    hp_json_string(j, NULL, hp_profile_note_at(profile, i));
  hp_json_end_array(j);
}
