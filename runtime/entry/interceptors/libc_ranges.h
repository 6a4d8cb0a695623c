// libc_ranges.h - what the tables of libc's functions say of a pointer: a text
// is read or written, an object, a number of bytes. Nothing outside the heap is
// looked at, so that a pointer which libc would refuse does no harm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_SANITIZER_LIBC_RANGES_H
#define HP_SANITIZER_LIBC_RANGES_H

#include "entry/interceptors/interception.h"

#include <stddef.h>

// Bytes with the end; no more than MOST characters, of which the end is one.
size_t hp_text_bytes(const char *s, size_t most);
size_t hp_wide_bytes(const wchar_t *s, size_t most);
size_t hp_wide_length(const wchar_t *s, size_t most);

inline size_t hp_read_text(const char *s, size_t most) {
  if (!hp_heap_may_hold(s))
    return 0;
  const size_t n = hp_text_bytes(s, most);
  HP_COUNT_READ(s, n);
  return n;
}

inline size_t hp_read_wide(const wchar_t *s, size_t most) {
  if (!hp_heap_may_hold(s))
    return 0;
  const size_t n = hp_wide_bytes(s, most);
  HP_COUNT_READ(s, n);
  return n;
}

inline void hp_wrote_text(const char *s) {
  if (hp_heap_may_hold(s))
    HP_COUNT_WRITE(s, hp_text_bytes(s, ~(size_t)0));
}

inline void hp_wrote_wide(const wchar_t *s) {
  if (hp_heap_may_hold(s))
    HP_COUNT_WRITE(s, hp_wide_bytes(s, ~(size_t)0));
}

#endif
