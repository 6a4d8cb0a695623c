/* failure.h - how every function of the library says what went wrong.
   A status is returned, its one line of text goes into struct hp_error.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FAILURE_H
#define HP_FAILURE_H

#include "heapprof.h"

/* Fills *ERROR, which may be NULL, and returns STATUS.  Control characters of
   the text become '?', so that a hostile file name stays one line. */
hp_status hp_fail(struct hp_error *error, hp_status status, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

hp_status hp_fail_memory(struct hp_error *error);

/* For tools/tidy, which looks at one file at a time: neither returns HP_OK. */
#if defined(__clang_analyzer__) && !defined(HP_DEFINES_FAIL)
#define hp_fail(error, status, ...)                                            \
  ((void)hp_fail(error, status, __VA_ARGS__), (hp_status)(status))
#define hp_fail_memory(error) ((void)hp_fail_memory(error), HP_E_MEMORY)
#endif

#define HP_TRY(call)                                                           \
  do {                                                                         \
    hp_status hp_try_status = (call);                                          \
    if (hp_try_status != HP_OK)                                                \
      return hp_try_status;                                                    \
  } while (0)

#endif
