/* text_column.c - names on a terminal: safe to print, cut and padded.
   Widths are those of wcwidth; what it does not know takes one column.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "text_column.h"

#include "utf8.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

/* Turns the order in which a terminal shows what follows: a name, or the number
   behind it, would be read as another one. */
static bool turns(uint32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the next character; *WIDTH its columns, *SAFE if it can be printed.
 */
static size_t next(const char *s, size_t *width, bool *safe) {
  uint32_t c;
  size_t size = hp_utf8_decode(s, &c);
  int columns;
  *width = 1;
  *safe = size > 0 && c >= 0x20 && (c < 0x7f || c >= 0xa0) && !turns(c);
  if (!*safe)
    return size ? size : 1;
  columns = wcwidth((wchar_t)c);
  if (columns >= 0)
    *width = (size_t)columns;
  return size;
}

size_t hp_text_width(const char *text) {
  size_t total = 0, width;
  bool safe;
  while (*text) {
    text += next(text, &width, &safe);
    total += width;
  }
  return total;
}

static void put_until(FILE *out, const char *text, const char *end) {
  size_t width;
  bool safe;
  while (text < end) {
    size_t size = next(text, &width, &safe);
    if (safe)
      fwrite(text, 1, size, out);
    else
      putc('?', out);
    text += size;
  }
}

void hp_text_put(FILE *out, const char *text) {
  put_until(out, text, text + strlen(text));
}

/* Skips at least COLUMNS of TEXT; *SKIPPED is what they were. */
static const char *skip(const char *text, size_t columns, size_t *skipped) {
  size_t width;
  bool safe;
  *skipped = 0;
  while (*text && *skipped < columns) {
    text += next(text, &width, &safe);
    *skipped += width;
  }
  return text;
}

/* The end of what of TEXT fits in COLUMNS; *USED is what it takes. */
static const char *take(const char *text, size_t columns, size_t *used) {
  *used = 0;
  while (*text) {
    size_t width;
    bool safe;
    size_t size = next(text, &width, &safe);
    if (*used + width > columns)
      break;
    *used += width;
    text += size;
  }
  return text;
}

void hp_text_fit(FILE *out, const char *text, size_t width,
                 enum hp_text_cut cut) {
  size_t total = hp_text_width(text), used = total, skipped;
  if (total <= width) {
    hp_text_put(out, text);
  } else if (width <= 2) {
    fprintf(out, "%.*s", (int)width, "..");
    used = width;
  } else if (cut == HP_CUT_FRONT) {
    const char *tail = skip(text, total - (width - 2), &skipped);
    fputs("..", out);
    hp_text_put(out, tail);
    used = 2 + total - skipped;
  } else {
    const char *end = take(text, width - 2, &used);
    put_until(out, text, end);
    fputs("..", out);
    used += 2;
  }
  for (; used < width; used++)
    putc(' ', out);
}

static size_t width_until(const char *text, const char *end) {
  size_t total = 0, width;
  bool safe;
  while (text < end) {
    text += next(text, &width, &safe);
    total += width;
  }
  return total;
}

void hp_text_wrap(FILE *out, const char *prefix, const char *text,
                  size_t width) {
  size_t indent = hp_text_width(prefix), used = indent;
  bool first = true;
  hp_text_put(out, prefix);
  while (*text) {
    const char *end = text + strcspn(text, " ");
    size_t word = width_until(text, end);
    if (!first && used + 1 + word > width) {
      fprintf(out, "\n%*s", (int)indent, "");
      used = indent;
    } else if (!first) {
      putc(' ', out);
      used++;
    }
    put_until(out, text, end);
    used += word;
    first = false;
    text = end + strspn(end, " ");
  }
  putc('\n', out);
}
