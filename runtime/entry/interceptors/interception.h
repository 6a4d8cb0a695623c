// interception.h - what the files of interceptors share: when and how to count.
// Included after sanitizer_common's headers; interceptors change no result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_SANITIZER_INTERCEPTION_H
#define HP_SANITIZER_INTERCEPTION_H

#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "entry/start.h"
#include "hook_abi.h"
#include "system/symbol_lookup.h"

#include "interception/interception.h"

// Nobody asks what sanitizer_common's is told beside, the function itself, in 800 calls.
#undef INTERCEPT_FUNCTION
#define INTERCEPT_FUNCTION(name) hp_symbol_find(#name, &REAL(name))
#undef INTERCEPT_FUNCTION_VER
#define INTERCEPT_FUNCTION_VER(name, version)                                  \
  hp_symbol_find_version(#name, version, &REAL(name))

// No guard against nesting: libc calls itself by other names than those
// intercepted here, and a comparison function that qsort calls must count.
#define HP_COUNT_READ(p, n) hp_access_range((p), (n), HP_ACCESS_READ)
#define HP_COUNT_WRITE(p, n) hp_access_range((p), (n), HP_ACCESS_WRITE)
#define HP_COUNT_COPY(to, from, n)                                             \
  hp_access_heap_copy((to), (from), (n), (uintptr_t)__builtin_return_address(0))

// Before libc's functions are found nothing but sanitizer_common's own copies
// can be called; REAL() works once hp_init() has begun.
#define HP_ENTER()                                                             \
  do {                                                                         \
    if (HP_UNLIKELY(hp_init_state == HP_NOT_STARTED))                          \
      hp_init();                                                               \
  } while (false)

extern bool hp_interceptors_ready; // all of these are done
void hp_intercept_symbols(void);
void hp_intercept_often(void);
void hp_intercept_common(void);
void hp_intercept_memory(void);
void hp_intercept_strings(void);
void hp_intercept_ioctl(void);
void hp_intercept_process(void);
void hp_intercept_limits(void);
void hp_intercept_mappings(void);
void hp_intercept_signals(void);
void hp_intercept_filters(void);
void hp_intercept_libc(void);
void hp_intercept_calls(void);
void hp_intercept_formats(void);
void hp_intercept_scanners(void);

#endif
