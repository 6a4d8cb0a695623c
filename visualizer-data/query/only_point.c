/* only_point.c - whether a filter asks for one allocation point and nothing else.
   Then of a chunk log that point's part is enough.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t hp_filter_only_point(const char *text) {
  static const char key[] = "point=";
  if (!text)
    return 0;
  text += strspn(text, " \t\n");
  if (strncmp(text, key, strlen(key)) != 0)
    return 0;
  text += strlen(key);
  text += *text == '#';
  char *end;
  errno = 0;
  const uint64_t point = strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && !errno;
  return is_number && !end[strspn(end, " \t\n")] ? point : 0;
}
