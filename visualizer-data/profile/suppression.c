/* suppression.c - see suppression.h: a pattern is cut at its stars, and its
   parts are looked for one behind the other.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/suppression.h"

#include <string.h>

static const char kind[] = "leak:";

/* Where the SIZE bytes of PART are in TEXT for the first time; NULL: nowhere. */
static const char *find(const char *text, const char *part, size_t size) {
  for (size_t left = strlen(text); left >= size; left--, text++)
    if (memcmp(text, part, size) == 0)
      return text;
  return NULL;
}

static bool ends_with(const char *text, const char *part, size_t size) {
  size_t length = strlen(text);
  return length >= size && memcmp(text + length - size, part, size) == 0;
}

/* The SIZE bytes of PATTERN. */
static bool matches(const char *pattern, size_t size, const char *text) {
  bool at_begin = size && *pattern == '^';
  bool at_end = size > at_begin && pattern[size - 1] == '$';
  const char *end = pattern + size - at_end;
  if (!text)
    return false;
  pattern += at_begin;
  /* "$" alone is the end of a name that has nothing in front of it. */
  if (at_end && pattern == end)
    return !*text;
  for (; pattern < end; at_begin = false) {
    const char *star = memchr(pattern, '*', (size_t)(end - pattern));
    const size_t part = (size_t)((star ? star : end) - pattern);
    if (at_end && !star)
      return at_begin ? strlen(text) == part && !memcmp(text, pattern, part)
                      : ends_with(text, pattern, part);
    const char *found = find(text, pattern, part);
    if (!found || (at_begin && found != text))
      return false;
    text = found + part;
    pattern += part + (star != NULL);
  }
  return true;
}

static bool matches_frame(const char *pattern, size_t size,
                          const struct hp_frame *f) {
  return matches(pattern, size, f->function) ||
         matches(pattern, size, f->linkage_name) ||
         matches(pattern, size, f->file) || matches(pattern, size, f->module);
}

static bool matches_stack(const char *pattern, size_t size,
                          const struct hp_point *point) {
  for (size_t i = 0; i < point->stack_count; i++)
    if (matches_frame(pattern, size, point->stack[i]))
      return true;
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool hp_is_suppressed(const char *text, const struct hp_point *point) {
  while (*text) {
    const size_t length = strcspn(text, "\n");
    const char *begin = text, *end = text + length;
    while (begin < end && is_blank(*begin))
      begin++;
    while (end > begin && is_blank(end[-1]))
      end--;
    const size_t size = (size_t)(end - begin), prefix = sizeof kind - 1;
    if (size > prefix && memcmp(begin, kind, prefix) == 0 &&
        matches_stack(begin + prefix, size - prefix, point))
      return true;
    text += length + (text[length] == '\n');
  }
  return false;
}
