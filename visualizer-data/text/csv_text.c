/* csv_text.c - see csv_text.h: quotes are doubled, line breaks stay.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "csv_text.h"

#include "utf8.h"

#include <string.h>

void hp_csv_inside(FILE *out, const char *text) {
  while (*text) {
    uint32_t c;
    size_t size = hp_utf8_decode(text, &c);
    if (size == 0)
      fputs("\xef\xbf\xbd", out); /* U+FFFD */
    else if (c == '"')
      fputs("\"\"", out);
    else
      fwrite(text, 1, size, out);
    text += size ? size : 1;
  }
}

void hp_csv_quoted(FILE *out, const char *text) {
  putc('"', out);
  hp_csv_inside(out, text ? text : "");
  putc('"', out);
}

void hp_csv_text(FILE *out, const char *text) {
  if (text && strpbrk(text, "\",\r\n"))
    hp_csv_quoted(out, text);
  else
    hp_csv_inside(out, text ? text : "");
}
