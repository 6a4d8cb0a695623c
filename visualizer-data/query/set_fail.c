/* set_fail.c - see set_fail.h: one line, the column at its end.
   Files have their line in front.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_fail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/failure.h"
#include "profile/profile_inside.h"

hp_status hp_set_fail(struct hp_error *error, const struct hp_set_place *place,
                      size_t column, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!place->line)
    return hp_fail(error, HP_E_ARGUMENT, "%s: %s (at column %zu)", place->what,
                   text, column);
  return hp_fail(error, HP_E_ARGUMENT, "%.80s:%zu: %s (at column %zu)",
                 place->what, place->line, text, place->column + column - 1);
}

bool hp_set_log_is_silent(const struct hp_profile_process *process, char *why,
                          size_t size) {
  const struct hp_process *p = &process->view;
  if (hp_is_merged(process))
    snprintf(why, size,
             "a merged dump has none, ask the dumps it was merged of");
  else if (!p->complete)
    snprintf(why, size, "this one was cut off, without what was live");
  else if (p->log_failure)
    snprintf(why, size, "this one stopped early: %.120s", p->log_failure);
  else if (p->dropped_chunks)
    snprintf(why, size, "this one misses %" PRIu64 " chunks",
             p->dropped_chunks);
  else
    return false;
  return true;
}
