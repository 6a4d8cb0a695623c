/* pattern.c - wildcard matching.
   Falls back to the last star only, so that no pattern costs exponential time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/pattern.h"

#include <string.h>

bool hp_pattern_matches(const char *pattern, const char *text) {
  if (!text)
    return false;
  const char *star = NULL, *resume = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = ++pattern;
      resume = text;
    } else if (*pattern == '?' || *pattern == *text) {
      pattern++;
      text++;
    } else if (star) {
      pattern = star;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    pattern++;
  return !*pattern;
}

bool hp_pattern_finds(const char *pattern, const char *text) {
  if (!text)
    return false;
  if (strpbrk(pattern, "*?"))
    return hp_pattern_matches(pattern, text);
  return strstr(text, pattern) != NULL;
}
