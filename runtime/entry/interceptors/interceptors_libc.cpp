// interceptors_libc.cpp - the functions of libc_functions.def, one line each:
// those that read and write what their parameters point to, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "system/platform.h"

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

#include "entry/interceptors/libc_headers.h"
#include "system/memory.h"
#include <aliases.h>
#include <argz.h>

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
// Nobody goes beyond an object of threads: without hooks there is nothing to tell of.
#define LOCK(p)                                                                \
  (hp_access_hooked ? RW((const void *)(p), sizeof *(p)) : (void)0)
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

// Texts, and the array of them that ends with a null.
static size_t list_bytes(char *const *list) {
  size_t count = 0;
  while (list && list[count])
    count++;
  return list ? (count + 1) * sizeof *list : 0;
}

static void read_list(char *const *list) {
  RD(list, list_bytes(list));
  for (; list && *list; list++)
    TEXT(*list);
}

static size_t list_room(int count) {
  return count > 0 ? (size_t)count * sizeof(char *) : 0;
}

// What was read when all options are: arguments, and the names of long ones.
static void read_options(int count, char *const *arguments,
                         const struct option *options) {
  for (int i = 0; i < count; i++)
    TEXT(arguments[i]);
  for (; options && options->name; options++) {
    IN(options);
    TEXT(options->name);
  }
}

// Bytes of BUFFER up to the end of the texts that WORDS point to in it; an array
// among these points to texts itself.
static size_t entry_bytes(const uintptr_t *words, size_t count,
                          uintptr_t buffer, size_t size, bool of_arrays) {
  size_t most = 0;
  for (size_t i = 0; i < count && (of_arrays || words[i]); i++) {
    const uintptr_t at = words[i] - buffer;
    if (at >= size)
      continue;
    const uintptr_t *array = (const uintptr_t *)words[i];
    const size_t left = (size - at) / sizeof *array;
    size_t end = 0;
    if (of_arrays && words[i] % sizeof *array == 0 && left &&
        (*array == 0 || *array - buffer < size)) {
      size_t n = 0;
      while (n < left && array[n])
        n++;
      end = at + (n < left ? n + 1 : n) * sizeof *array;
      const size_t texts = entry_bytes(array, n, buffer, size, false);
      end = texts > end ? texts : end;
    } else {
      end = at + hp_text_bytes((const char *)words[i], size - at);
    }
    most = end > most ? end : most;
  }
  return most;
}

// What the functions with a buffer of the caller's leave: an entry, its texts in
// the buffer, and where the entry is, if there is one.
static void wrote_entry(int error, const void *entry, size_t bytes,
                        const char *buffer, size_t size, const void *result,
                        size_t result_bytes) {
  WR(result, result_bytes);
  if (error || !*(void *const *)result)
    return;
  WR(entry, bytes);
  if (hp_heap_may_hold(buffer))
    WR(buffer, entry_bytes((const uintptr_t *)entry, bytes / sizeof(uintptr_t),
                           (uintptr_t)buffer, size, true));
}

static void wrote_registers(const struct re_registers *registers) {
  if (!registers)
    return;
  OUT(registers);
  WR(registers->start, registers->num_regs * sizeof *registers->start);
  WR(registers->end, registers->num_regs * sizeof *registers->end);
}

// BYTES of the buffers of VECTOR, from the first one on.
static void vector(const struct iovec *vector, int count, ssize_t bytes,
                   int kind) {
  for (int i = 0; i < count && bytes > 0; i++) {
    const size_t left = (size_t)bytes, n = vector[i].iov_len;
    hp_access_range(vector[i].iov_base, n < left ? n : left, kind);
    bytes -= (ssize_t)n;
  }
}

// What came into a message of BYTES, and the list of buffers it lies in.
static void received(const struct msghdr *message, ssize_t bytes) {
  OUT(message);
  WR(message->msg_name, message->msg_namelen);
  WR(message->msg_control, message->msg_controllen);
  RD(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov);
  vector(message->msg_iov, (int)message->msg_iovlen, bytes, HP_ACCESS_WRITE);
}

// What an address may take, which is looked at only if it is of interest: the
// kernel says EFAULT of a length that is not there.
static socklen_t address_room(const void *address, const socklen_t *length) {
  IN(length);
  return hp_heap_may_hold(address) && hp_sys_readable((uintptr_t)length)
             ? *length
             : 0;
}

static void wrote_address(const void *address, const socklen_t *length,
                          socklen_t room) {
  OUT(length);
  if (room)
    WR(address, *length < room ? *length : room);
}

// BYTES between this process and that of PID, which may be this one.
static void between(int pid, const struct iovec *here, unsigned long count,
                    const struct iovec *there, unsigned long count_there,
                    ssize_t bytes, int kind) {
  vector(here, (int)count, bytes, kind);
  if (pid == getpid())
    vector(there, (int)count_there, bytes, kind ^ HP_ACCESS_BOTH);
}

template <typename Control>
static void listed_io(Control *const *list, int count) {
  RD(list, count > 0 ? (size_t)count * sizeof *list : 0);
  for (int i = 0; i < count; i++) {
    if (!list[i])
      continue;
    IO(list[i]);
    const int code = list[i]->aio_lio_opcode;
    if (code != LIO_NOP)
      hp_access_range((const void *)list[i]->aio_buf, list[i]->aio_nbytes,
                      code == LIO_READ ? HP_ACCESS_WRITE : HP_ACCESS_READ);
  }
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
