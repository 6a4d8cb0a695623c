/* export.h - what the exporters share: names, numbering, adding up.
   Names are foreign data; what a format would misread never gets through.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXPORT_H
#define HP_EXPORT_H

#include "base/failure.h"
#include "base/saturate.h"
#include "heapprof_export.h"

/* One exporter each; see the table in export.c. */
typedef hp_status hp_export_writer(FILE *out, const struct hp_export *e,
                                   struct hp_error *error);
hp_export_writer hp_export_callgrind, hp_export_chrome, hp_export_dhat,
    hp_export_massif, hp_export_folded, hp_export_memprof, hp_export_pprof,
    hp_export_speedscope, hp_export_sqlite;

/* ---- names ----------------------------------------------------------------
 */

/* A text that is put together piece by piece; {0} is empty.  Without memory
   `failed` is set and the text may be cut. */
struct hp_line {
  char *text; /* terminated once anything was added */
  size_t length, capacity;
  bool failed;
};
void hp_line_clear(struct hp_line *l);
void hp_line_free(struct hp_line *l);
void hp_line_print(struct hp_line *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* NAME as valid UTF-8, with '?' for control characters and for those in
   UNWANTED. */
void hp_line_name(struct hp_line *l, const char *name, const char *unwanted);

/* The function of F; without one, the module and the address in it. */
void hp_line_function(struct hp_line *l, const struct hp_frame *f,
                      const char *unwanted);

/* "0xADDRESS: function" and "(file:line)" or "(in module)", as Valgrind's tools
   write a frame; AFTER stands behind the function's name. */
void hp_line_frame(struct hp_line *l, const struct hp_frame *f,
                   const char *after);

/* The program and its arguments. */
void hp_line_command(struct hp_line *l, const struct hp_process *p);

/* "app (pid 42)", with " rank 3" and " on host" where they are known. */
void hp_line_process(struct hp_line *l, const struct hp_process *p,
                     const char *unwanted);

/* The part of PATH behind the last slash. */
const char *hp_base_name(const char *path);

/* ---- numbering --------------------------------------------------------------
 */

/* Gives each distinct text a number, from 0 in the order of first use. */
struct hp_numbered {
  struct hp_numbered_text *texts;
  size_t count;
};
#define HP_NO_NUMBER SIZE_MAX /* without memory */
size_t hp_number_of(struct hp_numbered *n, const char *text);

/* Calls EACH with every text, in the order of the numbers. */
void hp_numbered_each(const struct hp_numbered *n,
                      void (*each)(void *context, const char *text),
                      void *context);
void hp_numbered_free(struct hp_numbered *n);

/* ---- numbers ----------------------------------------------------------------
 */

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

/* For formats whose integers are signed. */
static inline int64_t hp_signed(uint64_t value) {
  return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

#endif
