/* diff_table.c - the table of two runs: totals, then rows by their change.
   Signs and words say what colour says; fits the terminal's width.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1 /* asprintf */
#include "diff.h"

#include "function_text.h"
#include "heapprof_set.h"
#include "names.h"
#include "note_lines.h"
#include "number_text.h"
#include "site_text.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HP_DUMPS_NAMED 5u     /* an MPI run may have thousands */
#define HP_NUMBER_COLUMNS 51u /* of a row, up to the site */

static const char *sign(uint64_t from, uint64_t to) {
  return to > from ? "+" : to < from ? "-" : "";
}

static struct hp_number_text change(bool is_bytes, uint64_t from, uint64_t to) {
  uint64_t by = to > from ? to - from : from - to;
  struct hp_number_text text = {""}, number;
  if (by == 0) {
    strcpy(text.s, "0");
    return text;
  }
  number = is_bytes ? hp_bytes_text(by) : hp_count_text(by);
  snprintf(text.s, sizeof text.s, "%s%.30s", sign(from, to), number.s);
  return text;
}

static void put_ratio(FILE *out, uint64_t from, uint64_t to) {
  if (from && to / from >= 10)
    fprintf(out, " x%.3g", (double)to / (double)from);
  else if (from && from != to)
    fprintf(out, " %+.1f%%", ((double)to - (double)from) * 100 / (double)from);
}

/* With "~" if it is ESTIMATED from samples. */
static struct hp_number_text marked(bool estimated, bool is_bytes,
                                    uint64_t value) {
  struct hp_number_text text = {""}, number;
  number = is_bytes ? hp_bytes_text(value) : hp_count_text(value);
  snprintf(text.s, sizeof text.s, "%s%.30s", estimated ? "~" : "", number.s);
  return text;
}

static void put_total(FILE *out, const struct hp_diff *d, const char *name,
                      enum hp_diff_metric metric) {
  uint64_t from = d->totals[0][metric], to = d->totals[1][metric];
  bool is_bytes = metric != HP_DIFF_chunks;
  fprintf(out, "  %-12s %8s %8s %9s", name,
          marked(hp_profile_global(d->old_profile)->sampled, is_bytes, from).s,
          marked(hp_profile_global(d->new_profile)->sampled, is_bytes, to).s,
          change(is_bytes, from, to).s);
  put_ratio(out, from, to);
  putc('\n', out);
}

/* SHARED: of which sides code that nobody saw may have accessed more. */
static void put_score(FILE *out, const char *name, double from, double to,
                      const bool *shared) {
  fprintf(out, "  %-12s %8s %8s", name, hp_mean_text(from, shared[0]).s,
          hp_mean_text(to, shared[1]).s);
  if (from >= 0 && to >= 0)
    fprintf(out, " %+9.2f", to - from);
  putc('\n', out);
}

/* The dumps of a side; of those of a server's children the first few are named. */
static void put_dumps(FILE *out, const char *name, const hp_profile *profile) {
  size_t named = 0, left = 0;
  for (size_t i = 0, next; i < hp_process_count(profile); i = next) {
    const char *dump = hp_process_at(profile, i)->dump;
    next = i + 1;
    while (next < hp_process_count(profile) &&
           strcmp(hp_process_at(profile, next)->dump, dump) == 0)
      next++;
    if (named++ >= HP_DUMPS_NAMED) {
      left++;
      continue;
    }
    fprintf(out, "%s: ", i ? "   " : name);
    hp_text_put(out, dump);
    if (next > i + 1)
      fprintf(out, " (%zu processes)", next - i);
    putc('\n', out);
  }
  if (left)
    fprintf(out, "   : %zu more dump%s\n", left, left == 1 ? "" : "s");
}

static void put_side(FILE *out, const char *name, const hp_profile *profile,
                     size_t width) {
  put_dumps(out, name, profile);
  hp_put_notes(out, profile, width);
}

static void put_totals(FILE *out, const struct hp_diff *d, size_t width) {
  const struct hp_global *a = hp_profile_global(d->old_profile);
  const struct hp_global *b = hp_profile_global(d->new_profile);
  const struct hp_chunk_set *of = hp_profile_set(d->old_profile);
  const struct hp_chunk_set *to = hp_profile_set(d->new_profile);
  const bool is_set = of && to && of->is_of_log;
  put_side(out, "old", d->old_profile, width);
  put_side(out, "new", d->new_profile, width);
  if (of)
    hp_text_wrap(out, "set: ", of->filter, width);
  fprintf(out, "\n  %-12s %8s %8s %9s\n", is_set ? "of the set" : "total",
          "old", "new", "change");
  put_total(out, d, "bytes", HP_DIFF_bytes);
  put_total(out, d, "chunks", HP_DIFF_chunks);
  put_total(out, d, "peak", HP_DIFF_peak);
  put_total(out, d, "live at end", HP_DIFF_live);
  const bool shared[2] = {a->shared_points != 0, b->shared_points != 0};
  const bool certain[2] = {false, false};
#define SCORE(name, member, shared)                                            \
  put_score(out, name, is_set ? of->member.geomean : a->member.geomean,        \
            is_set ? to->member.geomean : b->member.geomean, shared)
  SCORE("lifetime", lifetime, certain);
  SCORE("usage", usage, shared);
  SCORE("useful life", useful_lifetime, shared);
#undef SCORE
  putc('\n', out);
}

/* The two metrics whose change stands beside the one that is sorted by. */
static const enum hp_diff_metric beside[HP_DIFF_METRIC_COUNT][2] = {
    [HP_DIFF_bytes] = {HP_DIFF_chunks, HP_DIFF_peak},
    [HP_DIFF_chunks] = {HP_DIFF_bytes, HP_DIFF_peak},
    [HP_DIFF_peak] = {HP_DIFF_chunks, HP_DIFF_bytes},
    [HP_DIFF_live] = {HP_DIFF_chunks, HP_DIFF_bytes}};

static struct hp_number_text change_of(enum hp_diff_metric metric,
                                       const struct hp_pair *pair) {
  return change(metric != HP_DIFF_chunks,
                hp_diff_value(metric, pair->old_point),
                hp_diff_value(metric, pair->new_point));
}

static const char *color_of(const struct hp_diff *d,
                            const struct hp_diff_row *row) {
  uint64_t from = hp_diff_value(d->metric, row->pair.old_point);
  uint64_t to = hp_diff_value(d->metric, row->pair.new_point);
  return row->noise  ? "\033[2m"
         : to > from ? "\033[31m"
         : to < from ? "\033[32m"
                     : "";
}

static void put_type(FILE *out, const char *name, size_t width) {
  char *text = name ? hp_type_short(name) : NULL;
  hp_text_fit(out, text ? text : name ? name : "-", width, HP_CUT_BACK);
  free(text);
}

/* Of points and groups that are of one frame, that. */
static const struct hp_frame *frame_of(const struct hp_diff *d,
                                       const struct hp_point *p) {
  const bool is_placed = !d->by || strcmp(d->by, "place") == 0;
  return is_placed && p->place                     ? p->place
         : is_placed || strcmp(d->by, "site") == 0 ? p->site
                                                   : NULL;
}

static void put_row(FILE *out, const struct hp_diff *d,
                    const struct hp_diff_row *row, size_t site, bool color) {
  const struct hp_point *o = row->pair.old_point, *n = row->pair.new_point;
  const struct hp_point *any = n ? n : o;
  bool is_bytes = d->metric != HP_DIFF_chunks;
  uint64_t from = hp_diff_value(d->metric, o);
  uint64_t to = hp_diff_value(d->metric, n);
  const char *begin = color ? color_of(d, row) : "";
  fprintf(out, "%s%-4s %8s %8s %9s %8s %8s ", begin,
          !o   ? "new"
          : !n ? "gone"
               : "",
          marked(o && o->samples, is_bytes, from).s,
          marked(n && n->samples, is_bytes, to).s,
          change_of(d->metric, &row->pair).s,
          change_of(beside[d->metric][0], &row->pair).s,
          change_of(beside[d->metric][1], &row->pair).s);
  if (!any->key) { /* NOLINT(clang-analyzer-core.NullDereference): a pair is of one at least */
    size_t type = site * 2 / 5;
    hp_site_fit(out, frame_of(d, any), site - type - 1);
    putc(' ', out);
    put_type(out, any->type, type);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): who has a key was grouped by it */
  } else if (strcmp(d->by, "type") == 0) {
    put_type(out, any->key, site);
  } else if (strcmp(d->by, "function") == 0) {
    hp_site_fit_function(out, any->key, site);
  } else if (frame_of(d, any)) {
    hp_site_fit(out, frame_of(d, any), site);
  } else {
    hp_text_fit(out, any->key, site, HP_CUT_FRONT);
  }
  fputs(*begin ? "\033[0m\n" : "\n", out);
}

/* " (was NAME)" where the function of the frame has another name now. */
static char *renamed(const struct hp_pair *pair, size_t i) {
  const struct hp_point *o = pair->old_point, *n = pair->new_point;
  const bool is_one_stack = o && n && o->stack_count == n->stack_count;
  const char *was = is_one_stack ? o->stack[i]->function : NULL;
  char *text = NULL, *brief;
  if (!was || !n->stack[i]->function ||
      hp_compare_names(was, n->stack[i]->function) == 0)
    return NULL;
  brief = hp_function_short(was);
  if (asprintf(&text, " (was %s)", brief ? brief : was) < 0)
    text = NULL;
  free(brief);
  return text;
}

static void put_stack(FILE *out, const struct hp_pair *pair) {
  const struct hp_point *o = pair->old_point, *n = pair->new_point;
  const struct hp_point *any = n ? n : o;
  fputs("    ", out);
  if (o)
    fprintf(out, "old point #%" PRIu64 "%s", o->id, n ? ", " : "\n");
  if (n)
    fprintf(out, "new point #%" PRIu64 "\n", n->id);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a pair is of one at least */
  for (size_t i = 0, run; i < any->stack_count; i += run) {
    char *remark = renamed(pair, i);
    run = remark ? 1 : hp_site_run(any->stack + i, any->stack_count - i);
    hp_site_put_run(out, any->stack, i, run, remark ? remark : "");
    free(remark);
  }
}

static void put_rows(FILE *out, const struct hp_diff *d,
                     const struct hp_diff_look *look) {
  size_t site = look->width - HP_NUMBER_COLUMNS, shown = 0, rest = 0, noise = 0;
  const bool color = look->color;
  for (size_t i = 0; i < d->count && !ferror(out); i++) {
    const struct hp_diff_row *row = &d->rows[i];
    if (row->noise && !look->all) {
      noise += strcmp(hp_diff_status(&row->pair), "same") != 0;
    } else if (shown == look->limit) {
      rest++;
    } else {
      if (shown++ == 0)
        fprintf(out, "%s%-4s %8s %8s %9s %8s %8s %s%s\n",
                color ? "\033[1m" : "", "", "old", "new",
                hp_diff_metric_name(d->metric),
                hp_diff_metric_name(beside[d->metric][0]),
                hp_diff_metric_name(beside[d->metric][1]),
                d->by ? d->by : "place", color ? "\033[0m" : "");
      put_row(out, d, row, site, color);
      if (look->stacks)
        put_stack(out, &row->pair);
    }
  }
  if (shown == 0)
    fprintf(out, "no change of %g%% of a total or more\n", d->threshold);
  if (rest)
    fprintf(out, "%zu more not shown; --limit 0 shows all\n", rest);
  if (noise)
    fprintf(out,
            "%zu more changed by less than %g%% of the totals; --all shows "
            "them\n",
            noise, d->threshold);
}

/* "full", or how it was sampled. */
static struct hp_number_text extent_of(const hp_profile *profile) {
  struct hp_number_text text = {"full"};
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    if (p->sample_every)
      snprintf(text.s, sizeof text.s, "1 in %" PRIu64, p->sample_every);
    else if (p->sample_bytes)
      snprintf(text.s, sizeof text.s, "1 in %" PRIu64 " B", p->sample_bytes);
  }
  return text;
}

/* Chance alone makes points differ, and leaves out small ones. */
static void put_sampling(FILE *out, const struct hp_diff *d) {
  if (hp_profile_global(d->old_profile)->sampled ||
      hp_profile_global(d->new_profile)->sampled)
    fprintf(out,
            "note: estimates from samples (~), old %s, new %s; what differs "
            "may be chance, and small points may be missing\n",
            extent_of(d->old_profile).s, extent_of(d->new_profile).s);
}

/* Of a merged dump a point is of several processes. */
static bool is_of_each_process(const hp_profile *profile,
                               const struct hp_point *point) {
  return point && point->process && hp_process_count(profile) > 1;
}

static void put_processes(FILE *out, const struct hp_diff *d, size_t width) {
  for (size_t i = 0; !d->by && i < d->count; i++)
    if (is_of_each_process(d->old_profile, d->rows[i].pair.old_point) ||
        is_of_each_process(d->new_profile, d->rows[i].pair.new_point)) {
      hp_text_wrap(out, "note: ",
                   "each process has points of its own, which go together with "
                   "those of any process; to add them up give --by place, or "
                   "what heapprof-merge makes of each run",
                   width);
      return;
    }
}

static bool is_by(const struct hp_diff *d, const char *what) {
  return d->by && strcmp(d->by, what) == 0;
}

/* What only one of the programs has is no change of the other. */
static void put_naming(FILE *out, const struct hp_diff *d, size_t width) {
  for (int low = 0; low < 2; low++) {
    const bool *a = d->has[low], *b = d->has[!low];
    const char *text = NULL;
    if (is_by(d, "type") || is_by(d, "module"))
      return;
    if (a[HP_ADDRESSES] && !b[HP_ADDRESSES])
      text = d->by ? "has functions without names (is it stripped?), which the "
                     "other program has: their rows are gone and new; give "
                     "--by type, or leave --by out"
                   : "has functions without names (is it stripped?), which the "
                     "other program has: points go together by addresses, or "
                     "by modules, type, chunks and bytes; of the others nobody "
                     "knows";
    else if (d->by && b[HP_LINES] && !a[HP_LINES])
      text = is_by(d, "function")
                 ? "has no lines (was it built without -g?), which the other "
                   "has: what is inlined counts for the function it is in"
                 : "has no lines (was it built without -g?), which the other "
                   "has: rows are gone and new; give --by function, or leave "
                   "--by out";
    if (text) {
      char *note = NULL;
      if (asprintf(&note, "the %s program %s", low ? "new" : "old", text) < 0)
        note = NULL;
      hp_text_wrap(out, "note: ", note ? note : text, width);
      free(note);
    }
  }
}

void hp_diff_table(FILE *out, const struct hp_diff *d,
                   const struct hp_diff_look *look) {
  put_totals(out, d, look->width);
  put_sampling(out, d);
  put_processes(out, d, look->width);
  put_naming(out, d, look->width);
  put_rows(out, d, look);
}
