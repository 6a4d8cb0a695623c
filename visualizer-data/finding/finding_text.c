/* finding_text.c - the two sentences of a finding: what it costs, what to do.
   What is wrong is worded by its rule; here is what a repair saves.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "finding/finding_cost.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"

static void put_percent(FILE *out, const struct hp_finding *f, double share,
                        const char *of) {
  if (share >= 0.005)
    fprintf(out, " (%s%.0f %%%s)", f->estimated ? "~" : "", 100 * share, of);
}

#define ALIKE 16u /* one of so many is no difference to tell of */

/* What malloc takes, and what of that was asked for if that is much less. */
static void put_memory(FILE *out, const struct hp_verdict *v,
                       const char *separator) {
  const struct hp_finding *f = &v->finding;
  const uint64_t memory = f->saved_peak_memory, asked = f->saved_peak_bytes;
  fprintf(out, "%s%s%s of malloc's memory at the peak", separator,
          v->peak_at_most ? "at most " : "", hp_told_bytes(f, memory).s);
  put_percent(out, f, f->share_of_memory, " of it");
  if (asked < memory - memory / ALIKE)
    fprintf(out, ", for %s requested", hp_told_bytes(f, asked).s);
}

/* What a repair saves, as far as it saves something. */
static void put_cost(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  const char *separator = ": ";
  if (f->saved_chunks) {
    fprintf(out, "%s%s%s allocation%s", separator,
            f->at_least ? "at least " : "", hp_told_count(f, f->saved_chunks).s,
            f->saved_chunks == 1 ? "" : "s");
    put_percent(out, f, f->share_of_allocations, " of all");
    separator = ", ";
  }
  if (f->saved_copied_bytes) {
    fprintf(out, "%s%s copied", separator,
            hp_told_bytes(f, f->saved_copied_bytes).s);
    separator = ", ";
  }
  if (f->wasted_bytes) {
    fprintf(out, "%s%s for nobody", separator,
            hp_told_bytes(f, f->wasted_bytes).s);
    put_percent(out, f, f->share_of_bytes, " of all");
    separator = ", ";
  }
  if (f->saved_peak_memory && f->share_of_memory >= HP_COST_LEAST)
    put_memory(out, v, separator);
  putc('.', out);
  if (f->share_of_time >= 0.01)
    fprintf(out, " It takes about %.0f %% of the run today.",
            100 * f->share_of_time);
}

static void put_text(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  v->rule->text(out, v);
  if (f->other_lines)
    fprintf(out, ", and so at %zu other %s%s of it", f->other_lines,
            f->place->line ? "line" : "place", f->other_lines == 1 ? "" : "s");
  if (f->other_instances)
    fprintf(out, ", and so in %zu other instance%s of it", f->other_instances,
            f->other_instances == 1 ? "" : "s");
  if (f->freed_by) {
    fputs("; freed by ", out);
    hp_put_place(out, f->freed_by);
    fputs(f->freed_by_others    ? " and others"
          : v->is_freer_of_some ? " and perhaps others"
                                : "",
          out);
  }
  if (f->saved_chunks || f->saved_copied_bytes || f->saved_peak_bytes ||
      f->wasted_bytes)
    put_cost(out, v);
  else
    putc('.', out);
}

static const char *write_out(void (*put)(FILE *, const struct hp_verdict *),
                             const struct hp_verdict *v,
                             struct hp_store *store) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  put(out, v);
  const char *kept = fclose(out) == 0 ? hp_store_text(store, text, size) : NULL;
  free(text);
  return kept;
}

static void put_subject(FILE *out, const struct hp_verdict *v) {
  hp_put_type(out, v->finding.subject);
}

bool hp_finding_describe(struct hp_verdict *verdict, struct hp_store *store) {
  verdict->finding.freed_by_others &= verdict->finding.freed_by != NULL;
  struct hp_verdict told = *verdict;
  if (told.finding.subject &&
      !(told.finding.subject = write_out(put_subject, verdict, store)))
    return false;
  verdict->finding.text = write_out(put_text, &told, store);
  verdict->finding.remedy = write_out(verdict->rule->remedy, &told, store);
  return verdict->finding.text && verdict->finding.remedy;
}
