/* score_table.c - the table a person reads: summary, worst points, legend.
   Numbers take fixed columns, flags what they need, site and type the rest.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_table.h"

#include "number_text.h"
#include "score_summary.h"
#include "site_text.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row, with a blank between its columns:

     SITE  TYPE  chunks  bytes  peak  life  usage  useful  FLAGS
                    6       7     7     4     5       6          */
#define HP_NUMBER_COLUMNS (6u + 7u + 7u + 4u + 5u + 6u + 6u)
#define HP_TOUCHED_COLUMNS 8u /* where accesses are not seen and pages say it */
#define HP_POOL_COLUMNS 16u   /* at most: name of the pool */
#define HP_SITE_LEAST 28u     /* site and type, beside a pool */
#define HP_MARK_COLUMNS 4u    /* of estimates: chunks, bytes, peak, usage */
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
  bool placed;       /* where a person can change something */
  size_t site, type; /* columns; type = 0: left out */
  size_t pool;       /* 0: left out */
  size_t flags;      /* 0: left out */
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
    l.touched |= !points[i]->accesses_known && points[i]->pages.chunks;
  }
  rest -= l.touched ? HP_TOUCHED_COLUMNS + (size_t)l.mark : 0;
  rest -= l.mark ? HP_MARK_COLUMNS : 0;
  l.by = hp_score_is_grouped(o) ? o->query.by : "site";
  l.keyed = strcmp(l.by, "site") != 0 && strcmp(l.by, "place") != 0;
  l.placed = strcmp(l.by, "place") == 0 || !hp_score_is_grouped(o);
  for (size_t i = 0; i < shown && l.placed; i++)
    l.point = at_least(l.point ? l.point : strlen("#"), point_text(points[i]));
  rest -= l.point ? l.point + 1 : 0;
  l.typed = strcmp(l.by, "type") == 0;
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
  fprintf(l->out, " %4s %*s %6s%s", "life", 5 + m, "usage", "useful",
          l->flags ? " flags" : "");
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

/* A number of P, with "~" if it is an estimate from samples. */
static struct hp_number_text marked(const struct hp_point *p,
                                    struct hp_number_text number) {
  struct hp_number_text text = number;
  if (p->samples && strcmp(number.s, "-") != 0 && strcmp(number.s, "?") != 0)
    snprintf(text.s, sizeof text.s, "~%.30s", number.s);
  return text;
}

static void put_row(const struct layout *l, const struct hp_point *p) {
  int m = l->mark;
  char useful[40];
  snprintf(useful, sizeof useful, "%s%s",
           is_inexact(p) || (p->samples && p->scores.useful_lifetime >= 0) ? "~"
                                                                           : "",
           seen_score(p, p->scores.useful_lifetime).s);
  begin_color(l, p->colour);
  if (l->typed)
    put_type(l->out, p->key, l->site);
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
  fprintf(l->out, " %*s %*s %*s", 6 + m, marked(p, hp_count_text(p->chunks)).s,
          7 + m, marked(p, hp_bytes_text(p->bytes)).s, 7 + m,
          marked(p, hp_bytes_text(p->peak_bytes)).s);
  if (l->touched)
    fprintf(l->out, " %*s", 7 + m,
            p->pages.chunks ? marked(p, hp_bytes_text(p->pages.touched)).s
                            : "-");
  fprintf(l->out, " %4s %*s %6s", hp_score_text(p->scores.lifetime).s, 5 + m,
          marked(p, seen_score(p, p->scores.usage)).s, useful);
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

static void put_type_details(FILE *out, const struct hp_point *p) {
  fputs(", type by ", out);
  fputs(p->type_provenance ? p->type_provenance : "several ways", out);
  if (p->elements)
    fprintf(out, ", %s elements", hp_count_text(p->elements).s);
  if (p->element_size)
    fprintf(out, " of %s", hp_bytes_text(p->element_size).s);
}

/* Standard errors, of which two hold 19 of 20. */
static void put_errors(FILE *out, const struct hp_point *p) {
  fprintf(out,
          "    estimated from %s samples: chunks +-%s, bytes +-%s, peak +-%s, "
          "usage +-%.2f, useful +-%.2f\n",
          hp_count_text(p->samples).s,
          hp_count_text((uint64_t)(p->errors.chunks + 0.5)).s,
          hp_bytes_text((uint64_t)(p->errors.bytes + 0.5)).s,
          hp_bytes_text((uint64_t)(p->errors.peak + 0.5)).s, p->errors.usage,
          p->errors.useful_lifetime);
}

/* Frames of libraries that lie side by side are one line. */
static void put_stack(FILE *out, const struct hp_point *p, bool all_frames) {
  for (size_t i = 0, next; i < p->stack_count; i = next) {
    const char *library = hp_frame_library(p->stack[i]);
    for (next = i + 1; library && !all_frames && next < p->stack_count;
         next++) {
      const char *other = hp_frame_library(p->stack[next]);
      if (!other || strcmp(other, library) != 0)
        break;
    }
    if (next > i + 1) {
      fprintf(out, "    ... %zu frames of %s\n", next - i, library);
      continue;
    }
    fprintf(out, "    #%zu ", i);
    hp_site_put(out, p->stack[i]);
    putc('\n', out);
  }
}

static void put_teardown(FILE *out, const struct hp_teardown *t) {
  if (!t->freed)
    return;
  fprintf(out,
          "\n    useful %.2f without teardown, %.2f with it (%s watched until "
          "freed); %s last used before",
          t->settled_lifetime, t->useful_lifetime, hp_count_text(t->freed).s,
          hp_count_text(t->torn).s);
  if (t->reader)
    fprintf(out, " %s", t->reader->function);
  fputs(t->reader ? " and its like took them down" : " they were taken down",
        out);
}

static void put_initialised(FILE *out, const struct hp_initialised *i) {
  if (!i->only)
    return;
  fprintf(out, "\n    %s of %s initialised only (%s chunk%s looked at)",
          hp_bytes_text(i->only).s, hp_bytes_text(i->bytes).s,
          hp_count_text(i->chunks).s, i->chunks == 1 ? "" : "s");
}

static void put_contents(FILE *out, const struct hp_point *p) {
  const struct hp_contents *c = &p->contents;
  fprintf(
      out,
      "\n    contents of %s chunk%s: %s different, %s of one byte only; %s of "
      "%s are zero",
      hp_count_text(c->chunks).s, c->chunks == 1 ? "" : "s",
      hp_count_text(c->different).s, hp_count_text(c->uniform_chunks).s,
      hp_bytes_text(c->zero_bytes).s, hp_bytes_text(c->bytes).s);
}

static void put_blocks(FILE *out, const struct hp_blocks *b) {
  fprintf(out,
          "\n    %s chunk%s of %s cut into %s object%s; of them live at most "
          "%s, on average %s; %s idle at the end",
          hp_count_text(b->chunks).s, b->chunks == 1 ? "" : "s",
          hp_bytes_text(b->bytes).s, hp_count_text(b->objects).s,
          b->objects == 1 ? "" : "s", hp_bytes_text(b->most_bytes).s,
          hp_bytes_text(b->mean_bytes).s, hp_bytes_text(b->idle_bytes).s);
}

static void put_details(FILE *out, const struct hp_point *p, bool all_frames) {
  const char *at_least = p->counts_saturated ? ">=" : p->samples ? "~" : "";
  if (p->samples)
    put_errors(out, p);
  if (p->accesses_known)
    fprintf(out, "    reads %s%" PRIu64 ", writes %s%" PRIu64 ", accessed %s",
            at_least, p->reads, at_least, p->writes,
            marked(p, hp_bytes_text(p->bytes_accessed)).s);
  else if (p->blocks.chunks)
    fputs("    accesses are those of its objects", out);
  else
    fputs("    accesses not seen", out);
  if (p->accesses_known && p->unknown_chunks)
    fprintf(out, ", without %s chunks whose accesses were not seen",
            marked(p, hp_count_text(p->unknown_chunks)).s);
  if (p->type)
    put_type_details(out, p);
  if (p->pool)
    fprintf(out, ", of the pool %s", p->pool);
  if (p->live_chunks)
    fprintf(out, ", never freed %s (%s)",
            marked(p, hp_count_text(p->live_chunks)).s,
            marked(p, hp_bytes_text(p->live_bytes)).s);
  if (p->size.defined)
    fprintf(out, "\n    size %s to %s, mean %s", hp_bytes_text(p->size.min).s,
            hp_bytes_text(p->size.max).s,
            hp_bytes_text((uint64_t)(p->size.mean + 0.5)).s);
  if (p->lifetime_ns.defined)
    fprintf(out, "\n    lives %s to %s, mean %s",
            hp_duration_text((double)p->lifetime_ns.min).s,
            hp_duration_text((double)p->lifetime_ns.max).s,
            hp_duration_text(p->lifetime_ns.mean).s);
  if (p->peak_bytes)
    fprintf(out, "\n    recycled %.1f times", hp_recycling(p));
  if (p->peak_bytes && p->temporary_known && p->temporary_chunks)
    fprintf(out, ", %s freed before the next allocation of their thread",
            hp_count_text(p->temporary_chunks).s);
  if (p->generations > 1)
    fprintf(out, ", %s generations", hp_count_text(p->generations).s);
  if (p->pages.chunks)
    fprintf(out,
            "\n    pages of %s %s: touched %s of %s, in memory at the end %s",
            marked(p, hp_count_text(p->pages.chunks)).s,
            p->pages.chunks == 1 ? "chunk" : "chunks",
            marked(p, hp_bytes_text(p->pages.touched)).s,
            marked(p, hp_bytes_text(p->pages.bytes)).s,
            marked(p, hp_bytes_text(p->pages.resident)).s);
  if (p->stale.chunks)
    fprintf(out, "\n    stale: %s of %s in memory, not written for long",
            marked(p, hp_bytes_text(p->stale.stale)).s,
            marked(p, hp_bytes_text(p->stale.resident)).s);
  if (p->sampled_pages.chunks)
    fprintf(out,
            "\n    pages of %s, chosen from %s smaller chunks: touched %s of "
            "%s, %s never",
            hp_count_text(p->sampled_pages.chunks).s,
            marked(p, hp_count_text(p->chunks - p->pages.chunks)).s,
            hp_bytes_text(p->sampled_pages.touched).s,
            hp_bytes_text(p->sampled_pages.bytes).s,
            hp_count_text(p->sampled_pages.unused_chunks).s);
  put_teardown(out, &p->teardown);
  put_initialised(out, &p->initialised);
  if (p->resizes.calls)
    fprintf(out,
            "\n    resized %s times, %s of them in place: %s more, %s less, "
            "%s moved",
            hp_count_text(p->resizes.calls).s,
            hp_count_text(p->resizes.in_place).s,
            hp_bytes_text(p->resizes.grown_bytes).s,
            hp_bytes_text(p->resizes.shrunk_bytes).s,
            hp_bytes_text(p->resizes.moved_bytes).s);
  if (p->resizes.jump_to)
    fprintf(out, "; at most from %s to %s",
            hp_bytes_text(p->resizes.jump_from).s,
            hp_bytes_text(p->resizes.jump_to).s);
  if (p->contents.chunks)
    put_contents(out, p);
  if (p->blocks.chunks)
    put_blocks(out, &p->blocks);
  if (p->growth.length) {
    const uint64_t chains = p->grown.chains;
    fprintf(out, "\n    %s %s up to %s times from %s to %s; %s copied",
            chains ? hp_count_text(chains).s : "chains of other points",
            chains == 1 ? "chain grows"
            : chains    ? "chains grow"
                        : "grow",
            hp_count_text(p->growth.length - 1).s,
            hp_bytes_text(p->growth.first_size).s,
            hp_bytes_text(p->growth.last_size).s,
            hp_bytes_text(p->grown.copied_bytes).s);
  }
  putc('\n', out);
  put_stack(out, p, all_frames);
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

static void put_unseen_legend(FILE *out, const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t shown) {
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
  fputs("? accesses not seen: allocated by code without hooks", out);
  if (hp_profile_unseen_count(profile)) {
    fputs(" (", out);
    hp_score_modules(out, profile, hp_profile_unseen_count,
                     hp_profile_unseen_at);
    putc(')', out);
  }
  putc('\n', out);
  fputs("  build that with heapprof, too, to see them\n", out);
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
      fputs("> or more: code without hooks may have accessed them, too\n", out);
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
      put_details(out, points[i], o->all_frames);
  }
  putc('\n', out);
  if (shown < count)
    fprintf(out, "%zu more %s not shown; --limit 0 shows all\n", count - shown,
            strcmp(l.by, "place") == 0 ? "places"
            : hp_score_is_grouped(o)   ? "groups"
                                       : "points");
  put_flag_legend(out, points, shown);
  put_unseen_legend(out, profile, points, shown);
  put_touched_legend(out, &l);
  put_shared_legend(out, points, shown);
  put_clock_legend(out, points, shown);
}
