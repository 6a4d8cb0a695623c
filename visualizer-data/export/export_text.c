/* export_text.c - names for exporters, cleaned.
   A buffer that grows, and says when memory is out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/export_text.h"

#include "base/growing_array.h"
#include "path_text.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------- */

void hp_line_clear(struct hp_line *l) {
  l->length = 0;
  if (l->text)
    l->text[0] = '\0';
}

void hp_line_free(struct hp_line *l) {
  free(l->text);
  *l = (struct hp_line){0};
}

/* Room for SIZE more bytes and the end. */
static bool reserve(struct hp_line *l, size_t size) {
  if (hp_room_for((void **)&l->text, l->length, size + 1, &l->capacity, 1))
    return true;
  l->failed = true;
  return false;
}

static void append(struct hp_line *l, const char *bytes, size_t size) {
  if (!reserve(l, size))
    return;
  memcpy(l->text + l->length, bytes, size);
  l->length += size;
  l->text[l->length] = '\0';
}

void hp_line_print(struct hp_line *l, const char *format, ...) {
  char text[64];
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0)
    return;
  if ((size_t)length < sizeof text) {
    append(l, text, (size_t)length);
  } else if (reserve(l, (size_t)length)) {
    va_start(arguments, format);
    vsnprintf(l->text + l->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    l->length += (size_t)length;
  }
}

void hp_line_name(struct hp_line *l, const char *name, const char *unwanted) {
  append(l, "", 0); /* an empty name is a text, too */
  while (*name) {
    uint32_t c;
    size_t size = hp_utf8_decode(name, &c);
    if (size == 0)
      append(l, "\xef\xbf\xbd", 3); /* U+FFFD */
    else if (c < ' ' || c == 0x7f || (c < 0x80 && strchr(unwanted, (int)c)))
      append(l, "?", 1);
    else
      append(l, name, size);
    name += size ? size : 1;
  }
}

void hp_line_function(struct hp_line *l, const struct hp_frame *f,
                      const char *unwanted) {
  if (f->function) {
    hp_line_name(l, f->function, unwanted);
  } else {
    hp_line_name(l, f->module ? hp_base_name(f->module) : "?", unwanted);
    hp_line_print(l, "+0x%" PRIx64, f->address);
  }
}

void hp_line_frame(struct hp_line *l, const struct hp_frame *f,
                   const char *after) {
  hp_line_print(l, "0x%" PRIx64 ": ", f->address);
  hp_line_name(l, f->function ? f->function : "???", "");
  hp_line_name(l, after, "");
  hp_line_print(l, f->file ? " (" : " (in ");
  hp_line_name(l, f->file ? f->file : f->module ? f->module : "???", "");
  if (f->file)
    hp_line_print(l, ":%s%" PRIu32, f->line_is_near ? "~" : "", f->line);
  hp_line_print(l, ")");
}

void hp_line_command(struct hp_line *l, const struct hp_process *p) {
  hp_line_name(l, p->program, "");
  for (size_t i = 1; i < p->arg_count; i++) {
    hp_line_print(l, " ");
    hp_line_name(l, p->args[i], "");
  }
}

void hp_line_process(struct hp_line *l, const struct hp_process *p,
                     const char *unwanted) {
  hp_line_name(l, hp_base_name(p->program), unwanted);
  hp_line_print(l, " (pid %" PRIu64, p->pid);
  if (p->rank) {
    hp_line_print(l, ", rank ");
    hp_line_name(l, p->rank, unwanted);
  }
  if (p->host) {
    hp_line_print(l, ", host ");
    hp_line_name(l, p->host, unwanted);
  }
  hp_line_print(l, ")");
}
