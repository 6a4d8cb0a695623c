/* set_fail.c - see set_fail.h: one line, the column at its end.
   Files have their line in front.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/failure.h"

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
