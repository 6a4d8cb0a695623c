/* score_globals.c - see score_globals.h: a table of modules, and one of variables.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_globals.h"

#include "number_text.h"
#include "path_text.h"
#include "score_summary.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_COLUMNS 30u /* "resident bytes thread-local" and the blanks */

/* A variable and its module. */
struct row {
  const struct hp_global_module *module;
  const struct hp_variable *variable;
};

static int by_size(const void *left, const void *right) {
  const struct row *a = left, *b = right;
  if (a->variable->bytes != b->variable->bytes)
    return a->variable->bytes < b->variable->bytes ? 1 : -1;
  return strcmp(a->variable->name, b->variable->name);
}

static void put_module(FILE *out, const struct hp_global_module *m) {
  fprintf(out, "%9s %9s %9s ", hp_bytes_text(m->resident_bytes).s,
          hp_bytes_text(m->bytes).s,
          m->file_known ? hp_bytes_text(m->thread_local_bytes).s : "-");
  hp_text_put(out, m->module);
  putc('\n', out);
}

static void put_variable(FILE *out, const struct row *row, size_t width) {
  const struct hp_variable *v = row->variable;
  const char *module = hp_base_name(row->module->module);
  char *name = hp_type_short(v->name);
  const size_t rest = width > NUMBER_COLUMNS + 40 ? width - NUMBER_COLUMNS : 40;
  const bool known = row->module->pages_known && !v->is_thread_local;
  fprintf(out, "%9s %9s %9s ", known ? hp_bytes_text(v->resident_bytes).s : "-",
          v->is_thread_local ? "-" : hp_bytes_text(v->bytes).s,
          v->is_thread_local ? hp_bytes_text(v->bytes).s : "-");
  hp_text_fit(out, name ? name : v->name, rest * 2 / 3, HP_CUT_BACK);
  putc(' ', out);
  hp_text_put(out, module);
  putc('\n', out);
  free(name);
}

static void put_variables(FILE *out, const hp_globals *globals, size_t process,
                          size_t limit, size_t width) {
  size_t count = 0;
  for (size_t i = 0; i < hp_globals_count(globals); i++)
    if (hp_globals_at(globals, i)->process == process)
      count += hp_globals_at(globals, i)->variable_count;
  struct row *rows = calloc(count + 1, sizeof *rows);
  if (!rows || !count) {
    free(rows);
    return;
  }
  size_t n = 0;
  for (size_t i = 0; i < hp_globals_count(globals); i++) {
    const struct hp_global_module *m = hp_globals_at(globals, i);
    for (size_t k = 0; m->process == process && k < m->variable_count; k++)
      rows[n++] = (struct row){m, &m->variables[k]};
  }
  qsort(rows, n, sizeof *rows, by_size);
  fprintf(out, "\n%9s %9s %9s %s\n", "resident", "bytes", "by thread",
          "variable");
  for (size_t i = 0; i < n && i < limit; i++)
    put_variable(out, &rows[i], width);
  if (n > limit)
    fprintf(out, "%zu more\n", n - limit);
  free(rows);
}

void hp_score_globals(FILE *out, const hp_profile *profile,
                      const hp_globals *globals, size_t limit, size_t width) {
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    size_t modules = 0;
    hp_score_program(out, hp_process_at(profile, i), width);
    for (size_t k = 0; k < hp_globals_count(globals); k++) {
      if (hp_globals_at(globals, k)->process != i)
        continue;
      if (!modules++)
        fprintf(out, "%9s %9s %9s %s\n", "resident", "bytes", "by thread",
                "module");
      put_module(out, hp_globals_at(globals, k));
    }
    if (!modules)
      fputs("  the dump does not tell of globals\n", out);
    put_variables(out, globals, i, limit, width);
  }
}
