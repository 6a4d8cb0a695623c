/* comparison_table.c - a comparison as a table for the terminal, and as CSV.
   A row for each allocator and setting; what is not known is "-", in CSV nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "comparison.h"

#include "csv_text.h"
#include "number_text.h"
#include "text_column.h"

#include <inttypes.h>
#include <string.h>

#define LABEL_MAX 1200u
#define LABEL_COLUMNS 40u

static void put_share(FILE *out, const struct hp_result *result, double share) {
  if (result->unmetered || share == HP_METER_NONE)
    fprintf(out, " %7s", "-");
  else
    fprintf(out, " %6.1f%%", 100 * share);
}

static void put_bytes(FILE *out, const struct hp_result *result,
                      uint64_t bytes) {
  fprintf(out, " %8s", result->unmetered ? "-" : hp_bytes_text(bytes).s);
}

static void put_row(FILE *out, const struct hp_result *result, size_t columns) {
  char label[LABEL_MAX];
  hp_contender_label(result->contender, label, sizeof label);
  hp_text_fit(out, label, columns, HP_CUT_BACK);
  fprintf(out, " %8s", hp_duration_text((double)result->user_ns.median).s);
  fprintf(out, " %8s", hp_duration_text((double)result->system_ns.median).s);
  fprintf(out, " %8s", hp_duration_text((double)result->elapsed_ns.median).s);
  fprintf(out, " %8s", hp_bytes_text(result->peak_rss_bytes.median).s);
  put_bytes(out, result, result->meter.peak_live_bytes);
  put_bytes(out, result, result->meter.peak_mapped_bytes);
  put_share(out, result, result->meter.mean.fragmentation_total);
  put_share(out, result, result->meter.mean.utilisation);
  fprintf(out, " %7s",
          result->uncounted ? "-" : hp_count_text(result->calls.brk).s);
  fprintf(out, " %7s",
          result->uncounted ? "-" : hp_count_text(result->calls.mmap).s);
  fprintf(out, " %7s\n", hp_count_text(result->faults.median).s);
}

static size_t label_columns(const struct hp_comparison *comparison) {
  size_t columns = strlen("allocator");
  for (size_t i = 0; i < comparison->contenders->count; i++) {
    char label[LABEL_MAX];
    hp_contender_label(comparison->results[i].contender, label, sizeof label);
    if (hp_text_width(label) > columns)
      columns = hp_text_width(label);
  }
  return columns < LABEL_COLUMNS ? columns : LABEL_COLUMNS;
}

/* Mean time of a call, by function. */
static void put_functions(const struct hp_comparison *comparison, FILE *out,
                          size_t columns) {
  fputs("mean time of a call:\n", out);
  for (size_t i = 0; i < comparison->contenders->count; i++) {
    const struct hp_result *result = &comparison->results[i];
    char label[LABEL_MAX];
    hp_contender_label(result->contender, label, sizeof label);
    hp_text_fit(out, label, columns, HP_CUT_BACK);
    for (size_t f = 0; !result->unmetered && f < result->meter.function_count;
         f++)
      fprintf(out, "  %s %s", result->meter.functions[f].name,
              hp_duration_text(result->meter.functions[f].mean_ns).s);
    fputs(result->unmetered ? "  -\n" : "\n", out);
  }
}

/* What glibc says of itself beside what was measured, for rows that have it. */
static void put_arenas(const struct hp_comparison *comparison, FILE *out,
                       size_t columns) {
  bool any = false;
  for (size_t i = 0; i < comparison->contenders->count; i++) {
    const struct hp_result *result = &comparison->results[i];
    const struct hp_meter_view *m = &result->meter;
    char label[LABEL_MAX];
    if (result->unmetered || !m->arenas.known)
      continue;
    if (!any)
      fputs("\nglibc's own figures at the end (mallinfo2, malloc_info), and "
            "what was measured:\n",
            out);
    any = true;
    hp_contender_label(result->contender, label, sizeof label);
    hp_text_fit(out, label, columns, HP_CUT_BACK);
    fprintf(out, "  arenas %" PRIu64 ": heap %s", m->arenas.arenas,
            hp_bytes_text(m->arenas.heap_bytes).s);
    fprintf(out, " + mmap %s", hp_bytes_text(m->arenas.mmap_bytes).s);
    fprintf(out, " (mapped %s)",
            hp_bytes_text(m->samples[m->sample_count - 1].mapped_bytes).s);
    fprintf(out, "; in use %s",
            hp_bytes_text(m->arenas.in_use_bytes + m->arenas.mmap_bytes).s);
    fprintf(out, " (usable %s",
            hp_bytes_text(m->samples[m->sample_count - 1].usable_bytes).s);
    fprintf(out, ", heads, cached %s)", hp_bytes_text(m->cached_bytes).s);
    fprintf(out, "; free %s", hp_bytes_text(m->arenas.free_bytes).s);
    fprintf(out, " in %s chunks", hp_count_text(m->arenas.free_chunks).s);
    fprintf(out, ", of it %s at the top\n",
            hp_bytes_text(m->arenas.top_bytes).s);
  }
}

void hp_comparison_table(const struct hp_comparison *comparison, FILE *out) {
  size_t columns = label_columns(comparison);
  char text[4096];
  fprintf(out, "%s: medians of %u round%s\n", comparison->program,
          comparison->rounds, comparison->rounds == 1 ? "" : "s");
  hp_text_fit(out, "allocator", columns, HP_CUT_BACK);
  fprintf(out, " %8s %8s %8s %8s %8s %8s %7s %7s %7s %7s %7s\n", "user",
          "system", "elapsed", "peakRSS", "live", "mapped", "fragm.", "util.",
          "brk", "mmap", "faults");
  for (size_t i = 0; i < comparison->contenders->count; i++)
    put_row(out, &comparison->results[i], columns);
  fputc('\n', out);
  put_functions(comparison, out, columns);
  put_arenas(comparison, out, columns);
  hp_recommendation_text(comparison, text, sizeof text);
  fputs("\nrecommended: ", out);
  hp_text_put(out, text);
  fputc('\n', out);
}

/* ---- CSV ------------------------------------------------------------------------- */

static void put_number(FILE *out, bool known, uint64_t number) {
  if (known)
    fprintf(out, ",%" PRIu64, number);
  else
    fputc(',', out);
}

static void put_fraction(FILE *out, bool known, double share) {
  if (known && share != HP_METER_NONE)
    fprintf(out, ",%.6f", share);
  else
    fputc(',', out);
}

static void put_csv_row(FILE *out, const struct hp_result *r) {
  const struct hp_contender *c = r->contender;
  bool metered = !r->unmetered, counted = !r->uncounted;
  hp_csv_quoted(out, c->name);
  fputc(',', out);
  hp_csv_quoted(out, c->knob);
  fputc(',', out);
  hp_csv_quoted(out, c->value);
  put_number(out, true, r->user_ns.median);
  put_number(out, true, r->system_ns.median);
  put_number(out, true, r->elapsed_ns.median);
  put_number(out, true, r->peak_rss_bytes.median);
  put_number(out, true, r->faults.median);
  put_number(out, counted, r->calls.brk);
  put_number(out, counted, r->calls.mmap);
  put_number(out, counted, r->calls.munmap);
  put_number(out, counted, r->calls.mremap);
  put_number(out, counted, r->calls.madvise);
  put_number(out, metered, r->meter.allocations);
  put_number(out, metered, r->meter.frees);
  put_number(out, metered, r->meter.peak_live_bytes);
  put_number(out, metered, r->meter.peak_mapped_bytes);
  put_fraction(out, metered, r->meter.mean.fragmentation_total);
  put_fraction(out, metered, r->meter.mean.fragmentation_mean);
  put_fraction(out, metered, r->meter.mean.utilisation);
  fputc('\n', out);
}

void hp_comparison_csv(const struct hp_comparison *comparison, FILE *out) {
  fputs("name,knob,value,user_ns,system_ns,elapsed_ns,peak_rss_bytes,page_"
        "faults,brk_calls,mmap_calls,munmap_calls,mremap_calls,madvise_calls,"
        "allocations,frees,peak_live_bytes,peak_mapped_bytes,fragmentation_"
        "total,fragmentation_mean,utilisation\n",
        out);
  for (size_t i = 0; i < comparison->contenders->count; i++)
    put_csv_row(out, &comparison->results[i]);
}
