// memory.cpp - see memory.h: what is mapped, and its limits.
// Raw system calls throughout: errno stays as it is and nothing is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/memory.h"

#include "system/process_facts.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <time.h>

using namespace __sanitizer;

extern "C" {

static const uptr kPage = 4096;

// *ERROR: EEXIST where something is there already.
static void *map(void *at, size_t size, int protection, int where,
                 int *error = nullptr) {
  int unused;
  error = error ? error : &unused;
  uptr p = (uptr)system_call(
      SYS_mmap, reinterpret_cast<uptr>(at), size, (uptr)protection,
      (uptr)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | where), ~(uptr)0);
  if (internal_iserror(p, error))
    return nullptr;
  // Linux before 4.17 takes the address for a wish.
  if (at && p != reinterpret_cast<uptr>(at)) {
    hp_sys_unmap(reinterpret_cast<void *>(p), size);
    *error = EEXIST;
    return nullptr;
  }
  return reinterpret_cast<void *>(p);
}

// The next place among the runtime's own, which the kernel takes for a wish.
static void *own_place(size_t size) {
  static uptr next = HP_MAPS_BASE;
  const uptr whole = RoundUpTo(size, kPage);
  if (whole > (HP_MAPS_END - HP_MAPS_BASE) / 2)
    return nullptr;
  const uptr at = __atomic_fetch_add(&next, whole, __ATOMIC_RELAXED);
  if (at + whole <= HP_MAPS_END)
    return reinterpret_cast<void *>(at);
  __atomic_store_n(&next, HP_MAPS_BASE, __ATOMIC_RELAXED);
  return nullptr;
}

// Where it is, is for the kernel to say.
static void *map_own(size_t size, int protection) {
  uptr p = (uptr)system_call(
      SYS_mmap, reinterpret_cast<uptr>(own_place(size)), size, (uptr)protection,
      (uptr)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE), ~(uptr)0);
  return internal_iserror(p) ? nullptr : reinterpret_cast<void *>(p);
}

void *hp_sys_reserve(size_t size) { return map_own(size, PROT_NONE); }
bool hp_sys_reserve_at(void *p, size_t size) {
  return map(p, size, PROT_NONE, MAP_FIXED_NOREPLACE);
}

// Where a filter of system calls refuses mprotect: what can be read already is
// left alone, at the beginning or as a whole.
static bool map_over(char *p, size_t size) {
  char *end = p + size;
  if (hp_sys_readable((uptr)(end - kPage)) && hp_sys_readable((uptr)p))
    return true;
  while (p < end && hp_sys_readable((uptr)p))
    p += kPage;
  return p == end ||
         map(p, (size_t)(end - p), PROT_READ | PROT_WRITE, MAP_FIXED);
}

// The whole, then what is left of it half by half: pages that are shared with
// what was committed before may lie at either end.  A page that is there and all
// the same has no memory is one of a filter that says so, or of a limit.
static bool commit(char *p, size_t size) {
  int reason = (int)system_call(SYS_mprotect, reinterpret_cast<uptr>(p), size,
                                PROT_READ | PROT_WRITE);
  if (!reason)
    return true;
  const bool refused = reason != -ENOMEM;
  if (!refused &&
      map(p, size, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE, &reason))
    return true;
  if (!refused && reason != EEXIST)
    return false;
  if (refused || size <= kPage)
    return map_over(p, size);
  const size_t half = RoundUpTo(size / 2, kPage);
  return commit(p, half) && commit(p + half, size - half);
}

// What can be touched already (hp_sys_commit_ahead).
static struct {
  uptr begin, end;
} ahead[2];

static bool is_ahead(const void *p, size_t size) {
  const uptr at = reinterpret_cast<uptr>(p);
  for (const auto &range : ahead)
    if (at >= range.begin && at + size <= range.end)
      return true;
  return false;
}

void hp_sys_commit_ahead(void *p, size_t size) {
  const uptr at = reinterpret_cast<uptr>(p);
  if (system_call(SYS_mprotect, at, size, PROT_READ | PROT_WRITE) != 0)
    return;
  for (auto &range : ahead)
    if (!range.end) {
      range = {at, at + size};
      return;
    }
}

bool hp_sys_commit(void *p, size_t size) {
  return is_ahead(p, size) ||
         commit(static_cast<char *>(p), RoundUpTo(size, kPage));
}

void hp_sys_uncommit(void *p, size_t size) {
  if (is_ahead(p, size) || !map(p, size, PROT_NONE, MAP_FIXED))
    hp_sys_release(p, size);
}

void *hp_sys_map(size_t size) { return map_own(size, PROT_READ | PROT_WRITE); }

void *hp_sys_map_file(const char *path, bool shared, size_t *size) {
  struct stat file = {};
  const int fd = (int)system_call(
      SYS_openat, (uptr)AT_FDCWD, (uptr)path,
      (uptr)((shared ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK));
  if (fd < 0)
    return nullptr;
  uptr p = ~(uptr)0;
  if (system_call(SYS_fstat, (uptr)fd, (uptr)&file) == 0 &&
      S_ISREG(file.st_mode) && (!*size || (size_t)file.st_size == *size)) {
    *size = (size_t)file.st_size;
    p = (uptr)system_call(SYS_mmap, reinterpret_cast<uptr>(own_place(*size)),
                          *size, (uptr)(PROT_READ | (shared ? PROT_WRITE : 0)),
                          (uptr)(shared ? MAP_SHARED : MAP_PRIVATE), (uptr)fd);
  }
  system_call(SYS_close, (uptr)fd);
  return internal_iserror(p) ? nullptr : reinterpret_cast<void *>(p);
}

struct hp_both_limits {
  uint64_t soft, hard;
};

static hp_both_limits get_limits(enum hp_sys_limit what) {
  hp_both_limits limits = {UINT64_MAX, UINT64_MAX};
  system_call(SYS_prlimit64, 0, (uptr)what, 0, (uptr)&limits);
  return limits;
}

static void set_soft(enum hp_sys_limit what, uint64_t soft, uint64_t hard) {
  const hp_both_limits limits = {soft, hard};
  if (soft <= hard)
    system_call(SYS_prlimit64, 0, (uptr)what, (uptr)&limits);
}

uint64_t hp_sys_limit(enum hp_sys_limit what) { return get_limits(what).soft; }

uint64_t hp_sys_lift_limit(enum hp_sys_limit what) {
  const hp_both_limits limits = get_limits(what);
  if (limits.soft != limits.hard)
    set_soft(what, limits.hard, limits.hard);
  return limits.soft;
}

void hp_sys_put_limit_back(enum hp_sys_limit what, uint64_t limit) {
  const hp_both_limits limits = get_limits(what);
  if (limits.soft != limit)
    set_soft(what, limit, limits.hard);
}
void hp_sys_unmap(void *p, size_t size) {
  const uptr begin = reinterpret_cast<uptr>(p);
  for (auto &range : ahead)
    if (begin < range.end && range.begin < begin + size)
      range = {};
  system_call(SYS_munmap, begin, size);
}

// In place of sanitizer_common's (prelink.cmake).
void __wrap__ZN11__sanitizer10UnmapOrDieEPvmb(void *p, uptr size, bool) {
  hp_sys_unmap(p, size);
}

bool hp_sys_would_map(size_t size) {
  uptr p = (uptr)system_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, ~(uptr)0);
  if (internal_iserror(p))
    return false;
  hp_sys_unmap(reinterpret_cast<void *>(p), size);
  return true;
}

#ifndef MADV_POPULATE_WRITE // Linux 5.14
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE // Linux 6.1
#define MADV_COLLAPSE 25
#endif
void hp_sys_populate(void *p, size_t size) {
  system_call(SYS_madvise, reinterpret_cast<uptr>(p), size, MADV_HUGEPAGE);
  system_call(SYS_madvise, reinterpret_cast<uptr>(p), size,
              MADV_POPULATE_WRITE);
}

void hp_sys_collapse(void *p, size_t size) {
  system_call(SYS_madvise, reinterpret_cast<uptr>(p), size, MADV_COLLAPSE);
}

// Where a filter refuses to map, too.
static void zero(char *p, const char *end) {
  for (; p < end; p += kPage)
    if (hp_sys_readable(reinterpret_cast<uptr>(p)))
      internal_memset(p, 0, kPage);
}

// What the program has locked is not taken back so, nor where a filter refuses.
void hp_sys_release(void *p, size_t size) {
  const uptr begin = reinterpret_cast<uptr>(p);
  long answer = system_call(SYS_madvise, begin, size, MADV_DONTNEED);
  if (answer ==
      -ENOMEM) // a part is not there; a filter says so of nothing, too
    answer = system_call(SYS_madvise, begin, 0, MADV_DONTNEED);
  if (HP_UNLIKELY(answer != 0) &&
      !map(p, size, PROT_READ | PROT_WRITE, MAP_FIXED))
    zero(static_cast<char *>(p), static_cast<char *>(p) + size);
}

void hp_sys_refuse_huge(void *p, size_t size) {
  system_call(SYS_madvise, reinterpret_cast<uptr>(p), size, MADV_NOHUGEPAGE);
}

bool hp_sys_has_swap(void) {
  struct sysinfo info = {};
  return system_call(SYS_sysinfo, reinterpret_cast<uptr>(&info)) != 0 ||
         info.totalswap != 0;
}

uint64_t hp_sys_most_resident(void) {
  struct rusage usage = {};
  const uptr failed =
      system_call(SYS_getrusage, RUSAGE_SELF, reinterpret_cast<uptr>(&usage));
  return failed ? 0 : static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

bool hp_sys_in_memory(void *p, size_t size, uint8_t *pages) {
  return system_call(SYS_mincore, reinterpret_cast<uptr>(p), size,
                     reinterpret_cast<uptr>(pages)) == 0;
}

// A filter answered in place of the kernel, as tor's does, which knows all changes of the mask.
// So wait no time while the word has a value that hardly any has.
static long look_at_word(uintptr_t address) {
  const struct timespec no_time = {};
  return hp_forbids(SYS_futex)
             ? -EPERM
             : (long)system_call(SYS_futex, address & ~(uptr)3,
                                 FUTEX_WAIT_PRIVATE, 0x5eab0de1,
                                 reinterpret_cast<uptr>(&no_time));
}

// A change of the mask that the kernel reads and then refuses.
bool hp_sys_readable(uintptr_t address) {
  const uptr no_change = ~(uptr)0, kKernelSigset = 8; // bytes
  if (HP_UNLIKELY(hp_forbids(SYS_rt_sigprocmask))) {
    const uptr argument[6] = {no_change, address, 0, kKernelSigset};
    return hp_call_by_proxy(SYS_rt_sigprocmask, argument) == -EINVAL;
  }
  long answer =
      system_call(SYS_rt_sigprocmask, no_change, address, 0, kKernelSigset);
  if (HP_UNLIKELY(answer != -EINVAL && answer != -EFAULT))
    answer = look_at_word(address);
  return answer != -EFAULT;
}

bool hp_sys_read_own(void *to, uintptr_t from, size_t size) {
  const struct iovec here = {to, size};
  const struct iovec there = {reinterpret_cast<void *>(from), size};
  return system_call(SYS_process_vm_readv, (uptr)hp_sys_pid(),
                     reinterpret_cast<uptr>(&here), 1,
                     reinterpret_cast<uptr>(&there), 1) == (long)size;
}

} // extern "C"
