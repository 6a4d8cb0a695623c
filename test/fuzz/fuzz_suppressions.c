/* fuzz_suppressions.c - libFuzzer target: any text as the file of suppressions, asked of one frame.
   What is behind a zero byte is the function's name; each line is judged a second time, letter by letter.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "profile/suppression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of the names that are judged, the longest. */
enum { LONGEST = 255 };

static void require(bool good) {
  if (!good)
    abort();
}

/* Which places of NAME can be reached by the part of a pattern that is read. */
struct reach {
  bool at[LONGEST + 1];
  size_t length;
};

static void reach_all_behind(struct reach *r) {
  for (size_t i = 1; i <= r->length; i++)
    r->at[i] |= r->at[i - 1];
}

static void reach_next(struct reach *r, const char *name, char letter) {
  for (size_t i = r->length; i > 0; i--)
    r->at[i] = r->at[i - 1] && name[i - 1] == letter;
  r->at[0] = false;
}

static bool pattern_holds(const char *pattern, size_t size, const char *name) {
  struct reach r = {.length = strlen(name)};
  const bool at_begin = pattern[0] == '^';
  const bool at_end = size > at_begin && pattern[size - 1] == '$';
  r.at[0] = true;
  /* Nothing, bound to the end, is at no end but that of nothing. */
  if (!at_begin && !(at_end && size == 1))
    reach_all_behind(&r);
  for (size_t i = at_begin; i < size - at_end; i++)
    if (pattern[i] == '*')
      reach_all_behind(&r);
    else
      reach_next(&r, name, pattern[i]);
  bool any = r.at[r.length];
  for (size_t i = 0; i < r.length && !at_end; i++)
    any |= r.at[i];
  return any;
}

static bool line_holds(const char *line, size_t size, const char *name) {
  const char *const blanks = " \t\r";
  while (size > 0 && strchr(blanks, *line))
    line++, size--;
  while (size > 0 && strchr(blanks, line[size - 1]))
    size--;
  return size > 5 && strncmp(line, "leak:", 5) == 0 &&
         pattern_holds(line + 5, size - 5, name);
}

static bool any_line_holds(const char *text, const char *name) {
  bool any = false;
  while (*text) {
    const size_t length = strcspn(text, "\n");
    any |= line_holds(text, length, name);
    text += length + (text[length] == '\n');
  }
  return any;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = calloc(1, size + 1);
  require(text);
  if (size > 0)
    memcpy(text, data, size);
  const size_t length = strlen(text);
  char *name =
      strndup(length < size ? text + length + 1 : "make_node(int)", LONGEST);
  require(name);
  const struct hp_frame frame = {.function = name}, nameless = {0};
  const struct hp_frame *const stack[] = {&nameless, &frame};
  const struct hp_point point = {.stack = stack, .stack_count = 2};
  require(hp_is_suppressed(text, &point) == any_line_holds(text, name));
  free(name);
  free(text);
  return 0;
}
