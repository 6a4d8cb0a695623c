/* pattern.h - text patterns of filters and of the allocator's own frames.
   "*" is any text, "?" any character; case counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PATTERN_H
#define HP_PATTERN_H

#include <stdbool.h>

/* The whole of TEXT matches PATTERN.  TEXT = NULL matches nothing. */
bool hp_pattern_matches(const char *pattern, const char *text);

/* As a filter has it: without wildcards a substring is enough. */
bool hp_pattern_finds(const char *pattern, const char *text);

#endif
