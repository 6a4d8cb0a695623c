/* mapping_lines.h - the lines of /proc/self/maps and smaps, one by one.
   Needs no memory but its caller's: handlers and small stacks may ask, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPING_LINES_H
#define HP_MAPPING_LINES_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls EACH for every line of the file PATH, without its end, until it returns
   false.  Lines are read into TEXT, of SIZE bytes; of a line that does not fit
   its beginning is given, which lacks a part of a path only.  False: some lines
   could not be read. */
bool hp_mapping_lines(const char *path, char *text, size_t size,
                      bool (*each)(const char *line, void *arg), void *arg);

/* The number that AT begins with, in hexadecimal digits.  Returns what follows them. */
const char *hp_mapping_hexadecimal(const char *at, uintptr_t *value);

/* The range [*BEGIN, *END) that LINE begins with.  Returns what follows it, or
   NULL if LINE begins with none. */
const char *hp_mapping_range(const char *line, uintptr_t *begin,
                             uintptr_t *end);

#ifdef __cplusplus
}
#endif
#endif
