/* mapping_lines.c - see mapping_lines.h: fills the caller's buffer, hands out
   the lines that are whole, and moves the rest to the front.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/mapping_lines.h"

#include "system/files.h"
#include "system/real_libc.h"

struct lines {
  char *text;
  size_t size, filled;
  bool is_rest; /* TEXT begins within a line whose beginning was given */
  bool (*each)(const char *line, void *arg);
  void *arg;
};

static bool give(struct lines *lines, const char *line) {
  const bool is_rest = lines->is_rest;
  lines->is_rest = false;
  return is_rest || lines->each(line, lines->arg);
}

/* Gives what is whole, and what fills all of TEXT; false: no more is wanted. */
static bool give_whole(struct lines *lines) {
  size_t begin = 0;
  for (size_t i = 0; i < lines->filled; i++) {
    if (lines->text[i] != '\n')
      continue;
    lines->text[i] = 0;
    if (!give(lines, lines->text + begin))
      return false;
    begin = i + 1;
  }
  lines->filled -= begin;
  hp_real_memmove(lines->text, lines->text + begin, lines->filled);
  if (lines->filled < lines->size - 1)
    return true;
  lines->text[lines->filled] = 0;
  lines->filled = 0;
  const bool more = give(lines, lines->text);
  lines->is_rest = true;
  return more;
}

bool hp_mapping_lines(const char *path, char *text, size_t size,
                      bool (*each)(const char *line, void *arg), void *arg) {
  struct lines lines = {.text = text, .size = size, .each = each, .arg = arg};
  const int fd = hp_sys_open(path);
  if (fd < 0)
    return false;
  long n;
  do {
    n = hp_sys_read(fd, text + lines.filled, size - 1 - lines.filled);
    if (n > 0)
      lines.filled += (size_t)n;
  } while (n > 0 && give_whole(&lines));
  hp_sys_close(fd);
  return n >= 0;
}

const char *hp_mapping_hexadecimal(const char *at, uintptr_t *value) {
  for (*value = 0;; at++) {
    if (*at >= '0' && *at <= '9')
      *value = *value << 4 | (uintptr_t)(*at - '0');
    else if (*at >= 'a' && *at <= 'f')
      *value = *value << 4 | (uintptr_t)(*at - 'a' + 10);
    else
      return at;
  }
}

const char *hp_mapping_range(const char *line, uintptr_t *begin,
                             uintptr_t *end) {
  const char *at = hp_mapping_hexadecimal(line, begin);
  return *at == '-' ? hp_mapping_hexadecimal(at + 1, end) : NULL;
}
