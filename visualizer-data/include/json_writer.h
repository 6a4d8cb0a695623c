/* json_writer.h - writes one JSON document to a stream, member by member.
   Keeps no tree; every string becomes valid UTF-8, whatever bytes it has.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_JSON_WRITER_H
#define HP_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Errors of the stream stay there: ask ferror() at the end. */
struct hp_json {
  FILE *out;
  unsigned depth;
  bool first;       /* the next member needs no comma */
  bool inline_html; /* for a script element: no "<", and no blanks */
};

/* KEY is NULL for elements of an array and for the document itself. */
void hp_json_begin_object(struct hp_json *j, const char *key);
void hp_json_begin_array(struct hp_json *j, const char *key);
void hp_json_end_object(struct hp_json *j);
void hp_json_end_array(struct hp_json *j);

void hp_json_string(struct hp_json *j, const char *key, const char *value);
void hp_json_integer(struct hp_json *j, const char *key, uint64_t value);
void hp_json_number(struct hp_json *j, const char *key, double value);
void hp_json_bool(struct hp_json *j, const char *key, bool value);
/* TEXT is a value as another document has it. */
void hp_json_value(struct hp_json *j, const char *key, const char *text,
                   size_t size);
void hp_json_null(struct hp_json *j, const char *key);

#endif
