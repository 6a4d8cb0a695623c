/* shared_counters.c - in a runtime built by tools/coverage: one file has the counters of all processes.
   They count where nothing of a program's end is needed, whatever way it ends; without the file, to themselves.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Whole pages, where the runtime is joined (runtime/prelink.cmake). */
extern __attribute__((visibility("hidden"))) uint64_t hp_counters_begin[],
    hp_counters_end[];

static long call(long number, const void *a, size_t b, long c, long d, long e,
                 long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static uint64_t *map(const void *at, size_t size, int flags, long file) {
  long address = call(SYS_mmap, at, size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | flags, file, 0);
  return address < 0 ? NULL : (uint64_t *)address;
}

/* Adds what was counted until now to the file, which then takes the place of the counters. */
static void share(void) {
  const size_t size =
      (size_t)((char *)hp_counters_end - (char *)hp_counters_begin);
  const long file =
      call(SYS_open, HP_COUNTERS_FILE, O_RDWR | O_CLOEXEC, 0, 0, 0, 0);
  if (file < 0)
    return;
  uint64_t *all = map(NULL, size, 0, file);
  for (size_t i = 0; all && i < size / sizeof *all; i++)
    if (hp_counters_begin[i])
      __atomic_fetch_add(&all[i], hp_counters_begin[i], __ATOMIC_RELAXED);
  if (all) {
    map(hp_counters_begin, size, MAP_FIXED, file);
    call(SYS_munmap, all, size, 0, 0, 0, 0);
  }
  call(SYS_close, (void *)file, 0, 0, 0, 0, 0);
}

/* Before all else that the program's start calls. */
__attribute__((section(".preinit_array"),
               used)) static void (*const at_start)(void) = share;
