/* export_text.h - names for exporters, cleaned.
   Names are foreign data; what a format would misread never gets through.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXPORT_TEXT_H
#define HP_EXPORT_TEXT_H

#include "heapprof.h"

/* ---- names --------------------------------------------------------------- */

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

#endif
