/* failure.c - fills struct hp_error.
   The text is always one line and always terminated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HP_DEFINES_FAIL
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

hp_status hp_fail(struct hp_error *error, hp_status status, const char *format,
                  ...) {
  if (!error)
    return status;
  error->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  for (char *c = error->text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
  return status;
}

hp_status hp_fail_memory(struct hp_error *error) {
  return hp_fail(error, HP_E_MEMORY, "out of memory; open fewer dumps at once");
}
