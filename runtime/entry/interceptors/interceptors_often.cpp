// interceptors_often.cpp - strlen, strcmp and strncmp, which programs call most: with few instructions where nothing is
// counted, and what strcmp says is what libc says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/interception.h"

using namespace __sanitizer;

bool hp_interceptors_ready;

// What is not in the heap for sure, as nearly all in a run of samples, is libc's at
// once.  Before libc's functions are found there are none.

static usize counted_strlen(const char *s);
INTERCEPTOR(usize, strlen, const char *s) {
  if (HP_LIKELY(hp_interceptors_ready) && hp_heap_is_elsewhere(s)) __attribute__
    ((musttail)) return REAL(strlen)(s);
  __attribute__((musttail)) return counted_strlen(s);
}

static HP_NOINLINE usize counted_strlen(const char *s) {
  if (!hp_interceptors_ready)
    return internal_strlen(s);
  usize length = REAL(strlen)(s);
  HP_COUNT_READ(s, length + 1);
  return length;
}

// libFuzzer's, if they are there.
extern "C" SANITIZER_WEAK_ATTRIBUTE void
__sanitizer_weak_hook_strcmp(uptr caller, const char *a, const char *b,
                             int result);
extern "C" SANITIZER_WEAK_ATTRIBUTE void
__sanitizer_weak_hook_strncmp(uptr caller, const char *a, const char *b,
                              uptr most, int result);

// Counts what is read to compare at most MOST bytes; says what libc says: the
// difference of the first two that differ.
HP_INLINE int count_compared(const char *a, const char *b, uptr most) {
  uptr i = 0;
  while (i < most && a[i] == b[i] && a[i])
    i++;
  const uptr read = i < most ? i + 1 : most;
  HP_COUNT_READ(a, read);
  HP_COUNT_READ(b, read);
  return i < most ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

static int counted_strcmp(const char *a, const char *b);
INTERCEPTOR(int, strcmp, const char *a, const char *b) {
  if (HP_LIKELY(hp_interceptors_ready) && hp_heap_are_elsewhere(a, b) &&
      HP_LIKELY(&__sanitizer_weak_hook_strcmp == nullptr)) __attribute__
    ((musttail)) return REAL(strcmp)(a, b);
  __attribute__((musttail)) return counted_strcmp(a, b);
}

static HP_NOINLINE int counted_strcmp(const char *a, const char *b) {
  const int result = count_compared(a, b, ~(uptr)0);
  if (HP_UNLIKELY(&__sanitizer_weak_hook_strcmp != nullptr))
    __sanitizer_weak_hook_strcmp(GET_CALLER_PC(), a, b, result);
  return result;
}

static int counted_strncmp(const char *a, const char *b, usize most);
INTERCEPTOR(int, strncmp, const char *a, const char *b, usize most) {
  if (HP_LIKELY(hp_interceptors_ready) && hp_heap_are_elsewhere(a, b) &&
      HP_LIKELY(&__sanitizer_weak_hook_strncmp == nullptr)) __attribute__
    ((musttail)) return REAL(strncmp)(a, b, most);
  __attribute__((musttail)) return counted_strncmp(a, b, most);
}

static HP_NOINLINE int counted_strncmp(const char *a, const char *b,
                                       usize most) {
  const int result = count_compared(a, b, most);
  if (HP_UNLIKELY(&__sanitizer_weak_hook_strncmp != nullptr))
    __sanitizer_weak_hook_strncmp(GET_CALLER_PC(), a, b, most, result);
  return result;
}

void hp_intercept_often(void) {
  INTERCEPT_FUNCTION(strlen);
  INTERCEPT_FUNCTION(strcmp);
  INTERCEPT_FUNCTION(strncmp);
}
