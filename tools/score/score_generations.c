/* score_generations.c - see score_generations.h: a row for each generation, a column for each
   moment at which something of it may be live.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_generations.h"

#include "csv_text.h"
#include "number_text.h"
#include "score_summary.h"
#include "text_column.h"

#include <inttypes.h>
#include <string.h>

#define NAME_MOST 24u /* columns of a mark's name */
#define CELL_LEAST 9u /* "~1023KiB" */
#define COLUMNS_LEAST 2u

static const char *from_of(const struct hp_generation *g) {
  return g->from ? g->from : "start";
}

static const char *to_of(const struct hp_generation *g) {
  return g->to ? g->to : "end";
}

/* ---- the table ----------------------------------------------------------- */

static size_t name_width(const struct hp_process_generations *p) {
  size_t most = strlen("born after");
  for (size_t i = 0; i < p->count; i++) {
    const size_t width = hp_text_width(from_of(&p->generations[i]));
    most = width > most ? width : most;
  }
  return most < NAME_MOST ? most : NAME_MOST;
}

static size_t cell_width(const struct hp_process_generations *p) {
  size_t most = CELL_LEAST;
  for (size_t i = 0; i < p->count; i++) {
    const size_t width = hp_text_width(to_of(&p->generations[i]));
    most = width > most ? width : most;
  }
  return most < NAME_MOST ? most : NAME_MOST;
}

/* Right, as numbers are. */
static void put_right(FILE *out, const char *text, size_t width) {
  const size_t used = hp_text_width(text);
  putc(' ', out);
  for (size_t i = used; i < width; i++)
    putc(' ', out);
  if (used > width)
    hp_text_fit(out, text, width, HP_CUT_BACK);
  else
    hp_text_put(out, text);
}

static void put_sum(FILE *out, const struct hp_generation_sum *sum, bool bytes,
                    bool estimated, size_t width) {
  char text[40];
  snprintf(text, sizeof text, "%s%s", estimated ? "~" : "",
           bytes ? hp_bytes_text(sum->bytes).s : hp_count_text(sum->chunks).s);
  put_right(out, text, width);
}

/* Bytes in one line, chunks in the next. */
static void put_generation(FILE *out, const struct hp_process_generations *p,
                           size_t i, size_t name, size_t cell, size_t first) {
  const struct hp_generation *g = &p->generations[i];
  for (int bytes = 1; bytes >= 0; bytes--) {
    hp_text_fit(out, bytes ? from_of(g) : "", name, HP_CUT_BACK);
    put_sum(out, &g->all, bytes, p->estimated, cell);
    for (size_t k = first; k < p->count; k++)
      if (k < i)
        put_right(out, "", cell);
      else
        put_sum(out, &g->live[k - i], bytes, p->estimated, cell);
    putc('\n', out);
  }
}

/* Where not all moments have room the last are shown: what stays is in them. */
static void put_process(FILE *out, const struct hp_process_generations *p,
                        size_t width) {
  const size_t name = name_width(p), cell = cell_width(p);
  const size_t used = name + cell + 2;
  size_t shown = width > used ? (width - used) / (cell + 1) : 0;
  shown = shown < COLUMNS_LEAST ? COLUMNS_LEAST : shown;
  const size_t first = p->count > shown ? p->count - shown : 0;
  hp_score_program(out, p->process, width);
  fputs("  born after one mark, up to the next, and what of that was live at "
        "each later one: bytes, and chunks below\n",
        out);
  hp_text_fit(out, "born after", name, HP_CUT_BACK);
  put_right(out, "in all", cell);
  for (size_t k = first; k < p->count; k++)
    put_right(out, to_of(&p->generations[k]), cell);
  putc('\n', out);
  for (size_t i = 0; i < p->count; i++)
    put_generation(out, p, i, name, cell, first);
  if (first)
    fprintf(out,
            "%zu earlier moment%s left out; --csv, --json or a wider COLUMNS "
            "has all\n",
            first, first == 1 ? " is" : "s are");
}

void hp_score_generations(FILE *out, const hp_generations *all, size_t width) {
  for (size_t i = 0; i < hp_generations_count(all); i++) {
    if (i)
      putc('\n', out);
    put_process(out, hp_generations_at(all, i), width);
  }
}

/* ---- documents ----------------------------------------------------------- */

static void put_csv(FILE *out, const struct hp_process_generations *p,
                    const struct hp_generation *g, const char *at,
                    const struct hp_generation_sum *sum) {
  fprintf(out, "%" PRIu64 ",", p->process->pid);
  hp_csv_quoted(out, from_of(g));
  putc(',', out);
  hp_csv_quoted(out, to_of(g));
  putc(',', out);
  if (at)
    hp_csv_quoted(out, at);
  fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%d\n", sum->chunks, sum->bytes,
          p->estimated);
}

void hp_score_generations_csv(FILE *out, const hp_generations *all) {
  fputs("pid,from,to,live_at,chunks,bytes,estimated\n", out);
  for (size_t i = 0; i < hp_generations_count(all); i++) {
    const struct hp_process_generations *p = hp_generations_at(all, i);
    for (size_t g = 0; g < p->count; g++) {
      put_csv(out, p, &p->generations[g], NULL, &p->generations[g].all);
      for (size_t k = 0; k < p->generations[g].live_count; k++)
        put_csv(out, p, &p->generations[g], to_of(&p->generations[g + k]),
                &p->generations[g].live[k]);
    }
  }
}

static void put_json(struct hp_json *j, const struct hp_process_generations *p,
                     size_t i) {
  const struct hp_generation *g = &p->generations[i];
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "from", g->from);
  hp_json_string(j, "to", g->to);
  hp_json_integer(j, "from_ns", g->from_ns);
  hp_json_integer(j, "to_ns", g->to_ns);
  hp_json_integer(j, "chunks", g->all.chunks);
  hp_json_integer(j, "bytes", g->all.bytes);
  hp_json_begin_array(j, "live");
  for (size_t k = 0; k < g->live_count; k++) {
    hp_json_begin_object(j, NULL);
    hp_json_string(j, "at", p->generations[i + k].to);
    hp_json_integer(j, "at_ns", p->generations[i + k].to_ns);
    hp_json_integer(j, "chunks", g->live[k].chunks);
    hp_json_integer(j, "bytes", g->live[k].bytes);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
  hp_json_end_object(j);
}

void hp_score_generations_json(struct hp_json *j, const hp_generations *all) {
  if (!all)
    return;
  hp_json_begin_array(j, "generations");
  for (size_t i = 0; i < hp_generations_count(all); i++) {
    const struct hp_process_generations *p = hp_generations_at(all, i);
    hp_json_begin_object(j, NULL);
    hp_json_integer(j, "pid", p->process->pid);
    hp_json_bool(j, "estimated", p->estimated);
    hp_json_begin_array(j, "generations");
    for (size_t g = 0; g < p->count; g++)
      put_json(j, p, g);
    hp_json_end_array(j);
    hp_json_end_object(j);
  }
  hp_json_end_array(j);
}
