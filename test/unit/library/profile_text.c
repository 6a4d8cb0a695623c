/* profile_text.c - prints processes, global scores and points.
   Twelve digits, which no libm disagrees about.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *or_null(const char *text) { return text ? text : "null"; }

static void number(FILE *to, const char *name, uint64_t value) {
  fprintf(to, " %s=%" PRIu64, name, value);
}

static void print_process(FILE *to, const struct hp_process *p) {
  fprintf(to, "process %s host=%s ended=%s complete=%d", p->program,
          or_null(p->host), p->ended, p->complete);
  for (size_t i = 0; i < p->arg_count; i++)
    fprintf(to, " arg=%s", p->args[i]);
  number(to, "pid", p->pid);
  number(to, "window_ns", p->window_ns);
  number(to, "allocations", p->allocations);
  number(to, "frees", p->frees);
  number(to, "failed", p->failed_requests);
  number(to, "peak", p->peak_bytes);
  number(to, "live", p->live_bytes_at_end);
  number(to, "kept", p->chunks_kept);
  number(to, "dropped_points", p->dropped_points);
  number(to, "dropped_chunks", p->dropped_chunks);
  number(to, "tick_max", p->tick_max);
  fprintf(to, " ticks_per_ns=%.12g\n", p->ticks_per_ns);
}

static void print_means(FILE *to, const char *name,
                        const struct hp_global_score *score) {
  fprintf(to, " %s=%.12g,%.12g,%.12g,%" PRIu64, name, score->geomean,
          score->mean, score->variance, score->points);
}

static void print_range(FILE *to, const char *name,
                        const struct hp_min_mean_max *range) {
  if (range->defined)
    fprintf(to, " %s=%" PRIu64 ",%.12g,%" PRIu64, name, range->min, range->mean,
            range->max);
  else
    fprintf(to, " %s=null", name);
}

static void print_freed(FILE *to, const struct hp_freed *freed) {
  fprintf(to, " freed=%" PRIu64 "*%" PRIu64 " lived=%.12g %d%d%d%d by=",
          freed->chunks, freed->size, freed->lived_ns, freed->sizes_vary,
          freed->reallocated, freed->site_is_all, freed->stack_is_all);
  for (size_t i = 0; i < freed->stack_count; i++)
    fprintf(to, "%s+%" PRIx64 ";", or_null(freed->stack[i]->module),
            freed->stack[i]->address);
}

static void print_point(FILE *to, const struct hp_point *p) {
  fprintf(to, "point %" PRIu64 " type=%s by=%s", p->id, or_null(p->type),
          or_null(p->type_provenance));
  number(to, "chunks", p->chunks);
  number(to, "bytes", p->bytes);
  number(to, "peak", p->peak_bytes);
  number(to, "at_global_peak", p->bytes_at_global_peak);
  number(to, "live_chunks", p->live_chunks);
  number(to, "live_bytes", p->live_bytes);
  print_range(to, "size", &p->size);
  print_range(to, "lifetime_ns", &p->lifetime_ns);
  number(to, "reads", p->reads);
  number(to, "writes", p->writes);
  number(to, "accessed", p->bytes_accessed);
  number(to, "saturated", p->counts_saturated);
  number(to, "groups", p->groups);
  number(to, "singletons", p->singleton_groups);
  fprintf(to,
          " lifetime=%.12g usage=%.12g useful=%.12g error=%.12g severity=%.12g "
          "colour=%d",
          p->scores.lifetime, p->scores.usage, p->scores.useful_lifetime,
          p->scores.useful_lifetime_error, p->severity, p->colour);
  fprintf(to, " growth=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 " stack=",
          p->growth.length, p->growth.first_size, p->growth.last_size,
          p->growth.copied_bytes);
  for (size_t i = 0; i < p->stack_count; i++)
    fprintf(to, "%s%s+%" PRIx64, i ? ";" : "", or_null(p->stack[i]->module),
            p->stack[i]->address);
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (p->inferences[i].chunks)
      fprintf(to, " %s=%" PRIu64 ",%" PRIu64 "%s",
              hp_inference_name((enum hp_inference)i), p->inferences[i].chunks,
              p->inferences[i].bytes, p->inferences[i].flagged ? "!" : "");
  for (size_t i = 0; i < p->freed_count; i++)
    print_freed(to, &p->freed[i]);
  fputc('\n', to);
}

char *hp_profile_text(hp_profile *profile) {
  char *text = NULL;
  size_t size = 0, count;
  FILE *to = open_memstream(&text, &size);
  const struct hp_query query = {.sz = sizeof query};
  const struct hp_point *const *points;
  struct hp_error error;
  if (!to ||
      hp_profile_query(profile, &query, &points, &count, &error) != HP_OK)
    abort();
  for (size_t i = 0; i < hp_process_count(profile); i++)
    print_process(to, hp_process_at(profile, i));
  const struct hp_global *g = hp_profile_global(profile);
  fputs("global", to);
  print_means(to, "lifetime", &g->lifetime);
  print_means(to, "usage", &g->usage);
  print_means(to, "useful", &g->useful_lifetime);
  number(to, "points", g->points);
  number(to, "chunks", g->chunks);
  number(to, "bytes", g->bytes);
  number(to, "peak", g->peak_bytes);
  number(to, "allocator_ns", g->time_in_allocator_ns);
  fputc('\n', to);
  for (size_t i = 0; i < count; i++)
    print_point(to, points[i]);
  if (fclose(to) != 0)
    abort();
  return text;
}
