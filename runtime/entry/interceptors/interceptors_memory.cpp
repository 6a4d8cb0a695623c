// interceptors_memory.cpp - memcpy and its kin, their checked forms, memcmp.
// A file of its own, since its functions are what others must not call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define SANITIZER_COMMON_NO_REDEFINE_BUILTINS

#include "system/platform.h"
#include "system/real_libc.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/interception.h"

using namespace __sanitizer;

#define COMMON_INTERCEPT_FUNCTION(name) INTERCEPT_FUNCTION(name)
// Where libc's function is not found yet hp_real_* is sanitizer_common's own.
#define COPY_BY(name, to, from, n)                                             \
  {                                                                            \
    (void)(ctx);                                                               \
    if (HP_LIKELY(hp_access_hooked))                                           \
      return __heapprof_##name(to, from, n);                                   \
    return hp_copy_without_hooks(to, from, n, hp_real_libc.name);              \
  }
#define COMMON_INTERCEPTOR_MEMCPY_IMPL(ctx, to, from, n)                       \
  COPY_BY(memcpy, to, from, n)
#define COMMON_INTERCEPTOR_MEMMOVE_IMPL(ctx, to, from, n)                      \
  COPY_BY(memmove, to, from, n)
#define COMMON_INTERCEPTOR_MEMSET_IMPL(ctx, p, value, n)                       \
  {                                                                            \
    (void)(ctx);                                                               \
    return __heapprof_memset(p, value, n);                                     \
  }

DECLARE_REAL(void *, memcpy, void *to, const void *from, usize n)
DECLARE_REAL(void *, memmove, void *to, const void *from, usize n)
DECLARE_REAL(void *, memset, void *p, int value, usize n)

#include "sanitizer_common/sanitizer_common_interceptors_memintrinsics.inc"

// libc's mempcpy and the forms that -D_FORTIFY_SOURCE calls; ROOM is checked
// by libc, which ends the program.

INTERCEPTOR(void *, mempcpy, void *to, const void *from, usize n) {
  HP_ENTER();
  HP_COUNT_COPY(to, from, n);
  return REAL(mempcpy)(to, from, n);
}

INTERCEPTOR(void *, __memcpy_chk, void *to, const void *from, usize n,
            usize room) {
  HP_ENTER();
  HP_COUNT_COPY(to, from, n);
  return REAL(__memcpy_chk)(to, from, n, room);
}

INTERCEPTOR(void *, __mempcpy_chk, void *to, const void *from, usize n,
            usize room) {
  HP_ENTER();
  HP_COUNT_COPY(to, from, n);
  return REAL(__mempcpy_chk)(to, from, n, room);
}

INTERCEPTOR(void *, __memmove_chk, void *to, const void *from, usize n,
            usize room) {
  HP_ENTER();
  HP_COUNT_COPY(to, from, n);
  return REAL(__memmove_chk)(to, from, n, room);
}

INTERCEPTOR(void *, __memset_chk, void *p, int value, usize n, usize room) {
  HP_ENTER();
  HP_COUNT_WRITE(p, n);
  return REAL(__memset_chk)(p, value, n, room);
}

// libFuzzer's, if it is there.
extern "C" SANITIZER_WEAK_ATTRIBUTE void
__sanitizer_weak_hook_memcmp(uptr caller, const void *a, const void *b, uptr n,
                             int result);

static HP_NOINLINE int compare_and_tell(const void *a, const void *b, usize n,
                                        uptr caller) {
  int result = hp_counted_memcmp(a, b, n);
  __sanitizer_weak_hook_memcmp(caller, a, b, n, result);
  return result;
}

#define HP_COMPARE(name)                                                       \
  INTERCEPTOR(int, name, const void *a, const void *b, usize n) {              \
    if (HP_UNLIKELY(&__sanitizer_weak_hook_memcmp != nullptr))                 \
      return compare_and_tell(a, b, n, GET_CALLER_PC());                       \
    if (HP_LIKELY(hp_access_hooked))                                           \
      return hp_counted_memcmp(a, b, n);                                       \
    return hp_real_libc.memcmp(a, b, n);                                       \
  }

HP_COMPARE(memcmp)
HP_COMPARE(bcmp)

void hp_intercept_memory(void) {
  InitializeMemintrinsicInterceptors();
  INTERCEPT_FUNCTION(memcmp);
  INTERCEPT_FUNCTION(bcmp);
  INTERCEPT_FUNCTION(mempcpy);
  INTERCEPT_FUNCTION(__memcpy_chk);
  INTERCEPT_FUNCTION(__mempcpy_chk);
  INTERCEPT_FUNCTION(__memmove_chk);
  INTERCEPT_FUNCTION(__memset_chk);
  hp_real_libc_find();
}
