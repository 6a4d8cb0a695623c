/* forbidden_calls.c - see forbidden_calls.h: a list of the calls that the runtime
   makes, and a few boxes in which its own thread finds what to call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "system/forbidden_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "system/raw_call.h"

struct hp_forbidden hp_forbidden;
const char hp_own_mark = 0;

static bool setting; /* a thread is setting a filter, which is rare */

static bool files_are_limited; /* when a filter was set */
static int process;
static HP_THREAD_LOCAL int thread; /* 0: not known */

bool hp_forbids_here(long number) {
  return number >= 0 && number < (long)HP_CALL_NUMBERS &&
         hp_forbidden.call[number] &&
         (hp_forbidden.to_all || !hp_thread_is_runtimes());
}

bool hp_forbids_linker(void) { return hp_forbids(SYS_futex); }

/* ---- what is forbidden --------------------------------------------------- */

#define ARG(n) (1u << (n))
#define NOTHING_MAPPED (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

static const struct hp_filtered_call calls[] = {
    {SYS_mmap,
     ARG(2) | ARG(3) | ARG(5),
     {0, 0, PROT_READ | PROT_WRITE, NOTHING_MAPPED}},
    {SYS_mmap, ARG(2) | ARG(3) | ARG(5), {0, 0, PROT_NONE, NOTHING_MAPPED}},
    {SYS_mprotect, ARG(2), {0, 0, PROT_READ | PROT_WRITE}},
    {SYS_madvise, ARG(2), {0, 0, MADV_DONTNEED}},
    {SYS_madvise, ARG(2), {0, 0, MADV_HUGEPAGE}},
    {SYS_futex, ARG(1), {0, FUTEX_WAIT_PRIVATE}},
    /* Refused, it leaves who waits asleep. */
    {SYS_futex, ARG(1) | HP_MUST_PASS, {0, FUTEX_WAKE_PRIVATE}},
    {SYS_rt_sigprocmask, ARG(0) | ARG(3), {2 /* SIG_SETMASK */, 0, 0, 8}},
    {SYS_fcntl, ARG(1), {0, F_DUPFD_CLOEXEC}},
    {SYS_ioctl, ARG(1), {0, UFFDIO_API}}};
#define CALLS (sizeof calls / sizeof *calls)

/* With any arguments. */
static const uint16_t any_calls[] = {SYS_mincore,
                                     SYS_process_vm_readv,
                                     SYS_sysinfo,
                                     SYS_write,
                                     SYS_read,
                                     SYS_munmap,
                                     SYS_openat,
                                     SYS_close,
                                     SYS_fstat,
                                     SYS_mkdir,
                                     SYS_chmod,
                                     SYS_fchmod,
                                     SYS_renameat,
                                     SYS_unlinkat,
                                     SYS_rmdir,
                                     SYS_ftruncate,
                                     SYS_lseek,
                                     SYS_pread64,
                                     SYS_getdents64,
                                     SYS_getpid,
                                     SYS_getppid,
                                     SYS_gettid,
                                     SYS_nanosleep,
                                     SYS_sched_yield,
                                     SYS_membarrier,
                                     SYS_clock_gettime,
                                     SYS_rt_sigaction,
                                     SYS_sigaltstack,
                                     SYS_rt_tgsigqueueinfo,
                                     SYS_tgkill,
                                     SYS_kill,
                                     SYS_rt_sigtimedwait,
                                     SYS_rt_sigpending,
                                     SYS_readlinkat,
                                     SYS_stat,
                                     SYS_uname,
                                     SYS_getcwd,
                                     SYS_prlimit64,
                                     SYS_faccessat2,
                                     SYS_access,
                                     SYS_prctl,
                                     SYS_ptrace,
                                     SYS_wait4,
                                     SYS_clone,
                                     SYS_close_range,
                                     SYS_setresuid,
                                     SYS_setresgid,
                                     SYS_setgroups,
                                     SYS_getrusage,
                                     SYS_geteuid,
                                     SYS_fchownat,
                                     SYS_userfaultfd};
#define ANY_CALLS (sizeof any_calls / sizeof *any_calls)

static const struct hp_filtered_call block = {
    SYS_rt_sigprocmask, ARG(0) | ARG(3), {0 /* SIG_BLOCK */, 0, 0, 8}};

/* Without one of these no thread of ours writes a dump, or knows its times. */
static const uint16_t of_dumps[] = {
    SYS_write,    SYS_openat, SYS_close, SYS_renameat,  SYS_mmap,
    SYS_mprotect, SYS_munmap, SYS_futex, SYS_nanosleep, SYS_clock_gettime};

static void forbid_in(struct hp_forbidden *set, uint32_t number) {
  set->call[number] = true;
  set->any = true;
}

bool hp_forbidden_by(struct hp_forbidden *set,
                     const struct hp_filter_step *steps, uint32_t count) {
  const size_t size = count * sizeof(struct hp_filter_state);
  if (!count || count > HP_FILTER_MOST)
    return false;
  const uintptr_t map[6] = {
      0, size, PROT_READ | PROT_WRITE, NOTHING_MAPPED, UINTPTR_MAX, 0};
  const long mapped = hp_forbids(SYS_mmap) ? hp_call_by_proxy(SYS_mmap, map)
                                           : hp_raw_call(SYS_mmap, map);
  struct hp_filter_state *states = mapped > 0 ? (void *)mapped : NULL;
  bool any = false;
  for (size_t i = 0; i < CALLS + ANY_CALLS; i++) {
    struct hp_filtered_call any_call = {0};
    const struct hp_filtered_call *call = i < CALLS ? &calls[i] : &any_call;
    if (i >= CALLS)
      any_call.number = any_calls[i - CALLS];
    if (!states || hp_filter_harms(steps, count, call, states)) {
      forbid_in(set, call->number);
      any = true;
    }
  }
  if (!states || hp_filter_harms(steps, count, &block, states)) {
    forbid_in(set, HP_CALL_BLOCK);
    any = true;
  }
  const uintptr_t unmap[6] = {(uintptr_t)states, size};
  if (states && !hp_forbids(SYS_munmap))
    hp_raw_call(SYS_munmap, unmap);
  return any;
}

void hp_forbidden_strictly(struct hp_forbidden *set) {
  for (uint32_t number = 0; number < HP_CALL_NUMBERS; number++)
    if (number != SYS_read && number != SYS_write && number != SYS_exit &&
        number != SYS_rt_sigreturn)
      forbid_in(set, number);
}

bool hp_forbidden_leaves_dump(const struct hp_forbidden *set) {
  for (size_t i = 0; i < sizeof of_dumps / sizeof *of_dumps; i++)
    if (set->call[of_dumps[i]])
      return false;
  return true;
}

bool hp_forbids_no_thread(void) {
  if (!hp_forbids_any() || hp_thread_is_runtimes())
    return true;
  if (hp_forbidden.call[SYS_clone] || hp_forbidden.call[SYS_close_range] ||
      !hp_forbidden_leaves_dump(&hp_forbidden))
    return false;
  hp_forbidden.to_all = true;
  return true;
}

bool hp_forbids_program(void) {
  for (uint32_t number = 0; hp_forbids_any() && number < HP_CALL_NUMBERS;
       number++)
    if (number != SYS_ptrace && hp_forbidden.call[number])
      return true;
  return false;
}

static void look_at_file_limit(void) {
  uint64_t limits[2] = {0};
  const uintptr_t limit[6] = {0, 1 /* RLIMIT_FSIZE */, 0, (uintptr_t)limits};
  hp_raw_call(SYS_prlimit64, limit);
  files_are_limited = limits[0] != UINT64_MAX;
}

bool hp_forbids_message(void) {
  return hp_forbids(SYS_write) || hp_forbids(SYS_getpid) ||
         (files_are_limited && hp_forbids(SYS_rt_sigtimedwait));
}

static bool is_thread_of(long leader, long id) {
  const uintptr_t probe[6] = {(uintptr_t)leader, (uintptr_t)id};
  return hp_raw_call(SYS_tgkill, probe) == 0;
}

static bool knows_thread(void) {
  return !hp_forbidden.call[SYS_gettid] && !hp_forbidden.call[SYS_tgkill];
}

/* A child that was copied or borrows this memory has one thread, which leads it. */
int hp_process_by_thread(void) {
  static const uintptr_t nothing[6];
  if (!knows_thread())
    return process;
  const long self = hp_raw_call(SYS_gettid, nothing);
  const bool leads =
      self > 0 &&
      (!process || (!is_thread_of(process, self) && is_thread_of(self, self)));
  return leads ? (int)self : process;
}

void hp_process_note(int id) { process = id; }

void hp_forbid(const struct hp_forbidden *set) {
  static const uintptr_t nothing[6];
  if (!hp_forbids(SYS_gettid))
    thread = (int)hp_raw_call(SYS_gettid, nothing);
  if (!hp_forbids(SYS_prlimit64))
    look_at_file_limit();
  hp_forbidden = *set;
}

/* ---- the proxy ----------------------------------------------------------- */

enum { FREE, TAKEN, ASKED, DONE };
/* Several, since a handler of a signal may interrupt who waits. */
static struct box {
  uint32_t state;
  long number;
  uintptr_t argument[6];
  long result;
} boxes[8];
static bool serves;
static uint64_t read_ns[2]; /* monotonic, realtime */

HP_INLINE void pause(void) { __builtin_ia32_pause(); }

static bool is_served(void) {
  return __atomic_load_n(&serves, __ATOMIC_ACQUIRE) && !hp_forbidden.to_all;
}

static struct box *take_box(void) {
  for (;; pause())
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
      uint32_t is_free = FREE;
      if (__atomic_compare_exchange_n(&boxes[i].state, &is_free, TAKEN, false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return &boxes[i];
    }
}

long hp_call_by_proxy(long number, const uintptr_t argument[6]) {
  long result = -EPERM;
  if (!is_served())
    return result;
  struct box *box = take_box();
  box->number = number;
  for (int i = 0; i < 6; i++)
    box->argument[i] = argument[i];
  __atomic_store_n(&box->state, ASKED, __ATOMIC_RELEASE);
  while (__atomic_load_n(&box->state, __ATOMIC_ACQUIRE) != DONE && is_served())
    pause();
  if (__atomic_load_n(&box->state, __ATOMIC_ACQUIRE) == DONE)
    result = box->result;
  __atomic_store_n(&box->state, FREE, __ATOMIC_RELEASE);
  return result;
}

static void note_clocks(uint64_t monotonic_ns, uint64_t realtime_ns) {
  read_ns[0] = monotonic_ns;
  read_ns[1] = realtime_ns;
}

void hp_proxy_begin(uint64_t monotonic_ns, uint64_t realtime_ns) {
  note_clocks(monotonic_ns, realtime_ns);
  __atomic_store_n(&serves, true, __ATOMIC_RELEASE);
}

void hp_proxy_serve(uint64_t monotonic_ns, uint64_t realtime_ns) {
  note_clocks(monotonic_ns, realtime_ns);
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    if (__atomic_load_n(&boxes[i].state, __ATOMIC_ACQUIRE) == ASKED) {
      boxes[i].result = hp_raw_call(boxes[i].number, boxes[i].argument);
      __atomic_store_n(&boxes[i].state, DONE, __ATOMIC_RELEASE);
    }
}

void hp_proxy_end(void) { __atomic_store_n(&serves, false, __ATOMIC_RELEASE); }

void hp_proxy_forget(void) {
  hp_proxy_end();
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    boxes[i].state = FREE;
}

/* ---- instead ------------------------------------------------------------- */

#define TURNS 1000u

uint64_t hp_clock_instead(bool realtime) { return read_ns[realtime]; }

bool hp_wait_instead(const uint32_t *word, uint32_t while_value) {
  for (unsigned i = 0; i < TURNS; i++) {
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != while_value)
      return true;
    pause();
  }
  return false;
}

bool hp_pause_instead(void) {
  for (unsigned i = 0; i < TURNS; i++)
    pause();
  return is_served() || !hp_forbids(SYS_clock_gettime);
}

long hp_call_instead(long number, const uintptr_t argument[6]) {
  switch (number) {
  case SYS_getpid:
    return hp_process_by_thread();
  case SYS_gettid:
    return thread;
  case SYS_rt_sigprocmask: /* of the calling thread alone */
    return 0;
  case SYS_sched_yield:
    pause();
    return 0;
  case SYS_mmap:
  case SYS_mprotect:
  case SYS_munmap:
  case SYS_madvise:
  case SYS_membarrier:
  case SYS_futex:
  case SYS_rt_sigaction:
  case SYS_rt_tgsigqueueinfo:
  case SYS_tgkill:
  case SYS_kill:
  case SYS_stat:
  case SYS_faccessat2:
  case SYS_access:
    return hp_call_by_proxy(number, argument);
  default:
    return -EPERM;
  }
}

/* ---- who sets it ---------------------------------------------------- */

void hp_forbidden_lock(void) {
  while (__atomic_exchange_n(&setting, true, __ATOMIC_ACQUIRE))
    pause();
}

void hp_forbidden_unlock(void) {
  __atomic_store_n(&setting, false, __ATOMIC_RELEASE);
}

bool hp_forbidden_after_fork_child(void) {
  hp_forbidden_unlock();
  const bool is_known = !hp_forbidden.call[SYS_getpid] || knows_thread();
  if (is_known && hp_forbids_no_thread())
    return true;
  hp_forbidden.to_all = true;
  return false;
}
