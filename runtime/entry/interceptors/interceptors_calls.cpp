// interceptors_calls.cpp - see libc_call.h: the table of libc_calls.def, and
// what goes through it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/libc_call.h"
#include "entry/interceptors/libc_headers.h"
#include "entry/interceptors/libc_ranges.h"
#include "entry/interceptors/libc_steps.h"
#include "system/symbol_lookup.h"

// ---- the table --------------------------------------------------------------

namespace {
struct hp_call_row {
  uint32_t name; // where it is in names
  uint32_t steps[HP_STEPS];
};
static_assert(sizeof(hp_call_row) == 20, "a row per function is small");
} // namespace

// Texts in one object need no pointers, which the dynamic linker would relocate.
#define HP_CALL(name, ...) char at_##name[sizeof #name];
static const struct hp_names {
#include "entry/interceptors/libc_calls.def"
} names = {
#undef HP_CALL
#define HP_CALL(name, ...) #name,
#include "entry/interceptors/libc_calls.def"
#undef HP_CALL
};

#define INT(x) (STEP_NARROW | (x))
#define LEAST(x) (STEP_LEAST | (x))
#define UNTIL(x) (STEP_UNTIL | (x))
#define PLUS_ONE (STEP_PLUS | r)
#define RANGE(access, p, n, ...)                                               \
  hp_step((access), OF_BYTES, (p), (n), sizeof(__VA_ARGS__))
#define RD(p, n, ...) RANGE(HP_ACCESS_READ, p, n, __VA_ARGS__)
#define WR(p, n, ...) RANGE(HP_ACCESS_WRITE, p, n, __VA_ARGS__)
#define RW(p, n, ...) RANGE(HP_ACCESS_BOTH, p, n, __VA_ARGS__)
#define IN(p, ...) RD(p, none, __VA_ARGS__)
#define OUT(p, ...) WR(p, none, __VA_ARGS__)
#define IO(p, ...) RW(p, none, __VA_ARGS__)
#define TEXT(p) TEXTS(p, none)
#define TEXTS(p, n) hp_step(HP_ACCESS_READ, OF_TEXT, (p), (n), 1)
#define WTEXT(p) WTEXTS(p, none)
#define WTEXTS(p, n) hp_step(HP_ACCESS_READ, OF_WIDE, (p), (n), 1)
#define OUTTEXT(p) hp_step(HP_ACCESS_WRITE, OF_TEXT, (p), none, 1)
#define WOUTTEXT(p) hp_step(HP_ACCESS_WRITE, OF_WIDE, (p), none, 1)
#define AFTER(step) hp_step_at(MOMENT_AFTER, step)
#define DONE(step) hp_step_at(MOMENT_DONE, step)
#define NOT(step) hp_step_at(MOMENT_NOT, step)
#define MADE(step) hp_step_at(MOMENT_MADE, step)
#define HELD(step) hp_step_at(MOMENT_HELD, step)
#define SOME(step) hp_step_at(MOMENT_SOME, step)
#define SOME_INT(step) hp_step_at(MOMENT_SOME_INT, step)

static constexpr hp_call_row rows[] = {
#define HP_CALL(name, ...) {offsetof(hp_names, at_##name), {__VA_ARGS__}},
#include "entry/interceptors/libc_calls.def"
#undef HP_CALL
};

// ---- the way through it --------------------------------------------------------

typedef long hp_real(long, long, long, long, long, long);
static hp_real *real[HP_CALLS];

static bool is_at(uint32_t moment, long result) {
  switch (moment) {
  case MOMENT_DONE:
    return (int)result == 0;
  case MOMENT_NOT:
    return (int)result != 0;
  case MOMENT_MADE:
    return result != 0;
  case MOMENT_HELD:
    return (int)result >= 0;
  case MOMENT_SOME:
    return result > 0;
  case MOMENT_SOME_INT:
    return (int)result > 0;
  default:
    return true;
  }
}

// A negative number of something is none.
static size_t count_of(const hp_step_fields &step, const long *arguments) {
  if (step.plus && step.least)
    return (size_t)(arguments[step.count] - arguments[step.pointer]);
  if (step.plus)
    return (size_t)arguments[r] + 1;
  long n = arguments[step.count];
  if (step.narrow)
    n = (int)n > 0 ? (int)n : 0;
  if (step.least && (size_t)arguments[r] < (size_t)n)
    n = arguments[r];
  return (size_t)n;
}

static void count(const hp_step_fields &step, const long *arguments, void *pc) {
  const void *p = (const void *)arguments[step.pointer];
  if (!hp_heap_may_hold(p))
    return;
  const size_t all = ~(size_t)0;
  const bool counted = step.count != none;
  size_t n = counted ? count_of(step, arguments) : 1;
  if (step.of == OF_TEXT)
    n = hp_text_bytes((const char *)p, counted ? n : all);
  else if (step.of == OF_WIDE)
    n = hp_wide_bytes((const wchar_t *)p, counted ? n : all);
  else if (__builtin_mul_overflow(n, (size_t)step.size, &n))
    return; // what libc refuses
  if (n)
    hp_access_heap_range(p, n, (int)step.access, (uintptr_t)pc);
}

static void walk(const hp_call_row &row, const long *arguments, bool before,
                 void *pc) {
  for (const uint32_t packed : row.steps) {
    if (!packed)
      return;
    const hp_step_fields step = hp_step_read(packed);
    if ((step.moment == MOMENT_BEFORE) == before &&
        (before || is_at(step.moment, arguments[r])))
      count(step, arguments, pc);
  }
}

HP_ALIGNS_STACK long __interceptor_call(long a, long b, long c, long d, long e,
                                        long f, hp_call which, void *pc) {
  HP_ENTER();
  long arguments[] = {a, b, c, d, e, f, 0};
  walk(rows[which], arguments, true, pc);
  arguments[r] = real[which](a, b, c, d, e, f);
  walk(rows[which], arguments, false, pc);
  return arguments[r];
}

void hp_intercept_calls(void) {
  for (unsigned i = 0; i < HP_CALLS; i++)
    real[i] =
        (hp_real *)hp_symbol_next((const char *)&names + rows[i].name, nullptr);
  // Unversioned look-up found the oldest form before glibc 2.36; these are not
  // what they were.
#define HP_NEWER(name, version)                                                \
  if (void *newer = hp_symbol_next(#name, version))                            \
  real[HP_CALL_##name] = (hp_real *)newer
  HP_NEWER(pthread_cond_init, "GLIBC_2.3.2");
  HP_NEWER(pthread_cond_destroy, "GLIBC_2.3.2");
  HP_NEWER(pthread_cond_wait, "GLIBC_2.3.2");
  HP_NEWER(pthread_cond_timedwait, "GLIBC_2.3.2");
  HP_NEWER(pthread_attr_setaffinity_np, "GLIBC_2.3.4");
  HP_NEWER(pthread_setaffinity_np, "GLIBC_2.3.4");
  HP_NEWER(sched_setaffinity, "GLIBC_2.3.4");
  HP_NEWER(nftw, "GLIBC_2.3.3");
  HP_NEWER(nftw64, "GLIBC_2.3.3");
  HP_NEWER(fnmatch, "GLIBC_2.2.3");
  HP_NEWER(fmemopen, "GLIBC_2.22");
}
