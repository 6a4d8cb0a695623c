/* score_members.c - see score_members.h: a table for each type, a row for each member and hole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_members.h"

#include "number_text.h"
#include "path_text.h"
#include "site_text.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_COLUMNS                                                         \
  47u /* "offset size reads writes share chunks" and blanks */
#define LEAST_NAME 24u
#define LINES_SHOWN 8u /* of one type */

/* Which threads write side by side. */
static void put_lines(FILE *out, const struct hp_member_type *t) {
  for (size_t i = 0; i < t->false_line_count && i < LINES_SHOWN; i++) {
    const struct hp_false_line *line = &t->false_lines[i];
    fprintf(out, "  false sharing in the line at %" PRIu64 ":", line->offset);
    for (size_t k = 0; k < line->count; k++) {
      const struct hp_line_part *part = &line->parts[k];
      fputs(k ? ", " : " ", out);
      if (part->name)
        hp_text_put(out, part->name);
      else
        fprintf(out, "byte %" PRIu64, part->offset);
      fprintf(out, " (thread %" PRIu32 ")", part->thread);
    }
    fprintf(out, ", %s turns\n", hp_count_text(line->turns).s);
  }
}

static void put_head(FILE *out, const struct hp_member_type *t) {
  char *brief = hp_type_short(t->type);
  hp_text_put(out, brief ? brief : t->type);
  free(brief);
  if (t->size)
    fprintf(out, ": %" PRIu64 " bytes", t->size);
  if (t->file && t->line) {
    fputs(" (", out);
    hp_text_put(out, hp_base_name(t->file));
    fprintf(out, ":%" PRIu32 ")", t->line);
  }
  fprintf(out, ", %s chunk%s, %s at the peak", hp_count_text(t->chunks).s,
          t->chunks == 1 ? "" : "s", hp_bytes_text(t->peak_bytes).s);
  putc('\n', out);
  if (!t->chunks_counted)
    fputs("  nothing was counted by member: build with "
          "-fsanitize-heapprof-members, run with members=1\n",
          out);
  else
    fprintf(out, "  %s of the chunks were counted, each for %.3g\n",
            hp_count_text(t->chunks_counted).s, t->weight);
  if (t->lost)
    fprintf(out, "  %s further accesses to them are in no row\n",
            hp_count_text(t->lost).s);
  if (t->is_ambiguous)
    fputs("  several types of this name and size differ: offsets without "
          "names\n",
          out);
  else if (!t->has_layout)
    fputs("  no debug information of this type: offsets without names\n", out);
  put_lines(out, t);
  if (t->order)
    fprintf(out, "  sorted by alignment it has %" PRIu64 " bytes: %s\n",
            t->reordered_size, t->order);
}

static void put_name(FILE *out, const struct hp_member *m, size_t width) {
  char text[400], bits[48] = "";
  if (m->bits)
    snprintf(bits, sizeof bits, " : %" PRIu32, m->bits);
  if (m->kind == HP_MEMBER_HOLE)
    snprintf(text, sizeof text, "(padding)%s",
             m->count > 1 ? " in each element" : "");
  else if (m->kind == HP_MEMBER_BEHIND)
    snprintf(text, sizeof text, "(behind the record)");
  else if (!m->name)
    snprintf(text, sizeof text, "-");
  else
    snprintf(text, sizeof text, "%s%s%s%s%s%s", m->overlaps ? "~" : "",
             m->base ? m->base : "", m->base ? "::" : "", m->name, bits,
             m->is_flexible ? "[]" : "");
  hp_text_fit(out, text, width, HP_CUT_BACK);
}

static void put_counts(FILE *out, const struct hp_member_type *t,
                       const struct hp_member *m) {
  if (t->chunks_counted == 0) {
    fprintf(out, " %9s %9s %6s %8s ", "-", "-", "-", "-");
    return;
  }
  char share[16];
  snprintf(share, sizeof share, "%.1f %%", m->share > 0 ? 100 * m->share : 0);
  fprintf(out, " %9s %9s %6s ", hp_count_text(m->reads).s,
          hp_count_text(m->writes).s, share);
  char chunks[sizeof(struct hp_number_text) +
              1]; /* at least, if lines may have accessed others */
  snprintf(chunks, sizeof chunks, "%s%s", m->chunks < m->chunks_most ? ">" : "",
           hp_count_text(m->chunks).s);
  fprintf(out, "%8s ", chunks);
}

static void put_member(FILE *out, const struct hp_member_type *t,
                       const struct hp_member *m, size_t name, size_t site) {
  fprintf(out, "  %6" PRIu64 " %6s", m->offset,
          m->is_flexible || m->kind == HP_MEMBER_BEHIND
              ? "..."
              : hp_count_text(m->size * m->count).s);
  put_counts(out, t, m);
  if (m->codes[0].frame) {
    put_name(out, m, name);
    putc(' ', out);
    hp_site_fit(out, m->codes[0].frame, site);
  } else {
    put_name(out, m, name);
  }
  putc('\n', out);
}

void hp_score_members(FILE *out, const hp_member_types *types, size_t limit,
                      size_t width) {
  const size_t count = hp_member_types_count(types);
  const size_t rest = width > NUMBER_COLUMNS + (size_t)2 * LEAST_NAME
                          ? width - NUMBER_COLUMNS
                          : (size_t)2 * LEAST_NAME;
  const size_t name = rest / 2, site = rest - name - 4;
  if (!count)
    fputs("no record type: neither accesses by member nor debug information\n",
          out);
  for (size_t i = 0; i < count && i < limit; i++) {
    const struct hp_member_type *t = hp_member_types_at(types, i);
    if (i)
      putc('\n', out);
    put_head(out, t);
    fprintf(out, "  %6s %6s %9s %9s %6s %8s %-*s %s\n", "offset", "size",
            "reads", "writes", "share", "chunks", (int)name, "member",
            t->chunks_counted ? "accessed most at" : "");
    for (size_t k = 0; k < t->count; k++)
      put_member(out, t, &t->members[k], name, site);
  }
  if (count > limit)
    fprintf(out, "\n%zu more types\n", count - limit);
}
