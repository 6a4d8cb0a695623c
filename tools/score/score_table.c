/* score_table.c - the table a person reads: summary, worst points, legend.
   Numbers take fixed columns, flags what they need, site and type the rest.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_table.h"

#include "number_text.h"
#include "score_details.h"
#include "score_summary.h"
#include "site_text.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row, with a blank between its columns:

     SITE  TYPE  chunks  bytes  peak  life  usage  useful  FLAGS
                    6       7     7     4     5       6

   USAGE and USEFUL only if accesses of a point are known, as with hooks. */
#define HP_NUMBER_COLUMNS (6u + 7u + 7u + 4u + 4u)
#define HP_ACCESS_COLUMNS (5u + 6u + 2u)
#define HP_TOUCHED_COLUMNS 8u /* where accesses are not seen and pages say it */
#define HP_POOL_COLUMNS 16u   /* at most: name of the pool */
#define HP_SITE_LEAST 28u     /* site and type, beside a pool */
#define HP_MARK_COLUMNS 3u    /* of estimates: chunks, bytes, peak */
#define HP_INEXACT 0.05       /* error of a useful life that deserves a "~" */

/* The letter of each inference in the flags column. */
static const char letters[] = {
    [HP_INF_unused] = 'U',          [HP_INF_write_only] = 'W',
    [HP_INF_read_only] = 'R',       [HP_INF_top_bytes] = 'B',
    [HP_INF_top_chunks] = 'C',      [HP_INF_growing] = 'G',
    [HP_INF_short_lived] = 'S',     [HP_INF_allocated_early] = 'E',
    [HP_INF_freed_late] = 'L',      [HP_INF_low_coverage] = 'P',
    [HP_INF_multithread] = 'T',     [HP_INF_freed_elsewhere] = 'X',
    [HP_INF_never_freed] = 'N',     [HP_INF_zero_size] = 'Z',
    [HP_INF_overrun] = 'O',         [HP_INF_lost] = 'A',
    [HP_INF_lost_indirectly] = 'I', [HP_INF_still_reachable] = 'H'};
_Static_assert(sizeof letters == HP_INF_COUNT, "a letter for each inference");

struct layout {
  FILE *out;
  const char *by;    /* heading of the first column */
  bool keyed;        /* it holds keys, not sites */
  bool typed;        /* which are types */
  bool named;        /* or functions */
  bool placed;       /* where a person can change something */
  size_t site, type; /* columns; type = 0: left out */
  size_t pool;       /* 0: left out */
  size_t flags;      /* 0: left out */
  bool accessed;     /* columns for what accesses tell */
  bool touched;      /* a column for bytes in touched pages */
  int mark;          /* a column for the "~" of estimates: 1 or 0 */
  bool color;
  size_t point; /* columns of the number of its point; 0: left out */
};

static bool is_inexact(const struct hp_point *p) {
  return p->scores.useful_lifetime >= 0 &&
         p->scores.useful_lifetime_error > HP_INEXACT;
}

/* What depends on accesses that nobody saw is no number, not even "none"; more
   accesses than were seen make it greater. */
static struct hp_number_text seen_score(const struct hp_point *p,
                                        double score) {
  struct hp_number_text text = {.s = "?"};
  if (p->accesses_known)
    text = hp_score_text(score);
  if (p->accesses_known && p->accesses_shared && score >= 0 && score < 0.995)
    snprintf(text.s, sizeof text.s, ">%.5s", hp_score_text(score).s);
  return text;
}

static bool is_unknown(const struct hp_point *p) {
  return p->scores.useful_lifetime < 0 && p->scores.useful_lifetime_error > 0;
}

/* NAME as people say it; owned by the caller. */
static char *type_of(const char *name) {
  char *text = name ? hp_type_short(name) : NULL;
  return text ? text : strdup(name ? name : "-");
}

static void put_type(FILE *out, const char *name, size_t width) {
  char *text = type_of(name);
  hp_text_fit(out, text ? text : "?", width, HP_CUT_BACK);
  free(text);
}

static size_t width_of_type(const char *name) {
  char *text = type_of(name);
  size_t width = text ? hp_text_width(text) : 1;
  free(text);
  return width;
}

static size_t count_flags(const struct hp_point *p) {
  size_t n = 0;
  for (int i = 0; i < HP_INF_COUNT; i++)
    n += p->inferences[i].flagged;
  return n;
}

/* "#608", or "#608+3" of four points, of which that has most bytes. */
static struct hp_number_text point_text(const struct hp_point *p) {
  struct hp_number_text text;
  if (p->members > 1)
    snprintf(text.s, sizeof text.s, "#%" PRIu64 "+%" PRIu64, p->largest,
             p->members - 1);
  else
    snprintf(text.s, sizeof text.s, "#%" PRIu64,
             p->members ? p->largest : p->id);
  return text;
}

static size_t at_least(size_t width, struct hp_number_text text) {
  return strlen(text.s) > width ? strlen(text.s) : width;
}

/* 0: no point is of one. */
static size_t width_of_pool(const struct hp_point *const *points,
                            size_t shown) {
  size_t width = 0;
  for (size_t i = 0; i < shown; i++)
    if (points[i]->pool && hp_text_width(points[i]->pool) > width)
      width = hp_text_width(points[i]->pool);
  if (!width)
    return 0;
  width = width < strlen("pool") ? strlen("pool") : width;
  return width < HP_POOL_COLUMNS ? width : HP_POOL_COLUMNS;
}

static struct layout lay_out(FILE *out, const struct hp_score_options *o,
                             const struct hp_point *const *points, size_t shown,
                             size_t width, bool color) {
  struct layout l = {.out = out, .color = color};
  size_t rest = width - HP_NUMBER_COLUMNS, widest = 4, most;
  for (size_t i = 0; i < shown; i++) {
    l.mark |= points[i]->samples != 0;
    l.accessed |= points[i]->accesses_known || points[i]->blocks.chunks;
    l.touched |= !points[i]->accesses_known && points[i]->pages.chunks;
  }
  rest -= l.accessed ? HP_ACCESS_COLUMNS + (size_t)l.mark : 0;
  rest -= l.touched ? HP_TOUCHED_COLUMNS + (size_t)l.mark : 0;
  rest -= l.mark ? HP_MARK_COLUMNS : 0;
  l.by = hp_score_is_grouped(o) ? o->query.by : "site";
  l.keyed = strcmp(l.by, "site") != 0 && strcmp(l.by, "place") != 0;
  l.placed = strcmp(l.by, "place") == 0 || !hp_score_is_grouped(o);
  for (size_t i = 0; i < shown && l.placed; i++)
    l.point = at_least(l.point ? l.point : strlen("#"), point_text(points[i]));
  rest -= l.point ? l.point + 1 : 0;
  l.typed = strcmp(l.by, "type") == 0;
  l.named = strcmp(l.by, "function") == 0;
  l.pool = width_of_pool(points, shown);
  if (rest < HP_SITE_LEAST + l.pool)
    l.pool = 0; /* --stacks says it */
  rest -= l.pool ? l.pool + 1 : 0;
  for (size_t i = 0; i < shown; i++) {
    size_t flags = count_flags(points[i]);
    size_t type = width_of_type(points[i]->type);
    if (flags > l.flags)
      l.flags = flags;
    if (type > widest)
      widest = type;
  }
  if (l.flags) {
    if (l.flags < strlen("flags"))
      l.flags = strlen("flags");
    rest -= l.flags + 1;
  }
  if (!l.keyed) {
    most = rest * 2 / 5;
    l.type = widest < most ? widest : most;
    rest -= l.type + 1;
  }
  l.site = rest;
  return l;
}

/* ---- rows ---------------------------------------------------------------- */

static void put_heading(const struct layout *l) {
  if (l->color)
    fputs("\033[1m", l->out);
  hp_text_fit(l->out, l->by, l->site, HP_CUT_BACK);
  if (l->type) {
    putc(' ', l->out);
    hp_text_fit(l->out, "type", l->type, HP_CUT_BACK);
  }
  if (l->pool) {
    putc(' ', l->out);
    hp_text_fit(l->out, "pool", l->pool, HP_CUT_BACK);
  }
  int m = l->mark;
  fprintf(l->out, " %*s %*s %*s", 6 + m, "chunks", 7 + m, "bytes", 7 + m,
          "peak");
  if (l->touched)
    fprintf(l->out, " %*s", 7 + m, "touched");
  fprintf(l->out, " %4s", "life");
  if (l->accessed)
    fprintf(l->out, " %*s %6s", 5 + m, "usage", "useful");
  fputs(l->flags ? " flags" : "", l->out);
  if (l->point)
    fprintf(l->out, "%*s#",
            (int)(l->flags ? l->flags + 1 - strlen("flags") : 1), "");
  fputs(l->color ? "\033[0m\n" : "\n", l->out);
}

/* From blue (best) through green and yellow to red, in the terminal's palette
   of 256. */
static void begin_color(const struct layout *l, int colour) {
  static const int palette[12] = {33,  38,  43,  48,  83,  118,
                                  154, 190, 220, 214, 208, 196};
  if (l->color && colour >= 0 && colour < 12)
    fprintf(l->out, "\033[38;5;%dm", palette[colour]);
}

static void end_color(const struct layout *l, int colour) {
  if (l->color && colour >= 0 && colour < 12)
    fputs("\033[0m", l->out);
}

static void put_accessed(const struct layout *l, const struct hp_point *p) {
  char useful[40];
  snprintf(useful, sizeof useful, "%s%s",
           is_inexact(p) || (p->samples && p->scores.useful_lifetime >= 0) ? "~"
                                                                           : "",
           seen_score(p, p->scores.useful_lifetime).s);
  fprintf(l->out, " %*s %6s", 5 + l->mark,
          hp_score_marked(p, seen_score(p, p->scores.usage)).s, useful);
}

static void put_row(const struct layout *l, const struct hp_point *p) {
  int m = l->mark;
  begin_color(l, p->colour);
  if (l->typed)
    put_type(l->out, p->key, l->site);
  else if (l->named)
    hp_site_fit_function(l->out, p->key, l->site);
  else if (l->keyed)
    hp_text_fit(l->out, p->key ? p->key : "-", l->site, HP_CUT_FRONT);
  else
    hp_site_fit(l->out, l->placed && p->place ? p->place : p->site, l->site);
  if (l->type) {
    putc(' ', l->out);
    put_type(l->out, p->type, l->type);
  }
  if (l->pool) {
    putc(' ', l->out);
    hp_text_fit(l->out, p->pool ? p->pool : "-", l->pool, HP_CUT_BACK);
  }
  fprintf(l->out, " %*s %*s %*s", 6 + m,
          hp_score_marked(p, hp_count_text(p->chunks)).s, 7 + m,
          hp_score_marked(p, hp_bytes_text(p->bytes)).s, 7 + m,
          hp_score_marked(p, hp_bytes_text(p->peak_bytes)).s);
  if (l->touched)
    fprintf(l->out, " %*s", 7 + m,
            p->pages.chunks
                ? hp_score_marked(p, hp_bytes_text(p->pages.touched)).s
                : "-");
  fprintf(l->out, " %4s", hp_score_text(p->scores.lifetime).s);
  if (l->accessed)
    put_accessed(l, p);
  if (count_flags(p))
    putc(' ', l->out);
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (p->inferences[i].flagged)
      putc(letters[i], l->out);
  if (l->point)
    fprintf(
        l->out, "%*s%s",
        (int)(l->flags ? l->flags + 1 - count_flags(p) + !count_flags(p) : 1),
        "", point_text(p).s);
  end_color(l, p->colour);
  putc('\n', l->out);
}

/* ---- what stands below --------------------------------------------------- */

static void put_flag_legend(FILE *out, const struct hp_point *const *points,
                            size_t shown) {
  const char *heading = "flags:";
  for (int i = 0; i < HP_INF_COUNT; i++) {
    bool used = false;
    for (size_t k = 0; k < shown && !used; k++)
      used = points[k]->inferences[i].flagged;
    if (used) {
      fprintf(out, "%-6s %c %-15s %s\n", heading, letters[i],
              hp_inference_name((enum hp_inference)i),
              hp_inference_text((enum hp_inference)i));
      heading = "";
    }
  }
}

static void put_unseen_legend(const struct layout *l, const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t shown) {
  FILE *out = l->out;
  bool used = false, is_cut = false;
  for (size_t k = 0; k < shown; k++) {
    used = used || (!points[k]->accesses_known && !points[k]->blocks.chunks);
    is_cut = is_cut || points[k]->blocks.chunks;
  }
  if (is_cut)
    fputs("? cut up into objects of a pool, which have accesses of their own\n",
          out);
  if (!used)
    return;
  fputs(l->accessed ? "? " : "no usage or useful life, ", out);
  if (!hp_profile_unseen_has_module(profile)) { /* nobody can build that */
    fputs("accesses not seen: allocated by code in no module that is known\n",
          out);
    return;
  }
  fputs("accesses not seen: allocated by code without hooks (", out);
  hp_score_modules(out, profile, hp_profile_unseen_count, hp_profile_unseen_at);
  fputs(")\n  build that with heapprof, too, to see them\n", out);
}

static void put_touched_legend(FILE *out, const struct layout *l) {
  if (l->touched)
    fputs("touched: bytes in pages that had memory, of chunks of 128KiB and "
          "more\n",
          out);
}

static void put_shared_legend(FILE *out, const struct hp_point *const *points,
                              size_t shown) {
  for (size_t k = 0; k < shown; k++)
    if (points[k]->accesses_shared) {
      fputs("> or more: those that a note names may have accessed them, too\n",
            out);
      return;
    }
}

static void put_clock_legend(FILE *out, const struct hp_point *const *points,
                             size_t shown) {
  bool inexact = false, unknown = false;
  for (size_t k = 0; k < shown; k++) {
    if (points[k]->samples) {
      fputs("~ estimated from samples; --stacks shows standard errors\n", out);
      return;
    }
    inexact = inexact || is_inexact(points[k]);
    unknown = unknown || is_unknown(points[k]);
  }
  if (inexact)
    fputs("useful: ~ is an estimate, off by more than 0.05 at worst\n", out);
  if (unknown)
    fputs("useful: some - are of chunks too short for the coarse clock\n", out);
  if (inexact || unknown)
    fputs("        HEAPPROF_OPTIONS=exact_time=1 measures them\n", out);
}

void hp_score_table(FILE *out, const struct hp_score_options *o,
                    const hp_profile *profile,
                    const struct hp_point *const *points, size_t count,
                    size_t width, bool color) {
  size_t shown = count < o->limit ? count : o->limit;
  struct layout l = lay_out(out, o, points, shown, width, color);
  hp_score_summary(out, profile, width);
  if (count == 0) {
    fputs(o->query.filter ? "no point passes the filter\n"
                          : "no allocation was recorded\n",
          out);
    return;
  }
  put_heading(&l);
  for (size_t i = 0; i < shown && !ferror(out); i++) {
    put_row(&l, points[i]);
    if (o->stacks)
      hp_score_details(out, points[i], o->all_frames);
  }
  putc('\n', out);
  if (shown < count)
    fprintf(out, "%zu more %s not shown; --limit 0 shows all\n", count - shown,
            strcmp(l.by, "place") == 0 ? "places"
            : hp_score_is_grouped(o)   ? "groups"
                                       : "points");
  put_flag_legend(out, points, shown);
  put_unseen_legend(&l, profile, points, shown);
  put_touched_legend(out, &l);
  put_shared_legend(out, points, shown);
  put_clock_legend(out, points, shown);
}
