/* export_folded.c - folded stacks: root;...;leaf NUMBER, a line per point.
   Equal lines may occur more than once; every reader adds them up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include <inttypes.h>

#include "base/failure.h"
#include "export/export_number.h"
#include "export/export_text.h"

/* "_[i]" is how flame graphs mark what was inlined.  The format has no head, so
   that a caveat stands at the root. */
static void put_stack(struct hp_line *l, const struct hp_export *e,
                      const struct hp_point *p) {
  const char *caveat = hp_export_caveat(e);
  if (caveat)
    hp_line_print(l, "[%s];", caveat);
  if (hp_process_count(e->profile) > 1 && p->process) {
    hp_line_process(l, p->process, ";");
    hp_line_print(l, ";");
  }
  for (size_t i = p->stack_count; i-- > 0;) {
    hp_line_function(l, p->stack[i], ";");
    hp_line_print(l, "%s%s", p->stack[i]->inlined ? "_[i]" : "", i ? ";" : "");
  }
  if (p->stack_count == 0)
    hp_line_print(l, "(no stack)");
}

hp_status hp_export_folded(FILE *out, const struct hp_export *e,
                           struct hp_error *error) {
  struct hp_line line = {0};
  for (size_t i = 0; i < e->count && !ferror(out) && !line.failed; i++) {
    uint64_t value = hp_export_metric_of(e->metric, e->points[i]);
    if (value == 0)
      continue;
    hp_line_clear(&line);
    put_stack(&line, e, e->points[i]);
    if (!line.failed)
      fprintf(out, "%s %" PRIu64 "\n", line.text, value);
  }
  bool failed = line.failed;
  hp_line_free(&line);
  return failed ? hp_fail_memory(error) : HP_OK;
}
