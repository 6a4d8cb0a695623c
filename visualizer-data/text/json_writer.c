/* json_writer.c - writes one JSON document to a stream, member by member.
   The two outer levels get a line per member, so that documents can be diffed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "json_writer.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HP_JSON_LINE_DEPTH 2u

static bool is_plain(const struct hp_json *j, unsigned char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' &&
         !(c == '<' && j->inline_html);
}

static void put_string(const struct hp_json *j, const char *s) {
  FILE *out = j->out;
  putc('"', out);
  for (;;) {
    size_t plain = 0;
    while (is_plain(j, (unsigned char)s[plain]))
      plain++;
    fwrite(s, 1, plain, out);
    s += plain;
    if (!*s)
      break;
    uint32_t c;
    size_t size = hp_utf8_decode(s, &c);
    if (size == 0)
      fputs("\xef\xbf\xbd", out); /* U+FFFD */
    else if (c == '<' && j->inline_html)
      fputs("\\u003c", out);
    else if (c == '"' || c == '\\')
      fprintf(out, "\\%c", (int)c);
    else if (c == '\n')
      fputs("\\n", out);
    else if (c == '\t')
      fputs("\\t", out);
    else if (c < 0x20 || c == 0x7f)
      fprintf(out, "\\u%04x", (unsigned)c);
    else
      fwrite(s, 1, size, out);
    s += size ? size : 1;
  }
  putc('"', out);
}

static void new_line(struct hp_json *j) {
  putc('\n', j->out);
  for (unsigned i = 0; i < j->depth && !j->inline_html; i++)
    fputs("  ", j->out);
}

static void begin_member(struct hp_json *j, const char *key) {
  if (!j->first && j->depth)
    putc(',', j->out);
  if (j->depth && j->depth <= HP_JSON_LINE_DEPTH)
    new_line(j);
  else if (!j->first && j->depth && !j->inline_html)
    putc(' ', j->out);
  j->first = false;
  if (key) {
    put_string(j, key);
    fputs(j->inline_html ? ":" : ": ", j->out);
  }
}

static void begin(struct hp_json *j, const char *key, char bracket) {
  begin_member(j, key);
  putc(bracket, j->out);
  j->depth++;
  j->first = true;
}

static void end(struct hp_json *j, char bracket) {
  bool empty = j->first;
  j->depth--;
  j->first = false;
  if (!empty && j->depth < HP_JSON_LINE_DEPTH)
    new_line(j);
  putc(bracket, j->out);
  if (j->depth == 0)
    putc('\n', j->out);
}

void hp_json_begin_object(struct hp_json *j, const char *key) {
  begin(j, key, '{');
}

void hp_json_begin_array(struct hp_json *j, const char *key) {
  begin(j, key, '[');
}

void hp_json_end_object(struct hp_json *j) { end(j, '}'); }

void hp_json_end_array(struct hp_json *j) { end(j, ']'); }

void hp_json_string(struct hp_json *j, const char *key, const char *value) {
  if (!value) {
    hp_json_null(j, key);
    return;
  }
  begin_member(j, key);
  put_string(j, value);
}

void hp_json_integer(struct hp_json *j, const char *key, uint64_t value) {
  begin_member(j, key);
  fprintf(j->out, "%" PRIu64, value);
}

/* The shortest form that reads back as the same number. */
void hp_json_number(struct hp_json *j, const char *key, double value) {
  char text[40];
  if (!isfinite(value)) {
    hp_json_null(j, key);
    return;
  }
  if (value >= 1 && value < 1e15 && value == floor(value)) {
    hp_json_integer(j, key, (uint64_t)value);
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  begin_member(j, key);
  fputs(text, j->out);
}

void hp_json_bool(struct hp_json *j, const char *key, bool value) {
  begin_member(j, key);
  fputs(value ? "true" : "false", j->out);
}

void hp_json_null(struct hp_json *j, const char *key) {
  begin_member(j, key);
  fputs("null", j->out);
}

void hp_json_value(struct hp_json *j, const char *key, const char *text,
                   size_t size) {
  begin_member(j, key);
  fwrite(text, 1, size, j->out);
}
