/* score_mappings.c - see score_mappings.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_mappings.h"

#include "number_text.h"
#include "score_summary.h"
#include "site_text.h"
#include "text_column.h"

#include <inttypes.h>

/* "live peak at peak resident mapped calls function kind" and the blanks. */
#define NUMBER_COLUMNS 73u

static void put_row(FILE *out, const struct hp_process *p,
                    const struct hp_mapping_use *m, size_t site) {
  char kind[32];
  snprintf(kind, sizeof kind, "%s%s%s",
           m->is_reserved ? "reserved"
           : m->is_file   ? "file"
                          : "anonymous",
           m->is_shared ? " " : "", m->is_shared ? "shared" : "");
  fprintf(out, "%9s %9s %9s ", hp_bytes_text(m->live_bytes).s,
          hp_bytes_text(m->peak_bytes).s, hp_bytes_text(m->at_peak_bytes).s);
  fprintf(out, "%9s ",
          m->resident_known && p->memory_at_end.rss
              ? hp_bytes_text(m->resident_bytes).s
              : "-");
  fprintf(out, "%9s %7s %-6s %-9s ", hp_bytes_text(m->bytes).s,
          hp_count_text(m->maps).s, m->function, kind);
  hp_site_fit(out, m->site, site);
  putc('\n', out);
}

static void put_stack(FILE *out, const struct hp_mapping_use *m) {
  for (size_t i = 0; i < m->stack_count; i++) {
    fputs("    ", out);
    hp_site_put(out, m->stack[i]);
    putc('\n', out);
  }
}

static void put_sum(FILE *out, const struct hp_process *p, size_t width) {
  const struct hp_mapped_sum *m = &p->mapped;
  char text[512];
  int n = snprintf(
      text, sizeof text,
      "%s at most, %s at the end; %s mmap, %s munmap, %s mremap, %s brk",
      hp_bytes_text(m->peak_bytes).s, hp_bytes_text(m->live_bytes).s,
      hp_count_text(m->maps).s, hp_count_text(m->unmaps).s,
      hp_count_text(m->remaps).s, hp_count_text(m->breaks).s);
  if (m->failed)
    n += snprintf(text + n, sizeof text - (size_t)n, ", of which %s failed",
                  hp_count_text(m->failed).s);
  if (p->memory_at_end.rss)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "; %s resident are in no row: mapped by libc itself, by raw "
                  "system calls, or before the profile began",
                  hp_bytes_text(m->unseen_bytes).s);
  if (m->lost_bytes)
    snprintf(text + n, sizeof text - (size_t)n,
             "; %s could not be kept for want of memory",
             hp_bytes_text(m->lost_bytes).s);
  hp_text_wrap(out, "  mapped ", text, width);
}

void hp_score_mappings(FILE *out, const hp_profile *profile, size_t limit,
                       bool stacks, size_t width) {
  const size_t site = width > NUMBER_COLUMNS + 24 ? width - NUMBER_COLUMNS : 24;
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    hp_score_program(out, p, width);
    if (!p->mapped.known) {
      fputs("  the dump does not tell of mappings\n", out);
      continue;
    }
    put_sum(out, p, width);
    if (p->mapping_count)
      fprintf(out, "%9s %9s %9s %9s %9s %7s %-6s %-9s %s\n", "live", "peak",
              "at peak", "resident", "mapped", "calls", "by", "kind", "site");
    for (size_t k = 0; k < p->mapping_count && k < limit; k++) {
      put_row(out, p, &p->mappings[k], site);
      if (stacks)
        put_stack(out, &p->mappings[k]);
    }
    if (p->mapping_count > limit)
      fprintf(out, "%zu more\n", p->mapping_count - limit);
  }
}
