/* set_fail.h - what is wrong with the text of a set, and where in it.
   A text is a filter's, or behind the name of a set in a file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_FAIL_H
#define HP_SET_FAIL_H

#include "heapprof.h"

/* Where a text stands, for messages: "filter", or a file and line. */
struct hp_set_place {
  const char *what;
  size_t line, column; /* 0: not of a file; of the text's first letter */
};

/* A message that names the column of what is wrong. */
hp_status hp_set_fail(struct hp_error *error, const struct hp_set_place *place,
                      size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define HP_SET_SILENCE 200u /* bytes of a reason */

struct hp_profile_process;

/* Whether the log of PROCESS can be asked nothing: WHY, of SIZE bytes, says the
   reason. */
bool hp_set_log_is_silent(const struct hp_profile_process *process, char *why,
                          size_t size);

#endif
