/* comparison_json.c - a comparison as JSON, docs/heapprof.allocators.schema.json, and as the page around it.
   What is not known is null.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocators_page.h"
#include "comparison.h"

#include "json_writer.h"

#include <string.h>
#include <sys/wait.h>

static void put_share(struct hp_json *j, const char *key, double share) {
  if (share == HP_METER_NONE)
    hp_json_null(j, key);
  else
    hp_json_number(j, key, share);
}

static void put_text(struct hp_json *j, const char *key, const char *text) {
  if (text)
    hp_json_string(j, key, text);
  else
    hp_json_null(j, key);
}

static void put_known(struct hp_json *j, const char *key, bool known,
                      uint64_t number) {
  if (known)
    hp_json_integer(j, key, number);
  else
    hp_json_null(j, key);
}

static void put_shares(struct hp_json *j,
                       const struct hp_meter_shares *shares) {
  put_share(j, "fragmentation_total", shares->fragmentation_total);
  put_share(j, "fragmentation_mean", shares->fragmentation_mean);
  put_share(j, "internal_fragmentation", shares->internal);
  put_share(j, "external_fragmentation", shares->external);
  put_share(j, "utilisation", shares->utilisation);
}

static void put_end(struct hp_json *j, int status) {
  put_known(j, "status", WIFEXITED(status), (uint64_t)WEXITSTATUS(status));
  put_known(j, "signal", WIFSIGNALED(status), (uint64_t)WTERMSIG(status));
}

static void put_functions(struct hp_json *j, const struct hp_result *r) {
  hp_json_begin_array(j, "functions");
  for (size_t i = 0; !r->unmetered && i < r->meter.function_count; i++) {
    const struct hp_meter_function_view *f = &r->meter.functions[i];
    hp_json_begin_object(j, NULL);
    hp_json_string(j, "function", f->name);
    hp_json_integer(j, "calls", f->calls);
    hp_json_integer(j, "bytes", f->bytes);
    hp_json_number(j, "mean_ns", f->mean_ns);
    hp_json_number(j, "median_ns", f->median_ns);
    hp_json_number(j, "p99_ns", f->p99_ns);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

static void put_sample(struct hp_json *j, const struct hp_meter_sample *s) {
  struct hp_meter_shares shares = hp_meter_shares_of(s);
  hp_json_begin_object(j, NULL);
  hp_json_integer(j, "at_ns", s->at_ns);
  hp_json_integer(j, "events", s->events);
  hp_json_integer(j, "chunks", s->chunks);
  hp_json_integer(j, "live_bytes", s->live_bytes);
  hp_json_integer(j, "usable_bytes", s->usable_bytes);
  hp_json_integer(j, "placed_bytes", s->placed_bytes);
  hp_json_integer(j, "span_bytes", s->span_bytes);
  hp_json_integer(j, "mapped_bytes", s->mapped_bytes);
  hp_json_integer(j, "resident_bytes", s->resident_bytes);
  hp_json_integer(j, "rss_bytes", s->rss_bytes);
  hp_json_integer(j, "regions", s->regions);
  hp_json_integer(j, "empty_regions", s->empty_regions);
  put_shares(j, &shares);
  hp_json_end_object(j);
}

static void put_samples(struct hp_json *j, const struct hp_result *r) {
  hp_json_begin_array(j, "samples");
  for (size_t i = 0; !r->unmetered && i < r->meter.sample_count; i++)
    put_sample(j, &r->meter.samples[i]);
  hp_json_end_array(j);
}

static void put_runs(struct hp_json *j, const struct hp_result *r) {
  bool counted = !r->uncounted;
  put_end(j, r->status);
  hp_json_integer(j, "user_ns", r->user_ns.median);
  hp_json_integer(j, "user_ns_least", r->user_ns.least);
  hp_json_integer(j, "user_ns_most", r->user_ns.most);
  hp_json_integer(j, "system_ns", r->system_ns.median);
  hp_json_integer(j, "elapsed_ns", r->elapsed_ns.median);
  hp_json_integer(j, "elapsed_ns_least", r->elapsed_ns.least);
  hp_json_integer(j, "elapsed_ns_most", r->elapsed_ns.most);
  hp_json_integer(j, "peak_rss_bytes", r->peak_rss_bytes.median);
  hp_json_integer(j, "page_faults", r->faults.median);
  put_text(j, "not_counted_because", r->uncounted);
  put_known(j, "brk_calls", counted, r->calls.brk);
  put_known(j, "mmap_calls", counted, r->calls.mmap);
  put_known(j, "munmap_calls", counted, r->calls.munmap);
  put_known(j, "mremap_calls", counted, r->calls.mremap);
  put_known(j, "madvise_calls", counted, r->calls.madvise);
}

static void put_arenas(struct hp_json *j, const struct hp_meter_view *m) {
  const struct hp_meter_arenas *a = &m->arenas;
  hp_json_begin_object(j, "glibc_arenas");
  hp_json_integer(j, "arenas", a->arenas);
  hp_json_integer(j, "heap_bytes", a->heap_bytes);
  hp_json_integer(j, "mmap_bytes", a->mmap_bytes);
  hp_json_integer(j, "mmap_chunks", a->mmap_chunks);
  hp_json_integer(j, "in_use_bytes", a->in_use_bytes);
  hp_json_integer(j, "cached_bytes", m->cached_bytes);
  hp_json_integer(j, "free_bytes", a->free_bytes);
  hp_json_integer(j, "free_chunks", a->free_chunks);
  hp_json_integer(j, "fast_bytes", a->fast_bytes);
  hp_json_integer(j, "fast_chunks", a->fast_chunks);
  hp_json_integer(j, "top_bytes", a->top_bytes);
  hp_json_integer(j, "system_bytes", a->system_bytes);
  hp_json_integer(j, "system_most_bytes", a->system_most_bytes);
  hp_json_end_object(j);
}

static void put_meter(struct hp_json *j, const struct hp_result *r) {
  const struct hp_meter_view *m = &r->meter;
  bool known = !r->unmetered;
  static const struct hp_meter_shares none = {HP_METER_NONE, HP_METER_NONE,
                                              HP_METER_NONE, HP_METER_NONE,
                                              HP_METER_NONE};
  put_text(j, "not_metered_because", r->unmetered);
  put_text(j, "library", known ? m->library : NULL);
  put_known(j, "allocations", known, m->allocations);
  put_known(j, "frees", known, m->frees);
  put_known(j, "requested_bytes", known, m->requested_bytes);
  put_known(j, "peak_live_bytes", known, m->peak_live_bytes);
  put_known(j, "live_bytes_at_end", known, m->live_bytes_at_end);
  put_known(j, "peak_mapped_bytes", known, m->peak_mapped_bytes);
  put_known(j, "peak_resident_bytes", known, m->peak_resident_bytes);
  put_known(j, "unknown_frees", known, m->unknown_frees);
  put_known(j, "lost_chunks", known, m->lost_chunks);
  put_shares(j, known ? &m->mean : &none);
  if (known && m->ended) {
    hp_json_begin_object(j, "at_end");
    put_shares(j, &m->end);
    hp_json_end_object(j);
  } else {
    hp_json_null(j, "at_end");
  }
  if (known && m->arenas.known)
    put_arenas(j, m);
  else
    hp_json_null(j, "glibc_arenas");
  put_functions(j, r);
  put_samples(j, r);
}

static void put_result(struct hp_json *j, const struct hp_result *r) {
  char text[4096];
  const struct hp_contender *c = r->contender;
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "name", c->name);
  put_text(j, "knob", c->knob);
  put_text(j, "value", c->value);
  hp_contender_environment(c, text, sizeof text);
  hp_json_string(j, "environment", text);
  put_runs(j, r);
  put_meter(j, r);
  hp_json_end_object(j);
}

static void put_recommendation(struct hp_json *j,
                               const struct hp_comparison *comparison) {
  char text[4096];
  size_t best = comparison->recommended;
  hp_json_begin_object(j, "recommendation");
  put_known(j, "allocator", best != 0, best);
  text[0] = '\0';
  if (best)
    hp_contender_environment(comparison->results[best].contender, text,
                             sizeof text);
  put_text(j, "environment", best ? text : NULL);
  hp_recommendation_text(comparison, text, sizeof text);
  hp_json_string(j, "text", text);
  hp_json_begin_array(j, "changes");
  for (size_t i = 0; i < comparison->change_count; i++) {
    hp_json_begin_object(j, NULL);
    hp_json_string(j, "metric", comparison->changes[i].metric);
    hp_json_integer(j, "from", comparison->changes[i].from);
    hp_json_integer(j, "to", comparison->changes[i].to);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
  hp_json_end_object(j);
}

static void put_missing(struct hp_json *j,
                        const struct hp_contenders *contenders) {
  hp_json_begin_array(j, "missing");
  for (size_t i = 0; i < contenders->missing_count; i++) {
    hp_json_begin_object(j, NULL);
    hp_json_string(j, "name", contenders->missing[i].name);
    hp_json_string(j, "library", contenders->missing[i].file);
    hp_json_string(j, "package", contenders->missing[i].package);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}

void hp_comparison_json(const struct hp_comparison *comparison, FILE *out,
                        bool inline_html) {
  struct hp_json j = {.out = out, .first = true, .inline_html = inline_html};
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.allocators/1");
  hp_json_string(&j, "program", comparison->program);
  hp_json_begin_array(&j, "arguments");
  for (char **a = comparison->arguments; *a; a++)
    hp_json_string(&j, NULL, *a);
  hp_json_end_array(&j);
  hp_json_integer(&j, "rounds", comparison->rounds);
  put_missing(&j, comparison->contenders);
  hp_json_begin_array(&j, "allocators");
  for (size_t i = 0; i < comparison->contenders->count; i++)
    put_result(&j, &comparison->results[i]);
  hp_json_end_array(&j);
  put_recommendation(&j, comparison);
  hp_json_end_object(&j);
  fputc('\n', out);
}

void hp_comparison_page(const struct hp_comparison *comparison, FILE *out) {
  fwrite(hp_allocators_page_head, 1, hp_allocators_page_head_size, out);
  hp_comparison_json(comparison, out, true);
  fwrite(hp_allocators_page_tail, 1, hp_allocators_page_tail_size, out);
}
