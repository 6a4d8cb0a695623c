// interceptors_ioctl.cpp - ioctl, by sanitizer_common's table of requests.
// The table is made for the first one: its code and it are 45 KB, which few programs touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/platform.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_platform_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

#include "entry/interceptors/interception.h"
#include "system/arena.h"
#include "system/signal_mask.h"

#include <stdarg.h>

using namespace __sanitizer;

// A request that is not known is not counted; it is no business of the program's user.
#define Printf(...) ((void)0)
#define COMMON_INTERCEPTOR_READ_RANGE(ctx, p, n) HP_COUNT_READ(p, n)
#define COMMON_INTERCEPTOR_WRITE_RANGE(ctx, p, n) HP_COUNT_WRITE(p, n)

#include "sanitizer_common/sanitizer_common_interceptors_ioctl.inc"

#undef Printf

// By a lock that fork takes, and while no handler runs.
static bool has_table;

static HP_NOINLINE void make_table() {
  uint64_t signals;
  hp_sys_block_signals(&signals);
  hp_arenas_lock();
  if (!has_table)
    ioctl_init();
  __atomic_store_n(&has_table, true, __ATOMIC_RELEASE);
  hp_arenas_unlock();
  hp_sys_restore_signals(&signals);
}

extern "C" HP_ALIGNS_STACK int WRAP(ioctl)(int fd, unsigned long number, ...);

INTERCEPTOR(int, ioctl, int fd, unsigned long number, ...) {
  va_list list;
  va_start(list, number);
  void *arg = va_arg(list, void *);
  va_end(list);
  HP_ENTER();
  if (!__atomic_load_n(&has_table, __ATOMIC_ACQUIRE))
    make_table();
  const unsigned request = static_cast<unsigned>(number);
  ioctl_desc decoded;
  const ioctl_desc *known = ioctl_lookup(request);
  if (!known && ioctl_decode(request, &decoded))
    known = &decoded;
  if (known)
    ioctl_common_pre(nullptr, known, fd, request, arg);
  const int result = REAL(ioctl)(fd, number, arg);
  if (known && result != -1)
    ioctl_common_post(nullptr, known, result, fd, request, arg);
  return result;
}

void hp_intercept_ioctl(void) { INTERCEPT_FUNCTION(ioctl); }
