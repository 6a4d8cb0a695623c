// binding.cpp - sanitizer_binding.h's files, process and clock parts.
// Raw system calls throughout: errno stays as it is and nothing is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/forbidden_calls.h"
#include "system/raw_call.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

using namespace __sanitizer;

namespace __sanitizer {
// sanitizer_common starts threads for limits and checks only that heapprof has
// no option for.
int internal_pthread_create(void *, void *, void *(*)(void *), void *) {
  return ENOSYS;
}
int internal_pthread_join(void *, void **) { return ENOSYS; }
} // namespace __sanitizer

static const uptr kPrivate = 128; // FUTEX_PRIVATE_FLAG
static const uptr kWait = 0 | kPrivate, kWake = 1 | kPrivate;

extern "C" {

// ---- files -----------------------------------------------------------------

// chmod takes no directory's descriptor that was opened without permissions,
// and would follow a link that took the directory's place; this does neither.
static void change_mode_of_directory(const char *path, unsigned mode) {
  int fd = hp_sys_hold_directory(path);
  if (fd < 0)
    return;
  struct stat file;
  char link[40];
  if (system_call(SYS_fstat, (uptr)fd, (uptr)&file) == 0 &&
      (file.st_mode & 07777) == mode) { // the umask has left it as it is
    hp_sys_close(fd);
    return;
  }
  internal_snprintf(link, sizeof link, "/proc/thread-self/fd/%d", fd);
  system_call(SYS_chmod, (uptr)link, mode);
  hp_sys_close(fd);
}

int hp_sys_mkdir(const char *path, unsigned mode) {
  int result = (int)system_call(SYS_mkdir, (uptr)path, mode);
  if (result == 0 && mode == 0700)
    change_mode_of_directory(path, mode);
  return result;
}

static int open_at(int at, const char *path, int flags, unsigned mode = 0) {
  return (int)system_call(SYS_openat, (uptr)at, (uptr)path,
                          (uptr)(flags | O_CLOEXEC), mode);
}

int hp_sys_create(int at, const char *path) {
  int fd = open_at(at, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (fd >= 0)
    system_call(SYS_fchmod, (uptr)fd, 0600);
  return fd;
}

int hp_sys_append(int at, const char *path) {
  return open_at(at, path, O_WRONLY | O_APPEND | O_NOFOLLOW);
}

int hp_sys_open_at(int at, const char *path) {
  return open_at(at, path, O_RDONLY);
}

int hp_sys_open(const char *path) { return hp_sys_open_at(HP_SYS_PATHS, path); }

int hp_sys_hold_directory(const char *path) {
  return open_at(HP_SYS_PATHS, path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

long hp_sys_read(int fd, void *p, size_t n) {
  for (;;) {
    long result = system_call(SYS_read, (uptr)fd, (uptr)p, n);
    if (result != -EINTR)
      return result;
  }
}

long hp_sys_read_at(int fd, void *p, size_t n, uint64_t offset) {
  return system_call(SYS_pread64, (uptr)fd, (uptr)p, n, offset);
}

long hp_sys_read_directory(int fd, void *p, size_t n) {
  return system_call(SYS_getdents64, (uptr)fd, (uptr)p, n);
}

// A write beyond the limit of file sizes also raises SIGXFSZ, which would end
// the program as soon as its signals are let through again.
static void forget_file_size_signal() { hp_sys_forget_signal(SIGXFSZ, 0); }

int hp_sys_write_all(int fd, const void *p, size_t n) {
  const char *from = static_cast<const char *>(p);
  while (n) {
    long result = system_call(SYS_write, (uptr)fd, (uptr)from, n);
    if (result == -EINTR)
      continue;
    if (result == -EFBIG)
      forget_file_size_signal();
    if (result <= 0)
      return result ? (int)result : -EIO;
    from += result;
    n -= (size_t)result;
  }
  return 0;
}

int hp_sys_truncate(int fd, uint64_t size) {
  long result = system_call(SYS_ftruncate, (uptr)fd, size);
  if (result >= 0)
    result = system_call(SYS_lseek, (uptr)fd, size, SEEK_SET);
  return result < 0 ? (int)result : 0;
}

int hp_sys_close(int fd) { return (int)system_call(SYS_close, (uptr)fd); }

int hp_sys_rename(int at, const char *from, const char *to) {
  return (int)system_call(SYS_renameat, (uptr)at, (uptr)from, (uptr)at,
                          (uptr)to);
}

int hp_sys_unlink(int at, const char *path) {
  return (int)system_call(SYS_unlinkat, (uptr)at, (uptr)path);
}

int hp_sys_rmdir(const char *path) {
  return (int)system_call(SYS_rmdir, (uptr)path);
}

bool hp_sys_may_execute(const char *path) {
  const uptr execute = 1; // X_OK
  struct stat file;
  if (system_call(SYS_stat, (uptr)path, (uptr)&file) != 0 ||
      !S_ISREG(file.st_mode))
    return false;
  long result = system_call(SYS_faccessat2, (uptr)AT_FDCWD, (uptr)path, execute,
                            AT_EACCESS);
  if (result == -ENOSYS)
    result = system_call(SYS_access, (uptr)path, execute);
  return result == 0;
}

// ---- process ---------------------------------------------------------------

int hp_sys_pid(void) { return (int)system_call(SYS_getpid); }
int hp_sys_parent_pid(void) { return (int)system_call(SYS_getppid); }
int hp_sys_gettid(void) { return (int)system_call(SYS_gettid); }
bool hp_sys_thread_is_gone(int id) {
  return system_call(SYS_tgkill, (uptr)hp_sys_pid(), (uptr)id, 0) == -ESRCH;
}
const char *hp_sys_getenv(const char *name) { return GetEnv(name); }

// Asked for at start, and again where a chroot may have hidden it.
// Not on the stack, of which a program may have little; null if unknown.
const char *hp_sys_executable_path(void) {
  static char executable[4096];
  if (!executable[0] &&
      system_call(SYS_readlink, (uptr) "/proc/self/exe", (uptr)executable,
                  sizeof executable - 1) < 0)
    return nullptr;
  return executable;
}

bool hp_sys_executable(char *path, size_t size) {
  const char *executable = hp_sys_executable_path();
  return executable && internal_strlcpy(path, executable, size) < size;
}

size_t hp_sys_cmdline(char *buffer, size_t size) {
  int fd = hp_sys_open("/proc/self/cmdline");
  if (fd < 0)
    return 0;
  size_t stored = 0;
  while (stored < size) {
    long n = hp_sys_read(fd, buffer + stored, size - stored);
    if (n <= 0)
      break;
    stored += (size_t)n;
  }
  hp_sys_close(fd);
  return stored;
}

bool hp_sys_hostname(char *name, size_t size) {
  struct utsname host;
  if (system_call(SYS_uname, (uptr)&host) != 0)
    return false;
  internal_strlcpy(name, host.nodename, size);
  return true;
}

// libc's function reads the clock without entering the kernel, and uses no
// thread-local variable unless it fails; before interception is set up there
// is only the system call.
static uint64_t clock_ns(clockid_t clock) {
  struct timespec time = {};
  if (HP_UNLIKELY(hp_forbids(SYS_clock_gettime)))
    return hp_clock_instead(clock == CLOCK_REALTIME);
  if (hp_real_libc.clock_gettime)
    hp_real_libc.clock_gettime((uint32_t)clock, &time);
  else
    internal_clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t hp_sys_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
bool hp_sys_working_directory(char *path, size_t size) {
  return system_call(SYS_getcwd, (uptr)path, size) > 0 && path[0] == '/';
}

uint64_t hp_sys_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

void hp_sys_sleep_ns(uint64_t ns) {
  if (HP_UNLIKELY(hp_forbids(SYS_nanosleep))) {
    const uint64_t end = hp_sys_monotonic_ns() + ns;
    while (hp_pause_instead() && hp_sys_monotonic_ns() < end)
      ;
    return;
  }
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  system_call(SYS_nanosleep, (uptr)&time, 0);
}

void hp_sys_yield(void) { system_call(SYS_sched_yield); }

void hp_sys_futex_wait(uint32_t *word, uint32_t while_value) {
  if (HP_UNLIKELY(hp_forbids(SYS_futex)))
    hp_wait_instead(word, while_value);
  else
    system_call(SYS_futex, (uptr)word, kWait, while_value);
}

bool hp_sys_futex_wait_for(uint32_t *word, uint32_t while_value, uint64_t ns) {
  if (HP_UNLIKELY(hp_forbids(SYS_futex)))
    return hp_wait_instead(word, while_value);
  struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  return system_call(SYS_futex, (uptr)word, kWait, while_value, (uptr)&time) !=
         -ETIMEDOUT;
}

void hp_sys_futex_wake(uint32_t *word) {
  system_call(SYS_futex, (uptr)word, kWake, 1);
}

void hp_sys_futex_wake_all(uint32_t *word) {
  system_call(SYS_futex, (uptr)word, kWake, 0x7fffffff);
}

bool hp_sys_barrier(void) {
  const uptr expedited = 8, registration = 16; // MEMBARRIER_CMD_PRIVATE_...
  long result = system_call(SYS_membarrier, expedited);
  if (result == -EPERM && system_call(SYS_membarrier, registration) == 0)
    result = system_call(SYS_membarrier, expedited);
  return result == 0;
}

#define HP_KERNEL_SIGSET 8 /* bytes */

void hp_sys_block_signals(uint64_t *saved) {
  *saved = 0;
  uint64_t all = ~(uint64_t)0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (uptr)&all, (uptr)saved,
              HP_KERNEL_SIGSET);
}

void hp_sys_restore_signals(const uint64_t *saved) {
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (uptr)saved, 0,
              HP_KERNEL_SIGSET);
}

uint64_t hp_sys_pending_signals(void) {
  uint64_t set = 0;
  system_call(SYS_rt_sigpending, (uptr)&set, HP_KERNEL_SIGSET);
  return set;
}

void hp_sys_forget_signal(int number, uint64_t before) {
  uint64_t set = (uint64_t)1 << (number - 1);
  struct timespec now = {0, 0};
  if (!(before & set))
    system_call(SYS_rt_sigtimedwait, (uptr)&set, 0, (uptr)&now,
                HP_KERNEL_SIGSET);
}

void hp_sys_mask_signal(int number, bool blocked) {
  uint64_t set = (uint64_t)1 << (number - 1);
  system_call(SYS_rt_sigprocmask, blocked ? SIG_BLOCK : SIG_UNBLOCK, (uptr)&set,
              0, HP_KERNEL_SIGSET);
}

bool hp_sys_queue_signal(int number, const void *info) {
  const uptr pid = (uptr)hp_sys_pid(), thread = (uptr)hp_sys_gettid();
  return system_call(SYS_rt_tgsigqueueinfo, pid, thread, (uptr)number,
                     (uptr)info) == 0 ||
         system_call(SYS_tgkill, pid, thread, (uptr)number) == 0 ||
         system_call(SYS_kill, pid, (uptr)number) == 0;
}

void hp_sys_reset_signal(int number) {
  const uptr none[4] = {}; // SIG_DFL, without flags
  system_call(SYS_rt_sigaction, (uptr)number, (uptr)none, 0, HP_KERNEL_SIGSET);
}

void hp_sys_end_process(int status) { internal__exit(status); }

// ---- stacks ----------------------------------------------------------------

// One line of /proc/self/maps: "start-end perms offset device inode path".
struct hp_mapping {
  uptr start, end;
  bool is_main_stack;
};

static const char *parse_hexadecimal(const char *text, uptr *value) {
  for (*value = 0;; text++) {
    if (*text >= '0' && *text <= '9')
      *value = *value << 4 | (uptr)(*text - '0');
    else if (*text >= 'a' && *text <= 'f')
      *value = *value << 4 | (uptr)(*text - 'a' + 10);
    else
      return text;
  }
}

static bool parse_mapping(const char *line, hp_mapping *mapping) {
  const char *at = parse_hexadecimal(line, &mapping->start);
  if (*at != '-')
    return false;
  at = parse_hexadecimal(at + 1, &mapping->end);
  mapping->is_main_stack = internal_strstr(at, "[stack]") != nullptr;
  return true;
}

// The main stack's mapping grows on demand up to the resource limit, but never
// into the mapping below it.
static uptr lowest_of_main_stack(uptr end, uptr below) {
  struct {
    uint64_t soft, hard;
  } limit = {};
  const uptr most = (uptr)1 << 30;
  if (system_call(SYS_prlimit64, 0, 3 /* RLIMIT_STACK */, 0, (uptr)&limit) <
          0 ||
      limit.soft > most)
    limit.soft = most;
  uptr lowest = end > limit.soft ? end - limit.soft : 0;
  return lowest > below ? lowest : below;
}

// The thread pointer lies at the top of every stack that libc made or was
// given; what the kernel put on the main stack lies above all frames.
uintptr_t hp_sys_stack_top(void) {
  if (hp_sys_gettid() == hp_sys_pid())
    return Max(getauxval(AT_EXECFN), getauxval(AT_RANDOM));
  uptr self;
  __asm__("movq %%fs:0, %0" : "=r"(self));
  return self;
}

void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top) {
  const uptr here = sp;
  *bottom = *top = here; // nothing can be read if nothing is known
  int fd = hp_sys_open("/proc/self/maps");
  if (fd < 0)
    return;
  char buffer[1024]; // the stack may be small
  uptr filled = 0, below = 0;
  bool is_rest = false; // of a line that was too long
  for (;;) {
    long n = hp_sys_read(fd, buffer + filled, sizeof buffer - 1 - filled);
    if (n <= 0)
      break;
    filled += (uptr)n;
    buffer[filled] = 0;
    char *line = buffer;
    while (char *end = internal_strchr(line, '\n')) {
      *end = 0;
      hp_mapping mapping;
      if (!is_rest && parse_mapping(line, &mapping)) {
        if (mapping.start <= here && here < mapping.end) {
          *bottom = mapping.is_main_stack
                        ? lowest_of_main_stack(mapping.end, below)
                        : mapping.start;
          *top = mapping.end;
          hp_sys_close(fd);
          return;
        }
        below = mapping.end;
      }
      is_rest = false;
      line = end + 1;
    }
    filled = (uptr)(buffer + filled - line);
    internal_memmove(buffer, line, filled);
    if (filled == sizeof buffer - 1) { // only its path is so long
      hp_mapping mapping;
      if (!is_rest && parse_mapping(buffer, &mapping)) {
        if (mapping.start <= here && here < mapping.end) {
          *bottom = mapping.start;
          *top = mapping.end;
          break;
        }
        below = mapping.end;
      }
      filled = 0;
      is_rest = true;
    }
  }
  hp_sys_close(fd);
}

// ---- the runtime's own threads ---------------------------------------------

// A thread's memory, from its beginning:
//   stack | 4 KiB for thread-local variables | 4 KiB that the register points
//   to
static const size_t kStack = 128 << 10, kThreadLocal = 4 << 10;
static const size_t kThreadMemory = kStack + 2 * kThreadLocal;

// What the register points to; where libc has it, the mark is another address.
struct hp_own_thread {
  void *self;
  const void *mark;
  hp_sys_thread *thread;
  uint64_t is_one_of_many; // libc before 2.36 asks here whether it must wake
};

// The calling thread if it is the runtime's own.
static const hp_sys_thread *own_thread() {
  const void *mark;
  hp_sys_thread *thread;
  __asm__("movq %%fs:8, %0\n\tmovq %%fs:16, %1" : "=&r"(mark), "=r"(thread));
  return mark == &hp_own_mark ? thread : nullptr;
}

// At once and without ever having held what the program has open.
static bool leave_files() {
  const uptr unshare = 2; // CLOSE_RANGE_UNSHARE
  return system_call(SYS_close_range, 0, ~0u, unshare) == 0;
}

// Threads of the runtime that were started in process `pid` and have not ended.
// The kernel takes what the last thread ends with for the process's status.
static struct {
  int pid, count;
  int status;
} own_threads;

static int run_body(void *arg) {
  hp_sys_thread *thread = static_cast<hp_sys_thread *>(arg);
  thread->owns_files = leave_files();
  thread->body();
  __atomic_fetch_sub(&own_threads.count, 1, __ATOMIC_SEQ_CST);
  return own_threads.status;
}

static void count_own_thread() {
  if (own_threads.pid != hp_sys_pid()) {
    own_threads.pid = hp_sys_pid();
    own_threads.count = 0;
  }
  __atomic_fetch_add(&own_threads.count, 1, __ATOMIC_SEQ_CST);
}

static long field_of(const char *state, int number) {
  for (int field = 3; field < number && state; field++) {
    state = internal_strchr(state, ' ');
    state = state ? state + 1 : nullptr;
  }
  return state ? (long)internal_simple_strtoll(state, nullptr, 10) : 0;
}

// "PID (NAME) STATE PARENT ...": the 20th field is how many threads there are,
// the first one included when it has ended; the 52nd what that ended with.
bool hp_sys_is_deserted(void) {
  char text[1024];
  int fd = hp_sys_open("/proc/self/stat");
  if (fd < 0)
    return false;
  long size = hp_sys_read(fd, text, sizeof text - 1);
  hp_sys_close(fd);
  if (size <= 0)
    return false;
  text[size] = 0;
  const char *at = internal_strrchr(text, ')');
  if (!at || at[1] != ' ' || (at[2] != 'Z' && at[2] != 'X'))
    return false;
  const long threads = field_of(at + 2, 20);
  if (!threads ||
      threads > 1 + __atomic_load_n(&own_threads.count, __ATOMIC_SEQ_CST))
    return false;
  own_threads.status = (int)(field_of(at + 2, 52) >> 8 & 0xff);
  return true;
}

// All there are: the ticker's and the writer's.
static hp_sys_thread *known_own[2];

static void note_own(hp_sys_thread *thread) {
  for (hp_sys_thread *&known : known_own)
    if (!known || known == thread) {
      known = thread;
      return;
    }
}

bool hp_sys_is_own(int id) {
  for (const hp_sys_thread *thread : known_own)
    if (thread && (int)__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE) == id)
      return true;
  return false;
}

bool hp_sys_start_thread(struct hp_sys_thread *thread, void (*body)(void)) {
  if (!hp_forbids_no_thread())
    return false;
  note_own(thread);
  if (thread->memory) // of one that was its parent's
    hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
  thread->memory = static_cast<char *>(hp_sys_map(kThreadMemory));
  if (!thread->memory)
    return false;
  thread->body = body;
  char *stack = thread->memory + kStack, *self = stack + kThreadLocal;
  hp_own_thread *block = reinterpret_cast<hp_own_thread *>(self);
  *block = {self, &hp_own_mark, thread, 1};
  // The thread begins with all signals blocked and stays so: none of the
  // program's handlers ever runs on it.
  uint64_t saved;
  hp_sys_block_signals(&saved);
  int *id = reinterpret_cast<int *>(&thread->id);
  count_own_thread();
  uptr result =
      internal_clone(run_body, stack,
                     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                         CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                         CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
                     thread, id, self, id);
  hp_sys_restore_signals(&saved);
  if (!internal_iserror(result))
    return true;
  __atomic_fetch_sub(&own_threads.count, 1, __ATOMIC_SEQ_CST);
  hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
  return false;
}

// The kernel clears the number before the thread is gone for good.
void hp_sys_join_thread(struct hp_sys_thread *thread) {
  if (!thread->memory)
    return;
  const uptr pause = 20000;
  int id = (int)__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE);
  while (__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE))
    hp_sys_sleep_ns(pause);
  while (id && system_call(SYS_tgkill, (uptr)hp_sys_pid(), (uptr)id, 0) == 0)
    hp_sys_sleep_ns(pause);
  hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
}

bool hp_sys_is_thread(const struct hp_sys_thread *thread) {
  return own_thread() == thread;
}

bool hp_sys_is_mute(void) { return own_thread() && own_thread()->owns_files; }

struct hp_user {
  uint32_t uid[4], gid[4]; // real, effective, saved, of files
  uint32_t groups[64];
  size_t group_count;
};

// The numbers of the line of TEXT that begins with NAME.
static size_t parse_numbers(const char *text, const char *name,
                            uint32_t *numbers, size_t most) {
  const char *at = internal_strstr(text, name);
  size_t count = 0;
  if (!at)
    return 0;
  at += internal_strlen(name);
  while (count < most) {
    while (*at == ' ' || *at == '\t')
      at++;
    if (*at < '0' || *at > '9')
      break;
    uint32_t number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
      number = number * 10 + (uint32_t)(*at - '0');
    numbers[count++] = number;
  }
  return count;
}

static bool read_user(const char *path, hp_user *user) {
  char text[2048];
  int fd = hp_sys_open(path);
  if (fd < 0)
    return false;
  long size = hp_sys_read(fd, text, sizeof text - 1);
  hp_sys_close(fd);
  text[size > 0 ? size : 0] = 0;
  user->group_count = parse_numbers(text, "\nGroups:", user->groups, 64);
  return parse_numbers(text, "\nUid:", user->uid, 4) == 4 &&
         parse_numbers(text, "\nGid:", user->gid, 4) == 4;
}

// Whoever may set the groups must do it before he gives that up.
void hp_sys_follow_user(void) {
  hp_user first, mine;
  if (!read_user("/proc/self/status", &first) ||
      !read_user("/proc/thread-self/status", &mine) ||
      (internal_memcmp(first.uid, mine.uid, sizeof mine.uid) == 0 &&
       internal_memcmp(first.gid, mine.gid, sizeof mine.gid) == 0))
    return;
  // A change of user forbids core files, which the program may have allowed.
  const uptr get_dumpable = 3, set_dumpable = 4;
  long dumpable = system_call(SYS_prctl, get_dumpable);
  if (first.uid[1] == 0)
    system_call(SYS_setresuid, first.uid[0], first.uid[1], first.uid[2]);
  system_call(SYS_setgroups, first.group_count, (uptr)first.groups);
  system_call(SYS_setresgid, first.gid[0], first.gid[1], first.gid[2]);
  system_call(SYS_setresuid, first.uid[0], first.uid[1], first.uid[2]);
  if (dumpable == 1)
    system_call(SYS_prctl, set_dumpable, 1);
}

} // extern "C"
