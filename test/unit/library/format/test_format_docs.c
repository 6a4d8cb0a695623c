/* test_format_docs.c - every name of heapprof_format.def is on the page.
   Run with the path of docs/format.md.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heapprof_format.h"

static char *page; /* text of docs/format.md */

/* NAME occurs with NUMBER before it, as in "| 3 | pid |" or "3 STRDUP". */
static void require_numbered(const char *list, unsigned number,
                             const char *name) {
  char row[128], starred[128], word[128];
  snprintf(row, sizeof row, "| %u | %s |", number, name);
  snprintf(starred, sizeof starred, "| %u | %s* |", number, name);
  snprintf(word, sizeof word, "%u %s", number, name);
  const char *at = strstr(page, word);
  const size_t size = strlen(word);
  if (strstr(page, row) || strstr(page, starred) ||
      (at && !isalnum((unsigned char)at[size]) && at[size] != '_'))
    return;
  fail_msg("%s: \"%s\" is missing", list, row);
}

static void every_name_is_documented(void **state) {
  (void)state;
#define HP_BLOCK(n, name, file, text) require_numbered("blocks", n, #name);
#include "heapprof_format.def"
#define HP_HEADER_FIELD(n, name, type, text)                                   \
  require_numbered("HEADER", n, #name);
#include "heapprof_format.def"
#define HP_PROCESS_FIELD(n, name, type, text)                                  \
  require_numbered("PROCESSES", n, #name);
#include "heapprof_format.def"
#define HP_MODULE_FIELD(n, name, type, text)                                   \
  require_numbered("MODULES", n, #name);
#include "heapprof_format.def"
#define HP_POINT_FIELD(n, name, type, text)                                    \
  require_numbered("POINTS", n, #name);
#include "heapprof_format.def"
#define HP_END_FIELD(n, name, type, text) require_numbered("END", n, #name);
#include "heapprof_format.def"
#define HP_AGGREGATE_FIELD(n, name, type, text)                                \
  require_numbered("AGGREGATES", n, #name);
#include "heapprof_format.def"
#define HP_TIMELINE_FIELD(n, name, type, text)                                 \
  require_numbered("TIMELINE", n, #name);
#include "heapprof_format.def"
#define HP_MAPPING_FIELD(n, name, type, text)                                  \
  require_numbered("MAPPINGS", n, #name);
#include "heapprof_format.def"
#define HP_MAPPER(n, name, text) require_numbered("mappers", n, #name);
#include "heapprof_format.def"
#define HP_MAPPING(n, name, text) require_numbered("mapping kinds", n, #name);
#include "heapprof_format.def"
#define HP_MAPPED(n, name, text) require_numbered("mapped", n, #name);
#include "heapprof_format.def"
#define HP_GLOBAL_FIELD(n, name, type, text)                                   \
  require_numbered("GLOBALS", n, #name);
#include "heapprof_format.def"
#define HP_CLASS(n, name, text) require_numbered("classes", n, #name);
#include "heapprof_format.def"
#define HP_PROVENANCE(n, name, text) require_numbered("provenance", n, #name);
#include "heapprof_format.def"
#define HP_ENTRY(n, name, text) require_numbered("function", n, #name);
#include "heapprof_format.def"
#define HP_CHUNK_FLAG(n, name, text) require_numbered("flags", n, #name);
#include "heapprof_format.def"
}

static void every_column_is_documented_in_order(void **state) {
  (void)state;
  static const char *const rows[] = {
#define HP_CHUNK_COLUMN(name, code, text) "| " #name " | " #code " |",
#include "heapprof_format.def"
  };
  const char *at = page;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *found = strstr(at, rows[i]);
    if (!found)
      fail_msg("column \"%s\" is missing or out of order", rows[i]);
    at = found;
  }
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0) {
    perror(path);
    exit(2);
  }
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: test_format_docs docs/format.md\n", stderr);
    return 2;
  }
  page = read_all(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_name_is_documented),
      cmocka_unit_test(every_column_is_documented_in_order),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(page);
  return failed;
}
