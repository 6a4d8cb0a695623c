/* score_findings.c - what costs most first, each with its place and remedy.
   Sentences are the library's; here they are only set.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_findings.h"

#include "heapprof_set.h"
#include "number_text.h"
#include "score_summary.h"
#include "site_text.h"
#include "text_column.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_POINTS_SHOWN 8u

/* Whether it is waste whatever the program is for, then what it is. */
static void put_text(FILE *out, size_t number, const struct hp_finding *f,
                     size_t width) {
  char first[32];
  const size_t size = strlen(f->text) + sizeof "Likely: ";
  char *text = malloc(size);
  snprintf(first, sizeof first, "%3zu. ", number);
  if (text)
    snprintf(text, size, "%s: %s", f->certain ? "Fact" : "Likely", f->text);
  hp_text_wrap(out, first, text ? text : f->text, width);
  free(text);
}

/* Who leads to the place: a wrapper of malloc says little by itself. */
static void put_callers(FILE *out, const struct hp_finding *f) {
  for (size_t i = 0; i < f->caller_count; i++) {
    fputs(i                 ? " <- "
          : f->callers_vary ? "\n     mostly called by "
                            : "\n     called by ",
          out);
    hp_site_brief(out, f->callers[i]);
  }
}

/* What is between the place and the allocator, and may be what to change. */
static void put_through(FILE *out, const struct hp_finding *f) {
  if (!f->through)
    return;
  fputs(f->through_varies ? "\n     mostly through " : "\n     through ", out);
  hp_site_brief(out, f->through);
}

/* What other rules say of the same line or points. */
static void put_also(FILE *out, const struct hp_finding *f, size_t width) {
  for (size_t i = 0; i < f->also_count; i++) {
    fputs("\n", out);
    hp_text_wrap(out, "     also: ", f->also[i]->text, width);
    hp_text_wrap(out, "     -> ", f->also[i]->remedy, width);
    fprintf(out, "     [%s]", f->also[i]->rule);
  }
}

static void put_finding(FILE *out, size_t number, const struct hp_finding *f,
                        size_t width, bool color) {
  put_text(out, number, f, width);
  if (color)
    fputs("\033[32m", out);
  hp_text_wrap(out, "     -> ", f->remedy, width);
  if (color)
    fputs("\033[0m", out);
  fputs("     ", out);
  hp_site_put(out, f->place);
  put_callers(out, f);
  put_through(out, f);
  put_also(out, f, width);
  fprintf(out, "\n     [%s] point%s", f->rule, f->point_count == 1 ? "" : "s");
  for (size_t i = 0; i < f->point_count && i < HP_POINTS_SHOWN; i++)
    fprintf(out, " #%" PRIu64, f->points[i]);
  if (f->point_count > HP_POINTS_SHOWN)
    fprintf(out, " and %zu more", f->point_count - HP_POINTS_SHOWN);
  fputs("\n\n", out);
}

#define SMALL_SHARE 0.1 /* of all allocations: too much for no word about it */

/* Lines that waste little each may waste much together, as each that gives a text. */
static void put_small(FILE *out, size_t count, double share, size_t width) {
  char text[200];
  snprintf(text, sizeof text,
           count > 1 && share >= SMALL_SHARE
               ? "%zu smaller one%s left out, up to %.0f %% of all allocations "
                 "together: --by function --sort chunks shows who makes many"
               : "%zu smaller one%s left out",
           count, count == 1 ? "" : "s", 100 * share);
  hp_text_wrap(out, "", text, width);
}

/* Where nobody looked, no finding says nothing of leaks. */
static void put_unsearched(FILE *out, const hp_profile *profile, size_t width) {
  const char *reason = NULL;
  char text[300], others[40] = "";
  size_t count = 0;
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const char *check = hp_process_at(profile, i)->leak_check;
    if (!check || strcmp(check, "done") == 0)
      continue;
    reason = reason ? reason : check;
    count++;
  }
  if (!reason)
    return;
  if (count > 1)
    snprintf(others, sizeof others, "; nor in %zu others", count - 1);
  snprintf(text, sizeof text, "lost chunks, as %s%s", reason, others);
  hp_text_wrap(out, "not looked for: ", text, width);
}

void hp_score_findings(FILE *out, const hp_profile *profile,
                       const hp_findings *findings, size_t limit, size_t width,
                       bool color) {
  size_t count = hp_finding_count(findings);
  size_t shown = count < limit ? count : limit;
  size_t small = hp_finding_small_count(findings);
  const struct hp_chunk_set *set = hp_profile_set(profile);
  hp_score_summary(out, profile, width);
  if (set)
    fputs("findings of this set; shares are of the whole program\n", out);
  if (set && set->parts)
    fprintf(out,
            "of points that have other chunks, too (%s), only bugs and what is "
            "not needed\n",
            hp_count_text(set->parts).s);
  if (set)
    putc('\n', out);
  if (count == 0)
    fputs("no findings\n", out);
  for (size_t i = 0; i < shown; i++)
    put_finding(out, i + 1, hp_finding_at(findings, i), width, color);
  if (shown)
    fputs("heapprof-score --stacks --filter point=N shows a point\n", out);
  if (shown < count)
    fprintf(out, "%zu more; --limit=0 shows all\n", count - shown);
  if (small)
    put_small(out, small, hp_finding_small_share(findings), width);
  if (hp_findings_without_members(findings))
    hp_text_wrap(out, "not counted: ", hp_findings_without_members(findings),
                 width);
  if (!set)
    put_unsearched(out, profile, width);
}
