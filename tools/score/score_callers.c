/* score_callers.c - see score_callers.h: a table for each process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_callers.h"

#include "number_text.h"
#include "score_summary.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- threads ------------------------------------------------------------- */

static int by_bytes(const void *left, const void *right) {
  const struct hp_thread_use *a = *(const struct hp_thread_use *const *)left;
  const struct hp_thread_use *b = *(const struct hp_thread_use *const *)right;
  if (a->bytes != b->bytes)
    return a->bytes < b->bytes ? 1 : -1;
  return (a->number > b->number) - (a->number < b->number);
}

static void put_thread(FILE *out, const struct hp_thread_use *t) {
  char name[32];
  snprintf(name, sizeof name, t->number ? "%" PRIu64 "%s" : "%.0" PRIu64 "%s",
           t->number,
           t->number == 1 ? " main"
           : t->number    ? ""
                          : "others");
  fprintf(out, "%-10s %11s %10s %11s %10s %10s %10s %10s %10s\n", name,
          hp_count_text(t->allocations).s, hp_bytes_text(t->bytes).s,
          hp_count_text(t->frees).s, hp_count_text(t->foreign_frees).s,
          hp_bytes_text(t->live_bytes).s, hp_bytes_text(t->peak_bytes).s,
          hp_duration_text((double)t->allocator_ns).s,
          t->stack_bytes ? hp_bytes_text(t->stack_deepest).s : "-");
}

static void put_threads(FILE *out, const struct hp_process *p, size_t limit) {
  const size_t count = p->thread_use_count;
  const struct hp_thread_use **rows = calloc(count + 1, sizeof *rows);
  for (size_t i = 0; rows && i < count; i++)
    rows[i] = &p->thread_uses[i];
  if (rows)
    qsort(rows, count, sizeof *rows, by_bytes);
  fprintf(out, "%-10s %11s %10s %11s %10s %10s %10s %10s %10s\n", "thread",
          "allocations", "bytes", "frees", "of others", "live", "peak", "time",
          "stack");
  for (size_t i = 0; rows && i < count && i < limit; i++)
    put_thread(out, rows[i]);
  if (count > limit)
    fprintf(out, "%zu more\n", count - limit);
  free(rows);
}

static void put_sampled(FILE *out, const struct hp_process *p) {
  if (p->sampled)
    fputs("  estimates from samples; times are of these only\n", out);
}

void hp_score_threads(FILE *out, const hp_profile *profile, size_t limit,
                      size_t width) {
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    hp_score_program(out, p, width);
    put_sampled(out, p);
    if (p->thread_use_count)
      put_threads(out, p, limit);
    else
      fputs("  the dump does not tell of threads\n", out);
  }
}

/* ---- functions ----------------------------------------------------------- */

static void put_call(FILE *out, const struct hp_call_use *c) {
  fprintf(out, "%-16s %11s %10s", c->function, hp_count_text(c->calls).s,
          hp_bytes_text(c->bytes).s);
  if (!c->timed) {
    fprintf(out, " %9s %9s %9s %9s %9s\n", "-", "-", "-", "-", "0");
    return;
  }
  fprintf(out, " %9s", hp_duration_text(c->mean_ns).s);
  fprintf(out, " %9s",
          c->mean_error_ns < 0 ? "-" : hp_duration_text(c->mean_error_ns).s);
  fprintf(out, " %9s %9s %9s\n", hp_duration_text(c->median_ns).s,
          hp_duration_text(c->p99_ns).s, hp_count_text(c->timed).s);
}

void hp_score_calls(FILE *out, const hp_profile *profile, size_t width) {
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    hp_score_program(out, p, width);
    put_sampled(out, p);
    if (!p->call_use_count) {
      fputs("  the dump does not tell of functions\n", out);
      continue;
    }
    fprintf(out, "%-16s %11s %10s %9s %9s %9s %9s %9s\n", "function", "calls",
            "bytes", "mean", "error", "median", "p99", "timed");
    for (size_t k = 0; k < p->call_use_count; k++)
      put_call(out, &p->call_uses[k]);
    fprintf(out,
            "  one call in %u is timed, at random, %s; error: the "
            "standard error of the mean\n",
            p->timed_one_in,
            p->allocator ? "what the program's own allocator does in it"
                         : "with all that heapprof does in it");
  }
}
