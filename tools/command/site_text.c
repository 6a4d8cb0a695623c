/* site_text.c - where a point is, in as many columns as there are.
   Without a function the module and the address stand for it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1 /* asprintf */
#include "site_text.h"

#include "function_text.h"
#include "path_text.h"
#include "text_column.h"
#include "type_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HP_FUNCTION_MIN 6u /* columns of a cut function name worth showing */

static char *function_of(const struct hp_frame *f) {
  char *text = NULL;
  if (f->function)
    return hp_function_short(f->function);
  if (!f->module)
    return strdup("(outside every module)");
  if (asprintf(&text, "%s+0x%" PRIx64, hp_base_name(f->module), f->address) < 0)
    return NULL;
  return text;
}

/* Without a file, the module tells where a named function comes from. */
static char *place_of(const struct hp_frame *f) {
  char *text = NULL;
  if (f->file && f->line) {
    if (asprintf(&text, "%s:%s%" PRIu32, hp_base_name(f->file),
                 f->line_is_near ? "~" : "", f->line) < 0)
      return NULL;
    return text;
  }
  return strdup(f->file                    ? hp_base_name(f->file)
                : f->function && f->module ? hp_base_name(f->module)
                                           : "");
}

/* What a template is of would push its name out. */
static void put_name(FILE *out, const char *function, size_t width) {
  char *outline = hp_text_width(function) > width
                      ? hp_template_outline(function, strlen(function),
                                            sizeof HP_OUTLINED - 1)
                      : NULL;
  hp_text_fit(out, outline ? outline : function, width, HP_CUT_FRONT);
  free(outline);
}

/* What has no name is module+address: a path, which no name begins as. */
void hp_site_fit_function(FILE *out, const char *function, size_t width) {
  char *brief = !function          ? NULL
                : *function == '/' ? strdup(hp_base_name(function))
                                   : hp_function_short(function);
  put_name(out, brief ? brief : "-", width);
  free(brief);
}

void hp_site_fit(FILE *out, const struct hp_frame *f, size_t width) {
  char *function, *place;
  size_t function_width, place_width;
  if (!f) {
    hp_text_fit(out, "(no stack)", width, HP_CUT_BACK);
    return;
  }
  function = function_of(f);
  place = place_of(f);
  if (!function || !place) {
    hp_text_fit(out, "(out of memory)", width, HP_CUT_BACK);
    free(function);
    free(place);
    return;
  }
  function_width = hp_text_width(function);
  place_width = hp_text_width(place);
  if (place_width == 0) {
    put_name(out, function, width);
  } else if (place_width + 1 + function_width > width &&
             (!f->file || place_width + 1 + HP_FUNCTION_MIN > width)) {
    /* A line tells more than its function, a library less. */
    hp_text_fit(out, f->file ? place : function, width, HP_CUT_FRONT);
  } else {
    size_t room = width - place_width - 1;
    put_name(out, function, function_width < room ? function_width : room);
    putc(' ', out);
    hp_text_fit(out, place,
                function_width < room ? width - function_width - 1
                                      : place_width,
                HP_CUT_FRONT);
  }
  free(function);
  free(place);
}

void hp_site_brief(FILE *out, const struct hp_frame *f) {
  char *function = function_of(f), *place = place_of(f);
  hp_text_put(out, function ? function : "(out of memory)");
  if (place && *place) {
    fputs(" (", out);
    hp_text_put(out, place);
    putc(')', out);
  }
  free(function);
  free(place);
}

void hp_site_put(FILE *out, const struct hp_frame *f) {
  char *function = f->function ? hp_type_short(f->function) : NULL;
  if (f->function) {
    hp_text_put(out, function ? function : f->function);
    free(function);
  } else {
    hp_text_put(out, f->module ? f->module : "(outside every module)");
    fprintf(out, "+0x%" PRIx64, f->address);
  }
  if (f->file) {
    putc(' ', out);
    hp_text_put(out, f->file);
    if (f->line)
      fprintf(out, ":%s%" PRIu32, f->line_is_near ? "~" : "", f->line);
    if (f->line && f->column)
      fprintf(out, ":%" PRIu32, f->column);
  } else if (f->function && f->module) {
    fputs(" (", out);
    hp_text_put(out, f->module);
    fprintf(out, "+0x%" PRIx64 ")", f->address);
  }
  if (f->inlined)
    fputs(" (inlined)", out);
}

size_t hp_site_run(const struct hp_frame *const *stack, size_t count) {
  const char *library = hp_frame_library(stack[0]);
  size_t run = 1;
  for (; library && run < count; run++) {
    const char *other = hp_frame_library(stack[run]);
    if (!other || strcmp(other, library) != 0)
      break;
  }
  return run;
}

void hp_site_put_run(FILE *out, const struct hp_frame *const *stack,
                     size_t number, size_t run, const char *remark) {
  if (run > 1) {
    fprintf(out, "    ... %zu frames of %s\n", run,
            hp_frame_library(stack[number]));
    return;
  }
  fprintf(out, "    #%zu ", number);
  hp_site_put(out, stack[number]);
  fprintf(out, "%s\n", remark);
}
