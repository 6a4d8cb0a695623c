/* system_double.c - see system_double.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "system_double.h"
#include "chunk/access_range.h"
#include "chunk/allocator.h"
#include "chunk/allocator_totals.h"
#include "chunk/sample.h"
#include "encode/encode.h"
#include "heap/heap.h"
#include "heap/primary.h"
#include "heap/secondary.h"
#include "options/options.h"
#include "profile/collector.h"
#include "profile/log.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/loaded_modules.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"
#include "system/stack_mapping.h"
#include "system/stopped_world.h"
#include "system/waiting.h"
#include "system/written_pages.h"
#include "thread/thread.h"
#include "thread/thread_end.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct hp_options hp_options;
size_t double_reserve_limit = SIZE_MAX;
size_t double_commit_limit = SIZE_MAX;
struct hp_chunk_log double_log[DOUBLE_LOG];
bool double_log_disorder;
size_t double_log_count;
size_t double_warnings;
size_t double_sleeps;
uint64_t double_sleep_least;
size_t double_waits;
size_t double_masked;
size_t double_populated;
size_t double_collapsed;

void *hp_sys_reserve(size_t size) {
  if (size > double_reserve_limit)
    return NULL;
  void *p = mmap(NULL, size, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
bool hp_sys_reserve_at(void *p, size_t size) {
  return size <= double_reserve_limit &&
         mmap(p, size, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
              -1, 0) == p;
}
bool hp_sys_commit(void *p, size_t size) {
  if (size > double_commit_limit)
    return false;
  return mprotect(p, size, PROT_READ | PROT_WRITE) == 0 ||
         mmap(p, size, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
              -1, 0) == p;
}
void hp_sys_uncommit(void *p, size_t size) {
  mmap(p, size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
void hp_sys_populate(void *p, size_t size) {
  (void)p;
  double_populated += size;
}
void hp_sys_collapse(void *p, size_t size) {
  (void)p;
  double_collapsed += size;
}
void hp_sys_release(void *p, size_t size) { madvise(p, size, MADV_DONTNEED); }
void hp_sys_refuse_huge(void *p, size_t size) {
  madvise(p, size, MADV_NOHUGEPAGE);
}
bool double_has_swap;
bool hp_sys_has_swap(void) { return double_has_swap; }

/* The pages that a test says were written; NULL: the kernel does not tell. */
const struct double_written *double_written;
bool hp_sys_written_open(uintptr_t begin, uintptr_t end) {
  return begin < end && double_written;
}
void hp_sys_written_close(void) {}
bool hp_sys_written_take(uintptr_t begin, uintptr_t end,
                         void (*each)(uintptr_t begin, uintptr_t end)) {
  const struct double_written *w = double_written;
  for (size_t i = 0; w && i < w->count; i++)
    if (w->pages[i] >= begin && w->pages[i] < end)
      each(w->pages[i], w->pages[i] + 4096);
  return w;
}
bool hp_sys_in_memory(void *p, size_t size, uint8_t *pages) {
  return mincore(p, size, pages) == 0;
}
void hp_sys_futex_wait(uint32_t *word, uint32_t value) {
  __atomic_fetch_add(&double_waits, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}
bool hp_sys_futex_wait_for(uint32_t *word, uint32_t value, uint64_t ns) {
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  __atomic_fetch_add(&double_waits, 1, __ATOMIC_SEQ_CST);
  return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0) ==
             0 ||
         errno != ETIMEDOUT;
}
void hp_sys_futex_wake(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
void hp_sys_futex_wake_all(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}
static uint64_t clock_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
int hp_sys_gettid(void) { return (int)syscall(SYS_gettid); }
int hp_sys_pid(void) { return getpid(); }
uintptr_t hp_sys_thread_pointer(void) { return 0; }
const char *double_smaps;
int hp_sys_open(const char *path) {
  const bool is_smaps = double_smaps && strcmp(path, "/proc/self/smaps") == 0;
  return open(is_smaps ? double_smaps : path, O_RDONLY);
}
long hp_sys_read(int fd, void *buffer, size_t n) { return read(fd, buffer, n); }
bool hp_sys_read_text(const char *path, char *text, size_t size) {
  int fd = hp_sys_open(path);
  long n = fd < 0 ? fd : hp_sys_read(fd, text, size - 1);
  if (fd >= 0)
    hp_sys_close(fd);
  text[n > 0 ? n : 0] = 0;
  return n > 0;
}
long hp_sys_read_at(int fd, void *buffer, size_t n, uint64_t offset) {
  return pread(fd, buffer, n, (off_t)offset);
}
int hp_sys_close(int fd) { return close(fd); }
int hp_sys_format(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, size, format, list);
  va_end(list);
  return length;
}
uint64_t hp_sys_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t hp_sys_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
uint64_t hp_sys_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }
void hp_sys_sleep_ns(uint64_t ns) {
  double_sleeps++;
  if (ns < double_sleep_least)
    ns = double_sleep_least;
  nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}
void hp_sys_block_signals(uint64_t *saved) {
  *saved = 0;
  __atomic_fetch_add(&double_masked, 1, __ATOMIC_SEQ_CST);
}
void hp_sys_restore_signals(const uint64_t *saved) {
  (void)saved;
  __atomic_fetch_sub(&double_masked, 1, __ATOMIC_SEQ_CST);
}
bool double_no_barrier;
size_t double_barriers;
bool hp_sys_would_map(size_t size) {
  (void)size;
  return true;
}
bool hp_sys_barrier(void) {
  __atomic_fetch_add(&double_barriers, 1, __ATOMIC_RELAXED);
  if (double_no_barrier)
    return false;
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
}
void *hp_sys_map(size_t size) {
  void *p = hp_sys_reserve(size);
  return p && hp_sys_commit(p, size) ? p : NULL;
}
void hp_sys_unmap(void *p, size_t size) { munmap(p, size); }
bool hp_sys_readable(uintptr_t address) {
  return syscall(SYS_rt_sigprocmask, -1, address, NULL, 8) == 0 ||
         errno != EFAULT;
}
bool hp_sys_read_own(void *to, uintptr_t from, size_t size) {
  const struct iovec here = {to, size}, there = {(void *)from, size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}
uint64_t hp_sys_random(void) { return 0x123456789abcdef1u; }
uintptr_t hp_sys_stack_top(void) {
  uintptr_t self;
  __asm__("movq %%fs:0, %0" : "=r"(self));
  return gettid() == getpid() ? getauxval(AT_EXECFN) : self;
}
void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top) {
  *bottom = *top = sp;
}
struct visit {
  uintptr_t pc;
  struct hp_sys_unwind_table table;
};
static int visit_module(struct dl_phdr_info *info, size_t size, void *arg) {
  struct visit *visit = arg;
  bool found = false;
  struct hp_sys_unwind_table table = {(const uint8_t *)UINTPTR_MAX, NULL, NULL};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uint8_t *from = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
    const uint8_t *end = from + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME)
      table.header = from;
    if (segment->p_type != PT_LOAD)
      continue;
    if (from < table.begin)
      table.begin = from;
    if (end > table.end)
      table.end = end;
    found |= visit->pc >= (uintptr_t)from && visit->pc < (uintptr_t)end;
  }
  visit->table = table;
  return found;
}
bool hp_sys_unwind_table(uintptr_t pc, struct hp_sys_unwind_table *table) {
  struct visit visit = {.pc = pc};
  bool found = dl_iterate_phdr(visit_module, &visit) != 0;
  *table = visit.table;
  return found;
}
void hp_sys_die(const char *format, ...) {
  (void)format;
  abort();
}
void hp_sys_warn_with_stack(const struct hp_caller *caller, const char *format,
                            ...) {
  (void)caller;
  (void)format;
  double_warnings++;
}
int hp_real_memcmp(const void *a, const void *b, size_t n) {
  return memcmp(a, b, n);
}
void *hp_real_memcpy(void *to, const void *from, size_t n) {
  return memcpy(to, from, n);
}
void *hp_real_memmove(void *to, const void *from, size_t n) {
  return memmove(to, from, n);
}
void *hp_real_memset(void *p, int value, size_t n) {
  return memset(p, value, n);
}

void hp_log_append(const struct hp_chunk_log *chunk) {
  const struct hp_chunk_log *last =
      &double_log[(double_log_count - 1) % DOUBLE_LOG];
  if (double_log_count && chunk->t1 < last->t1)
    double_log_disorder = true;
  double_log[double_log_count++ % DOUBLE_LOG] = *chunk;
}
void hp_thread_watch_end(void) {}
void hp_sys_commit_ahead(void *p, size_t size) { hp_sys_commit(p, size); }
bool hp_thread_ends_are_seen(void) { return true; }
bool hp_sys_thread_is_gone(int id) { return !id; }
void hp_sys_warn(const char *format, ...) {
  (void)format;
  double_warnings++;
}

void double_start(void) {
  hp_thread_notices.made = hp_sample_begin_thread;
  hp_events_empty = hp_collector_empty;
  hp_options.tick_us = 1000;
  hp_options.malloc_context_size = 30;
  hp_options.fast_unwind_on_malloc = true;
  assert_true(hp_heap_reserve());
  hp_primary_start();
  hp_secondary_start();
  hp_clock_start_window(hp_options.tick_us, hp_options.exact_time);
  hp_allocator_start_window();
  assert_true(hp_collector_start(true));
  hp_recording = true;
}
