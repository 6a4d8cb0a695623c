// interceptors.cpp - sanitizer_common's interceptors, counting into the heap.
// Those that would change what a program sees are left out or redone elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/own_profile.h"
#include "system/platform.h"

#include "sanitizer_common/sanitizer_addrhashmap.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_platform_interceptors.h"

#include "entry/interceptors/interception.h"

using namespace __sanitizer;

// Gives some programs another environment (interceptors_process.cpp).
#undef SANITIZER_INTERCEPT_POSIX_SPAWN
#define SANITIZER_INTERCEPT_POSIX_SPAWN 0
// Compares neighbours once more than libc: the program counts comparisons.
#undef SANITIZER_INTERCEPT_QSORT
#define SANITIZER_INTERCEPT_QSORT 0
#undef SANITIZER_INTERCEPT_QSORT_R
#define SANITIZER_INTERCEPT_QSORT_R 0
// Redone with fewer instructions in interceptors_often and interceptors_memory.
#undef SANITIZER_INTERCEPT_STRLEN
#define SANITIZER_INTERCEPT_STRLEN 0
#undef SANITIZER_INTERCEPT_STRCMP
#define SANITIZER_INTERCEPT_STRCMP 0
#undef SANITIZER_INTERCEPT_MEMCMP
#define SANITIZER_INTERCEPT_MEMCMP 0
#undef SANITIZER_INTERCEPT_BCMP
#define SANITIZER_INTERCEPT_BCMP 0
// Counts nothing of its own.
#undef SANITIZER_INTERCEPT_BSEARCH
#define SANITIZER_INTERCEPT_BSEARCH 0
// Would make them do nothing.
#undef SANITIZER_INTERCEPT_MLOCKX
#define SANITIZER_INTERCEPT_MLOCKX 0
// Made when the program starts, its table takes memory (interceptors_ioctl).
#undef SANITIZER_INTERCEPT_IOCTL
#define SANITIZER_INTERCEPT_IOCTL 0
// Would show one frame more.
#undef SANITIZER_INTERCEPT_BACKTRACE
#define SANITIZER_INTERCEPT_BACKTRACE 0
// Looks for the end of the text also where what is wanted was found ahead of
// it: who splits a text so goes over it again and again (interceptors_string).
#undef SANITIZER_INTERCEPT_STRSTR
#define SANITIZER_INTERCEPT_STRSTR 0
#undef SANITIZER_INTERCEPT_STRCASESTR
#define SANITIZER_INTERCEPT_STRCASESTR 0
// Counts all bytes also where what is wanted was found ahead of their end
// (interceptors_string).
#undef SANITIZER_INTERCEPT_MEMMEM
#define SANITIZER_INTERCEPT_MEMMEM 0
// Runs to the end of a text that REG_STARTEND ends earlier
// (interceptors_string).
#undef SANITIZER_INTERCEPT_REGEX
#define SANITIZER_INTERCEPT_REGEX 0
// Allocates PATH_MAX bytes where libc allocates what is needed.
#undef SANITIZER_INTERCEPT_REALPATH
#define SANITIZER_INTERCEPT_REALPATH 0
// Would lose the caller that dlopen resolves names for (interceptors_process).
#undef SANITIZER_INTERCEPT_DLOPEN_DLCLOSE
#define SANITIZER_INTERCEPT_DLOPEN_DLCLOSE 0
// Keep tables behind locks that a forked child may find taken.
// A stream's buffer is not only written: rows of our own say so.
#undef SANITIZER_INTERCEPT_SETVBUF
#define SANITIZER_INTERCEPT_SETVBUF 0
#undef SANITIZER_INTERCEPT_OPEN_MEMSTREAM
#define SANITIZER_INTERCEPT_OPEN_MEMSTREAM 0
#undef SANITIZER_INTERCEPT_FCLOSE
#define SANITIZER_INTERCEPT_FCLOSE 0
#undef SANITIZER_INTERCEPT_FFLUSH
#define SANITIZER_INTERCEPT_FFLUSH 0
// Touch no memory of the heap.
#undef SANITIZER_INTERCEPT_TLS_GET_ADDR
#define SANITIZER_INTERCEPT_TLS_GET_ADDR 0
#undef SANITIZER_INTERCEPT_MMAP
#define SANITIZER_INTERCEPT_MMAP 0
#undef SANITIZER_INTERCEPT_MMAP64
#define SANITIZER_INTERCEPT_MMAP64 0
#undef SANITIZER_INTERCEPT___LIBC_MUTEX
#define SANITIZER_INTERCEPT___LIBC_MUTEX 0
// Shows the stack that we give to handlers (interceptors_signal).
#undef SANITIZER_INTERCEPT_SIGALTSTACK
#define SANITIZER_INTERCEPT_SIGALTSTACK 0
// Leaves out texts that a precision cut short, and the forms that
// -D_FORTIFY_SOURCE calls (interceptors_format).
#undef SANITIZER_INTERCEPT_PRINTF
#define SANITIZER_INTERCEPT_PRINTF 0
#undef SANITIZER_INTERCEPT_ISOC99_PRINTF
#define SANITIZER_INTERCEPT_ISOC99_PRINTF 0
#undef SANITIZER_INTERCEPT___PRINTF_CHK
#define SANITIZER_INTERCEPT___PRINTF_CHK 0
// Counts no text that is scanned, and the room for one instead of what came.
#undef SANITIZER_INTERCEPT_SCANF
#define SANITIZER_INTERCEPT_SCANF 0
#undef SANITIZER_INTERCEPT_ISOC99_SCANF
#define SANITIZER_INTERCEPT_ISOC99_SCANF 0
// Counts the first byte only (interceptors_format).
#undef SANITIZER_INTERCEPT_STRTOK
#define SANITIZER_INTERCEPT_STRTOK 0
// Do not count all that is read and written (libc_functions.def).
#undef SANITIZER_INTERCEPT_ACCESS
#define SANITIZER_INTERCEPT_ACCESS 0
#undef SANITIZER_INTERCEPT_FACCESSAT
#define SANITIZER_INTERCEPT_FACCESSAT 0
#undef SANITIZER_INTERCEPT_MBSTOWCS
#define SANITIZER_INTERCEPT_MBSTOWCS 0
#undef SANITIZER_INTERCEPT_MBSNRTOWCS
#define SANITIZER_INTERCEPT_MBSNRTOWCS 0
#undef SANITIZER_INTERCEPT_WCSTOMBS
#define SANITIZER_INTERCEPT_WCSTOMBS 0
#undef SANITIZER_INTERCEPT_WCSNRTOMBS
#define SANITIZER_INTERCEPT_WCSNRTOMBS 0
#undef SANITIZER_INTERCEPT_STAT
#define SANITIZER_INTERCEPT_STAT 0
#undef SANITIZER_INTERCEPT_LSTAT
#define SANITIZER_INTERCEPT_LSTAT 0
#undef SANITIZER_INTERCEPT_STAT64
#define SANITIZER_INTERCEPT_STAT64 0
#undef SANITIZER_INTERCEPT_LSTAT64
#define SANITIZER_INTERCEPT_LSTAT64 0
#undef SANITIZER_INTERCEPT_TEXTDOMAIN
#define SANITIZER_INTERCEPT_TEXTDOMAIN 0
#undef SANITIZER_INTERCEPT_INET
#define SANITIZER_INTERCEPT_INET 0
#undef SANITIZER_INTERCEPT_INET_ATON
#define SANITIZER_INTERCEPT_INET_ATON 0
#undef SANITIZER_INTERCEPT_PTHREAD_SETNAME_NP
#define SANITIZER_INTERCEPT_PTHREAD_SETNAME_NP 0
#undef SANITIZER_INTERCEPT_GLOB
#define SANITIZER_INTERCEPT_GLOB 0
#undef SANITIZER_INTERCEPT_GLOB64
#define SANITIZER_INTERCEPT_GLOB64 0
#undef SANITIZER_INTERCEPT_POLL
#define SANITIZER_INTERCEPT_POLL 0
#undef SANITIZER_INTERCEPT_PPOLL
#define SANITIZER_INTERCEPT_PPOLL 0
#undef SANITIZER_INTERCEPT_SEM
#define SANITIZER_INTERCEPT_SEM 0
// Would say that they check, where libc says that it does not.
#undef SANITIZER_INTERCEPT_MCHECK_MPROBE
#define SANITIZER_INTERCEPT_MCHECK_MPROBE 0
// Does not count what is read or written of the other process, which may be this.
#undef SANITIZER_INTERCEPT_PROCESS_VM_READV
#define SANITIZER_INTERCEPT_PROCESS_VM_READV 0
// Looks into no filter of system calls (interceptors_filter).
#undef SANITIZER_INTERCEPT_PRCTL
#define SANITIZER_INTERCEPT_PRCTL 0
// Look at the length that they are given, for which the kernel may have EFAULT
// (libc_functions.def).
#undef SANITIZER_INTERCEPT_GETSOCKNAME
#define SANITIZER_INTERCEPT_GETSOCKNAME 0
#undef SANITIZER_INTERCEPT_GETPEERNAME
#define SANITIZER_INTERCEPT_GETPEERNAME 0
#undef SANITIZER_INTERCEPT_ACCEPT
#define SANITIZER_INTERCEPT_ACCEPT 0
#undef SANITIZER_INTERCEPT_ACCEPT4
#define SANITIZER_INTERCEPT_ACCEPT4 0
// Do not count what they read: the list of buffers that they fill, where they
// send, the state they go on from (libc_functions.def, libc_calls.def).
#undef SANITIZER_INTERCEPT_READV
#define SANITIZER_INTERCEPT_READV 0
#undef SANITIZER_INTERCEPT_PREADV
#define SANITIZER_INTERCEPT_PREADV 0
#undef SANITIZER_INTERCEPT_PREADV64
#define SANITIZER_INTERCEPT_PREADV64 0
#undef SANITIZER_INTERCEPT_PREADV2
#define SANITIZER_INTERCEPT_PREADV2 0
#undef SANITIZER_INTERCEPT_RECVMSG
#define SANITIZER_INTERCEPT_RECVMSG 0
#undef SANITIZER_INTERCEPT_RECVMMSG
#define SANITIZER_INTERCEPT_RECVMMSG 0
#undef SANITIZER_INTERCEPT_SEND_SENDTO
#define SANITIZER_INTERCEPT_SEND_SENDTO 0
#undef SANITIZER_INTERCEPT_GETNAMEINFO
#define SANITIZER_INTERCEPT_GETNAMEINFO 0
#undef SANITIZER_INTERCEPT_TIMER_CREATE
#define SANITIZER_INTERCEPT_TIMER_CREATE 0
#undef SANITIZER_INTERCEPT_RANDOM_R
#define SANITIZER_INTERCEPT_RANDOM_R 0
#undef SANITIZER_INTERCEPT_DRAND48_R
#define SANITIZER_INTERCEPT_DRAND48_R 0
// As rows of a table they take less (libc_calls.def).
#undef SANITIZER_INTERCEPT_ETHER_NTOA_ATON
#define SANITIZER_INTERCEPT_ETHER_NTOA_ATON 0
#undef SANITIZER_INTERCEPT_ETHER_HOST
#define SANITIZER_INTERCEPT_ETHER_HOST 0
#undef SANITIZER_INTERCEPT_ETHER_R
#define SANITIZER_INTERCEPT_ETHER_R 0
#undef SANITIZER_INTERCEPT_TIMERFD
#define SANITIZER_INTERCEPT_TIMERFD 0
// Takes memory for what it keeps of a stream, and ends the program where there
// is none.
#undef SANITIZER_INTERCEPT_FOPENCOOKIE
#define SANITIZER_INTERCEPT_FOPENCOOKIE 0
// By whom libc before 2.33 is called.
#undef SANITIZER_INTERCEPT____XSTAT
#define SANITIZER_INTERCEPT____XSTAT 0
#undef SANITIZER_INTERCEPT____XSTAT64
#define SANITIZER_INTERCEPT____XSTAT64 0
#undef SANITIZER_INTERCEPT____LXSTAT
#define SANITIZER_INTERCEPT____LXSTAT 0
#undef SANITIZER_INTERCEPT____LXSTAT64
#define SANITIZER_INTERCEPT____LXSTAT64 0
// Duplicated with the caller's stack in interceptors_string.
#undef SANITIZER_INTERCEPT_STRNDUP
#define SANITIZER_INTERCEPT_STRNDUP 0
#undef SANITIZER_INTERCEPT___STRNDUP
#define SANITIZER_INTERCEPT___STRNDUP 0

// A directive of printf or scanf that is not known is not counted; it is no
// business of the program's user.
#define Report(...) ((void)0)
#define Printf(...) ((void)0)

#define COMMON_INTERCEPTOR_NOTHING_IS_INITIALIZED (!hp_interceptors_ready)
#define COMMON_INTERCEPT_FUNCTION(name) INTERCEPT_FUNCTION(name)
#define COMMON_INTERCEPT_FUNCTION_VER(name, version)                           \
  INTERCEPT_FUNCTION_VER(name, version)
#define COMMON_INTERCEPT_FUNCTION_VER_UNVERSIONED_FALLBACK(name, version)      \
  (INTERCEPT_FUNCTION_VER(name, version) || INTERCEPT_FUNCTION(name))
#define COMMON_INTERCEPTOR_ENTER(ctx, func, ...)                               \
  do {                                                                         \
    (ctx) = nullptr;                                                           \
    (void)(ctx);                                                               \
    HP_ENTER();                                                                \
    also<struct of_##func>::read(__VA_ARGS__);                                 \
  } while (false)
#define COMMON_INTERCEPTOR_READ_RANGE(ctx, p, n) HP_COUNT_READ(p, n)
#define COMMON_INTERCEPTOR_WRITE_RANGE(ctx, p, n) HP_COUNT_WRITE(p, n)
#define COMMON_INTERCEPTOR_DIR_ACQUIRE(ctx, path) ((void)0)
#define COMMON_INTERCEPTOR_FD_ACQUIRE(ctx, fd) ((void)0)
#define COMMON_INTERCEPTOR_FD_RELEASE(ctx, fd) ((void)0)
#define COMMON_INTERCEPTOR_FD_SOCKET_ACCEPT(ctx, fd, newfd) ((void)0)
#define COMMON_INTERCEPTOR_SET_THREAD_NAME(ctx, name) ((void)0)
#define COMMON_INTERCEPTOR_SET_PTHREAD_NAME(ctx, thread, name) ((void)0)
#define COMMON_INTERCEPTOR_BLOCK_REAL(name) REAL(name)
// _exit(status) runs no handler, so the dump is written here.
#define COMMON_INTERCEPTOR_ON_EXIT(ctx) (hp_finish_exit(status), 0)

DECLARE_REAL(void *, memset, void *p, int value, usize n)
DECLARE_REAL(usize, strlen, const char *s)

// sanitizer_common's own goes byte by byte.  What is not in the heap is not
// counted, and may be what the kernel has EFAULT for.
HP_NOINLINE static uptr fast_strlen(const char *s) {
  if (!hp_interceptors_ready)
    return internal_strlen(s);
  return hp_heap_may_hold(s) ? REAL(strlen)(s) : 0;
}
// What a function reads, too, of which sanitizer_common counts other things.
namespace {
template <typename Function> struct also {
  template <typename... Arguments> static void read(Arguments...) {}
};
struct also_text {
  template <typename... Arguments>
  static void read(const char *text, Arguments...) {
    if (hp_heap_may_hold(text))
      HP_COUNT_READ(text, fast_strlen(text) + 1);
  }
};
template <> struct also<struct of_gethostbyname> : also_text {};
template <> struct also<struct of_gethostbyname2> : also_text {};
template <> struct also<struct of_gethostbyname_r> : also_text {};
template <> struct also<struct of_gethostbyname2_r> : also_text {};
} // namespace

#define internal_strlen fast_strlen

// Its table of streams, which nothing of what is left uses, has 3.6 MiB.
namespace {
template <typename T, uptr> using UnusedMap = AddrHashMap<T, 1>;
}
#define AddrHashMap UnusedMap

#include "sanitizer_common/sanitizer_common_interceptors.inc"

#undef AddrHashMap

#undef internal_strlen
#undef Report
#undef Printf

void hp_intercept_common(void) { InitializeCommonInterceptors(); }
