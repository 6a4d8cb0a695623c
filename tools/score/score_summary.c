/* score_summary.c - what stands above the table: processes, totals, means,
   notes. Things that are as they should be are not mentioned.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_summary.h"

#include "heapprof_set.h"
#include "note_lines.h"
#include "number_text.h"
#include "score_process.h"
#include "text_column.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HP_PROCESSES_MAX 5u /* an MPI run may have thousands */

/* "PROGRAM ARGS (pid N, rank R)": the arguments give way, not the rest. */
void hp_score_program(FILE *out, const struct hp_process *p, size_t width) {
  char tail[128];
  size_t used = hp_text_width(p->program), limit;
  snprintf(tail, sizeof tail, " (pid %" PRIu64 "%s%.40s)", p->pid,
           p->rank ? ", rank " : "", p->rank ? p->rank : "");
  limit = width > hp_text_width(tail) ? width - hp_text_width(tail) : 0;
  if (used > limit) {
    hp_text_fit(out, p->program, limit, HP_CUT_FRONT);
  } else {
    hp_text_put(out, p->program);
    for (size_t i = 1; i < p->arg_count; i++) {
      size_t size = hp_text_width(p->args[i]) + 1;
      bool last = i + 1 == p->arg_count;
      if (used + size + (last ? 0 : 3) > limit) {
        if (used + 3 <= limit)
          fputs(" ..", out);
        break;
      }
      putc(' ', out);
      hp_text_put(out, p->args[i]);
      used += size;
    }
  }
  hp_text_put(out, tail);
  putc('\n', out);
}

static const char *mark(bool sampled) { return sampled ? "~" : ""; }

static void put_sampling(FILE *out, const struct hp_process *p) {
  fprintf(out, "  sampled one for every %s %s, seed %" PRIu64 ": ",
          p->sample_every ? hp_count_text(p->sample_every).s
                          : hp_bytes_text(p->sample_bytes).s,
          p->sample_every ? "allocations" : "allocated", p->sample_seed);
  fprintf(out, "%s of %s chunks (%s)\n", hp_count_text(p->samples).s,
          hp_count_text(p->requests).s, hp_bytes_text(p->request_bytes).s);
  if (!p->heap.peak)
    return;
  fprintf(out, "  counted of all chunks: peak %s",
          hp_bytes_text(p->heap.peak).s);
  if (p->heap.peak_error)
    fprintf(out, " +- %s", hp_bytes_text(p->heap.peak_error).s);
  fprintf(out, ", live at the end %s\n", hp_bytes_text(p->heap.bytes).s);
}

static void put_process(FILE *out, const struct hp_process *p, size_t width) {
  hp_score_program(out, p, width);
  fprintf(out, "  ran %s, ended: ", hp_duration_text((double)p->window_ns).s);
  hp_text_put(out, p->ended);
  if (p->has_exit_status)
    fprintf(out, " with status %" PRIu64, p->exit_status);
  if (!p->complete)
    fputs(", it seems", out);
  fprintf(out, ", peak %s%s", mark(p->sampled), hp_bytes_text(p->peak_bytes).s);
  if (p->peak_resident_bytes)
    fprintf(out, " (%s resident)", hp_bytes_text(p->peak_resident_bytes).s);
  fprintf(out, ", live at the end %s%s\n", mark(p->sampled),
          hp_bytes_text(p->live_bytes_at_end).s);
  if (p->sampled)
    put_sampling(out, p);
  hp_score_peak_memory(out, p, width);
  if (p->failed_requests)
    fprintf(out, "  failed requests %s (%s)\n",
            hp_count_text(p->failed_requests).s,
            hp_bytes_text(p->failed_bytes).s);
  if (p->invalid_frees)
    fprintf(out, "  invalid frees %s, see the program's standard error\n",
            hp_count_text(p->invalid_frees).s);
}

static void put_means(FILE *out, const char *name,
                      const struct hp_global_score *g, bool at_least) {
  fprintf(out, "  %-16s %7s %6s %9s %7s\n", name,
          hp_mean_text(g->geomean, at_least).s,
          hp_mean_text(g->mean, at_least).s, hp_score_text(g->variance).s,
          hp_count_text(g->points).s);
}

#define HP_MODULES_NAMED 3u /* the others are a number */

void hp_score_modules(FILE *out, const hp_profile *profile,
                      size_t (*count_of)(const hp_profile *profile),
                      const char *(*at)(const hp_profile *profile, size_t i)) {
  size_t count = count_of(profile);
  for (size_t i = 0; i < count && i < HP_MODULES_NAMED; i++) {
    const char *path = at(profile, i), *slash = strrchr(path, '/');
    fputs(i ? ", " : "", out);
    hp_text_put(out, slash && slash[1] ? slash + 1 : path);
  }
  if (count > HP_MODULES_NAMED)
    fprintf(out, ", %zu more", count - HP_MODULES_NAMED);
}

/* BEFORE, some of the names, AFTER; nothing if there are no names. */
static void put_likely(FILE *out, const hp_profile *profile, size_t width,
                       const char *before,
                       size_t (*count_of)(const hp_profile *profile),
                       const char *(*at)(const hp_profile *profile, size_t i),
                       const char *after) {
  char *text = NULL;
  size_t size = 0;
  FILE *line = count_of(profile) ? open_memstream(&text, &size) : NULL;
  if (!line)
    return;
  fprintf(line, "what is said of accesses is likely, not certain: %s (",
          before);
  hp_score_modules(line, profile, count_of, at);
  fprintf(line, ") %s", after);
  if (fclose(line) == 0)
    hp_text_wrap(out, "note: ", text, width);
  free(text);
}

/* What the other code accesses can only be more than was seen. */
static void put_shared(FILE *out, const hp_profile *profile, size_t width) {
  put_likely(out, profile, width, "code without hooks",
             hp_profile_reached_count, hp_profile_reached_at,
             "may access what the program gives it; build that with heapprof, "
             "too");
  put_likely(out, profile, width, "parts without hooks of modules with hooks",
             hp_profile_mixed_count, hp_profile_mixed_at,
             "may access what the program gives them: assembly, objects of "
             "another compiler, functions left out");
  put_likely(out, profile, width, "modules with hooks", hp_profile_unread_count,
             hp_profile_unread_at,
             "may have code without, too, which their files, that are not "
             "there as they were loaded, would tell");
  put_likely(out, profile, width, "functions of libc",
             hp_profile_uncounted_count, hp_profile_uncounted_at,
             "may access what the program gives them, and that is not counted");
}

/* Of the set's points, below what is said of all. */
static void put_set(FILE *out, const hp_profile *profile, size_t width) {
  const struct hp_chunk_set *set = hp_profile_set(profile);
  const struct hp_global *g = hp_profile_global(profile);
  if (!set)
    return;
  const char *m = mark(set->estimated);
  putc('\n', out);
  hp_text_wrap(out, "set: ", set->filter, width);
  fprintf(out, "  points %s of %s", hp_count_text(set->points).s,
          hp_count_text(g->points).s);
  if (set->parts)
    fprintf(out, " (%s in part)", hp_count_text(set->parts).s);
  fprintf(out, ", chunks %s%s of %s, bytes %s%s", m,
          hp_count_text(set->chunks).s, hp_count_text(g->chunks).s, m,
          hp_bytes_text(set->bytes).s);
  if (set->peak_known)
    fprintf(out, ", peak %s%s", m, hp_bytes_text(set->peak_bytes).s);
  fprintf(out, ", live %s%s\n", m, hp_bytes_text(set->live_bytes).s);
  put_means(out, "lifetime", &set->lifetime, false);
  put_means(out, "usage", &set->usage, g->shared_points != 0);
  put_means(out, "useful life", &set->useful_lifetime, g->shared_points != 0);
}

void hp_score_summary(FILE *out, const hp_profile *profile, size_t width) {
  const struct hp_global *g = hp_profile_global(profile);
  size_t processes = hp_process_count(profile);
  for (size_t i = 0; i < processes && i < HP_PROCESSES_MAX; i++)
    put_process(out, hp_process_at(profile, i), width);
  if (processes > HP_PROCESSES_MAX)
    fprintf(out, "%zu more process%s\n", processes - HP_PROCESSES_MAX,
            processes == HP_PROCESSES_MAX + 1 ? "" : "es");
  const char *m = mark(g->sampled);
  fprintf(out, "  points %s, chunks %s%s, bytes %s%s, peak %s%s\n\n",
          hp_count_text(g->points).s, m, hp_count_text(g->chunks).s, m,
          hp_bytes_text(g->bytes).s, m, hp_bytes_text(g->peak_bytes).s);
  fprintf(out, "  %-16s %7s %6s %9s %7s\n", "score (1 = best)", "geomean",
          "mean", "variance", "points");
  put_means(out, "lifetime", &g->lifetime, false);
  put_means(out, "usage", &g->usage, g->shared_points != 0);
  put_means(out, "useful life", &g->useful_lifetime, g->shared_points != 0);
  if (g->unknown_points)
    fprintf(out,
            "  not in usage, useful life: %s point%s of unknown accesses, "
            "%s%s chunk%s\n",
            hp_count_text(g->unknown_points).s,
            g->unknown_points == 1 ? "" : "s", m,
            hp_count_text(g->unknown_chunks).s,
            g->unknown_chunks == 1 ? "" : "s");
  put_set(out, profile, width);
  if (g->shared_points) {
    putc('\n', out);
    put_shared(out, profile, width);
  }
  if (hp_profile_note_count(profile) && !g->shared_points)
    putc('\n', out);
  hp_put_notes(out, profile, width);
  putc('\n', out);
}
