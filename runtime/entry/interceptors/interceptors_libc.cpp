// interceptors_libc.cpp - the functions of libc_functions.def, one line each:
// those that read and write what their parameters point to, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "system/sanitizer_binding.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

// C++ has two of each of these, by the constness of what they search.
#define basename hp_header_basename
#define wcschr hp_header_wcschr
#define wcspbrk hp_header_wcspbrk
#define wcsrchr hp_header_wcsrchr
#define wcsstr hp_header_wcsstr
#define wmemchr hp_header_wmemchr

// Takes what its command says; here always a number or a pointer.
#define fcntl hp_header_fcntl
#define fcntl64 hp_header_fcntl64

#include "entry/interceptors/libc_ranges.h"

#include <aliases.h>
#include <argz.h>
#include "entry/interceptors/libc_headers.h"

#undef basename
#undef wcschr
#undef wcspbrk
#undef wcsrchr
#undef wcsstr
#undef wmemchr
#undef fcntl
#undef fcntl64

using namespace __sanitizer;

// Functions that are not for new programs are called by old ones.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#define RD(p, n) HP_COUNT_READ((p), (n))
#define WR(p, n) HP_COUNT_WRITE((p), (n))
#define RW(p, n) hp_access_range((p), (n), HP_ACCESS_BOTH)
#define IN(p) RD((p), sizeof *(p))
#define OUT(p) WR((p), sizeof *(p))
#define IO(p) RW((p), sizeof *(p))
#define ALL (~(size_t)0)
#define TEXT(s) hp_read_text((s), ALL)
#define TEXTS(s, most) hp_read_text((s), (most))
#define WTEXT(s) hp_read_wide((s), ALL)
#define WTEXTS(s, most) hp_read_wide((s), (most))
#define OUTTEXT(s) hp_wrote_text(s)
#define WOUTTEXT(s) hp_wrote_wide(s)

// The words of a set that the kernel looks at for N descriptors.
static size_t set_bytes(int n) { return n > 0 ? ((size_t)n + 63) / 64 * 8 : 0; }

static void wrote_list(char **list, size_t count) {
  RW(list, (count + 1) * sizeof *list);
  for (size_t i = 0; i < count; i++)
    OUTTEXT(list[i]);
}

// Bytes behind the argument of fcntl; of most commands it is a number.
static size_t control_bytes(int command, int kind) {
  switch (command) {
  case F_GETLK:
  case F_OFD_GETLK:
    return sizeof(struct flock);
  case F_SETLK:
  case F_SETLKW:
  case F_OFD_SETLK:
  case F_OFD_SETLKW:
    return kind == HP_ACCESS_READ ? sizeof(struct flock) : 0;
  case F_SETOWN_EX:
    return kind == HP_ACCESS_READ ? sizeof(struct f_owner_ex) : 0;
  case F_GETOWN_EX:
    return kind == HP_ACCESS_WRITE ? sizeof(struct f_owner_ex) : 0;
  case F_GET_RW_HINT:
  case F_GET_FILE_RW_HINT:
    return kind == HP_ACCESS_WRITE ? sizeof(uint64_t) : 0;
  case F_SET_RW_HINT:
  case F_SET_FILE_RW_HINT:
    return kind == HP_ACCESS_READ ? sizeof(uint64_t) : 0;
  default:
    return 0;
  }
}

static_assert(sizeof(struct flock) == sizeof(struct flock64),
              "both names of fcntl have locks of one size");

// Every interceptor of the table: BEFORE sees what libc gets, AFTER what it
// left, and RESULT.
#define HP_OPEN(...) __VA_ARGS__
#define HP_LIBC(type, name, parameters, arguments, before, after)              \
  INTERCEPTOR(type, name, HP_OPEN parameters) {                                \
    HP_ENTER();                                                                \
    before;                                                                    \
    type r = REAL(name) arguments;                                             \
    after;                                                                     \
    return r;                                                                  \
  }
#define HP_LIBC_VOID(name, parameters, arguments, before, after)               \
  INTERCEPTOR(void, name, HP_OPEN parameters) {                                \
    HP_ENTER();                                                                \
    before;                                                                    \
    REAL(name) arguments;                                                      \
    after;                                                                     \
  }

#include "entry/interceptors/libc_functions.def"

#undef HP_LIBC
#undef HP_LIBC_VOID

void hp_intercept_libc(void) {
#define HP_LIBC(type, name, parameters, arguments, before, after)              \
  INTERCEPT_FUNCTION(name);
#define HP_LIBC_VOID(name, parameters, arguments, before, after)               \
  INTERCEPT_FUNCTION(name);
#include "entry/interceptors/libc_functions.def"
  // Unversioned look-up found the oldest form before glibc 2.36; these are not
  // what they were.
#define HP_NEWER(name, version)                                                \
  if (!INTERCEPT_FUNCTION_VER(name, version))                                  \
  INTERCEPT_FUNCTION(name)
  HP_NEWER(pthread_cond_signal, "GLIBC_2.3.2");
  HP_NEWER(pthread_cond_broadcast, "GLIBC_2.3.2");
}
