// interceptors_limit.cpp - the program limits its own memory, and what is
// reserved must not count then; or takes it from its chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "chunk/page_facts.h"
#include "process/own_profile.h"
#include "system/memory.h"

#include "entry/interceptors/libc_ranges.h"

#include <sys/mman.h>
#include <unistd.h>

// struct rlimit and struct rlimit64, whose headers do not fit the interceptors.
struct hp_rlimit {
  uint64_t soft, hard;
};

// A limit that libc will refuse, too, does no harm.
static bool is_of_memory(int resource, const hp_rlimit *limit) {
  return limit &&
         (resource == HP_SYS_LIMIT_SPACE || resource == HP_SYS_LIMIT_DATA) &&
         limit->soft != UINT64_MAX;
}

static bool before(pid_t pid, int resource, const hp_rlimit *limit) {
  if (limit)
    HP_COUNT_READ(limit, sizeof *limit);
  if ((pid && pid != getpid()) || !is_of_memory(resource, limit))
    return false;
  hp_profile_before_limit(resource == HP_SYS_LIMIT_SPACE);
  return true;
}

static int after(bool limited, int result) {
  if (limited && result == 0)
    hp_profile_after_limit();
  return result;
}

#define HP_SETRLIMIT(name)                                                     \
  INTERCEPTOR(int, name, int resource, const hp_rlimit *limit) {               \
    HP_ENTER();                                                                \
    const bool limited = before(0, resource, limit);                           \
    return after(limited, REAL(name)(resource, limit));                        \
  }
HP_SETRLIMIT(setrlimit)
HP_SETRLIMIT(setrlimit64)

#define HP_PRLIMIT(name)                                                       \
  INTERCEPTOR(int, name, pid_t pid, int resource, const hp_rlimit *limit,      \
              hp_rlimit *old) {                                                \
    HP_ENTER();                                                                \
    const bool limited = before(pid, resource, limit);                         \
    const int result = after(limited, REAL(name)(pid, resource, limit, old));  \
    if (result == 0 && old)                                                    \
      HP_COUNT_WRITE(old, sizeof *old);                                        \
    return result;                                                             \
  }
HP_PRLIMIT(prlimit)
HP_PRLIMIT(prlimit64)

// What is reserved would be locked, and count against RLIMIT_MEMLOCK.
INTERCEPTOR(int, mlockall, int flags) {
  HP_ENTER();
  hp_profile_before_limit(true);
  return REAL(mlockall)(flags);
}

// A page that loses its memory may have been touched.
static bool takes_memory(int advice) {
  const int kDontNeedLocked = 24; // Linux 5.18
  return advice == MADV_DONTNEED || advice == MADV_FREE ||
         advice == MADV_REMOVE || advice == kDontNeedLocked;
}

INTERCEPTOR(int, madvise, void *p, size_t n, int advice) {
  HP_ENTER();
  if (takes_memory(advice) && hp_heap_holds(p))
    hp_page_facts_forget();
  return REAL(madvise)(p, n, advice);
}

void hp_intercept_limits(void) {
  INTERCEPT_FUNCTION(mlockall);
  INTERCEPT_FUNCTION(setrlimit);
  INTERCEPT_FUNCTION(setrlimit64);
  INTERCEPT_FUNCTION(prlimit);
  INTERCEPT_FUNCTION(prlimit64);
  INTERCEPT_FUNCTION(madvise);
}
