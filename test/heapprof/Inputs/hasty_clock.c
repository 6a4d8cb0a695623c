// hasty_clock.c - a clock that is two seconds on each time it is read, to be loaded before the C library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  static time_t seconds = 1000;
  (void)clock;
  now->tv_sec = seconds += 2;
  now->tv_nsec = 0;
  return 0;
}
