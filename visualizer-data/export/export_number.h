/* export_number.h - numbers of points as several formats want them.
   What a format has no place for is an error, not a wrong number.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXPORT_NUMBER_H
#define HP_EXPORT_NUMBER_H

#include "heapprof_export.h"

/* The lives of the ended chunks, added up. */
uint64_t hp_export_lifetime_ns(const struct hp_point *p);

/* The mean life of all chunks: those that are never freed count like the ended
   ones, or as long as the window if none has ended. */
double hp_export_mean_life_ns(const struct hp_point *p);

/* What the head of a file must say of the numbers in it; NULL: nothing. */
const char *hp_export_caveat(const struct hp_export *e);

/* HP_E_ARGUMENT if the profile has several processes or none. */
hp_status hp_export_one_process(const struct hp_export *e, const char *format,
                                struct hp_error *error);

/* For formats that cannot mark a line as near: 0 then. */
static inline uint32_t hp_sure_line(const struct hp_frame *f) {
  return f->line_is_near ? 0 : f->line;
}

/* For formats whose integers are signed. */
static inline int64_t hp_signed(uint64_t value) {
  return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

#endif
