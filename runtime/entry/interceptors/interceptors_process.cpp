// interceptors_process.cpp - threads, exec, quick_exit and shared libraries.
// The dump is written before a program image goes; nothing else is changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/preloaded.h"
#include "heap/secondary.h"
#include "origin/module.h"
#include "process/exit.h"
#include "process/fork.h"
#include "process/own_profile.h"
#include "process/runtime_threads.h"
#include "system/files.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"
#include "system/program_file.h"
#include "system/symbol_lookup.h"
#include "thread/thread.h"
#include "thread/thread_end.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include "entry/interceptors/libc_ranges.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace __sanitizer;

DECLARE_REAL(char *, strchr, const char *s, int c)
DECLARE_REAL(usize, strlen, const char *s)

// ---- threads ---------------------------------------------------------------

// Where a filter refuses to block signals, as tor's does, libc gives the thread
// back a mask that nobody filled.  There must be none that was ours.
static HP_NOINLINE void leave_no_mask(void) {
  char room[2048] = {};
  __asm__ volatile("" : : "r"(room) : "memory");
}

INTERCEPTOR(int, pthread_create, void *thread, const void *attributes,
            void *(*start)(void *), void *arg) {
  HP_ENTER();
  HP_COUNT_READ(attributes, sizeof(pthread_attr_t));
  HP_COUNT_WRITE(thread, sizeof(pthread_t)); // ahead of the thread's own
  leave_no_mask();
  int result = REAL(pthread_create)(thread, attributes, start, arg);
  __asm__ volatile("" : "+r"(result)); // called from this very frame
  return result;
}

INTERCEPTOR(int, thrd_create, void *thread, int (*start)(void *), void *arg) {
  HP_ENTER();
  HP_COUNT_WRITE(thread, sizeof(pthread_t));
  return REAL(thrd_create)(thread, start, arg);
}

// There are so many keys, and one of them is ours until the program wants it.
INTERCEPTOR(int, pthread_key_create, unsigned *key,
            void (*destructor)(void *)) {
  HP_ENTER();
  int result = REAL(pthread_key_create)(key, destructor);
  if (result == EAGAIN && hp_thread_give_key())
    result = REAL(pthread_key_create)(key, destructor);
  if (result == 0)
    HP_COUNT_WRITE(key, sizeof *key);
  return result;
}

static const int kSuccess = 0; // thrd_success

INTERCEPTOR(int, tss_create, unsigned *key, void (*destructor)(void *)) {
  HP_ENTER();
  int result = REAL(tss_create)(key, destructor);
  if (result != kSuccess && hp_thread_give_key())
    result = REAL(tss_create)(key, destructor);
  if (result == kSuccess)
    HP_COUNT_WRITE(key, sizeof *key);
  return result;
}

// ---- exit ------------------------------------------------------------------

// _exit is sanitizer_common's; this is libc's other name for it.
INTERCEPTOR(void, _Exit, int status) {
  HP_ENTER();
  hp_finish_exit(status);
  REAL(_Exit)(status);
}

// Runs the handlers of at_quick_exit, of which the runtime's (process/exit.c) is the
// first.
INTERCEPTOR(void, quick_exit, int status) {
  HP_ENTER();
  hp_quick_exit_status = status;
  REAL(quick_exit)(status);
}

// libc's own ends the calling process by a call that cannot be intercepted.
// This is the same, and without a hidden _exit.
INTERCEPTOR(int, daemon, int keeps_directory, int keeps_files) {
  HP_ENTER();
  int child = fork();
  if (child < 0)
    return -1;
  if (child > 0) {
    hp_finish_exit(0);
    internal__exit(0);
  }
  if (setsid() < 0)
    return -1;
  if (!keeps_directory && chdir("/") != 0) {
    // The directory is kept, then.
  }
  if (keeps_files)
    return 0;
  int fd = open("/dev/null", O_RDWR);
  struct stat file;
  if (fd < 0 || fstat(fd, &file) != 0)
    return -1;
  if (!S_ISCHR(file.st_mode) || file.st_rdev != makedev(1, 3)) {
    close(fd);
    errno = ENODEV;
    return -1;
  }
  for (int standard = 0; standard < 3; standard++)
    dup2(fd, standard);
  if (fd > 2)
    close(fd);
  return 0;
}

// ---- exec ------------------------------------------------------------------

// An exec that will fail must not end the profile, so the dump is written only
// if there is a file that may be executed.  (A failure after that, such as a
// file of no known format, leaves the profile ended where exec was called.)
static void before_exec(const char *path) {
  if (path && hp_sys_may_execute(path))
    hp_finish_exec();
}

// As execvp looks for FILE: in PATH unless it has a slash.
// The path, which may be in CANDIDATE, or null.
static const char *find_by_name(const char *file,
                                char (&candidate)[kMaxPathLength]) {
  if (!file || !*file)
    return nullptr;
  if (internal_strchr(file, '/'))
    return file;
  const char *path = getenv("PATH");
  if (!path)
    path = "/bin:/usr/bin";
  for (;;) {
    const char *end = internal_strchrnul(path, ':');
    int directory = (int)(end - path);
    int length = internal_snprintf(candidate, sizeof candidate, "%.*s%s%s",
                                   directory, path, directory ? "/" : "", file);
    if (length < (int)sizeof candidate && hp_sys_may_execute(candidate))
      return candidate;
    if (!*end)
      return nullptr;
    path = end + 1;
  }
}

// What the kernel reads of an array of texts that ends with a null; of one that
// is not there it says EFAULT.
static bool read_texts(char *const *texts) {
  if (!texts)
    return true;
  uptr count = 0;
  for (;; count++) {
    const uptr at = (uptr)(texts + count);
    if ((count == 0 || at % HP_PAGE < sizeof *texts) && !hp_sys_readable(at))
      return false;
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): execl has filled it
    if (!texts[count])
      break;
    hp_read_text(texts[count], ~(size_t)0);
  }
  HP_COUNT_READ(texts, (count + 1) * sizeof *texts);
  return true;
}

// Whether all of these are there.
static bool read_program(const char *path, char *const *arguments,
                         char *const *environment) {
  hp_read_text(path, ~(size_t)0);
  const bool read = read_texts(arguments);
  return read_texts(environment) && read;
}

enum hp_exec_kind { EXECVE, EXECVPE, FEXECVE, EXECVEAT, SPAWN, SPAWNP };

struct hp_exec {
  hp_exec_kind kind;
  const char *path = nullptr; // or the name
  char *const *arguments = nullptr;
  int fd = -1, flags = 0;
  pid_t *pid = nullptr;
  const void *actions = nullptr, *attributes = nullptr;
};

DECLARE_REAL(int, execve, const char *path, char *const *arguments,
             char *const *environment)
DECLARE_REAL(int, execvpe, const char *file, char *const *arguments,
             char *const *environment)
DECLARE_REAL(int, fexecve, int fd, char *const *arguments,
             char *const *environment)
DECLARE_REAL(int, execveat, int directory, const char *path,
             char *const *arguments, char *const *environment, int flags)
DECLARE_REAL(int, posix_spawn, pid_t *pid, const char *path,
             const void *actions, const void *attributes,
             char *const *arguments, char *const *environment)
DECLARE_REAL(int, posix_spawnp, pid_t *pid, const char *file,
             const void *actions, const void *attributes,
             char *const *arguments, char *const *environment)

static int exec_real(const hp_exec &e, char *const *environment) {
  switch (e.kind) {
  case EXECVE:
    return REAL(execve)(e.path, e.arguments, environment);
  case EXECVPE:
    return REAL(execvpe)(e.path, e.arguments, environment);
  case FEXECVE:
    return REAL(fexecve)(e.fd, e.arguments, environment);
  case EXECVEAT:
    return REAL(execveat)(e.fd, e.path, e.arguments, environment, e.flags);
  case SPAWN:
    return REAL(posix_spawn)(e.pid, e.path, e.actions, e.attributes,
                             e.arguments, environment);
  default:
    return REAL(posix_spawnp)(e.pid, e.path, e.actions, e.attributes,
                              e.arguments, environment);
  }
}

static bool is_out_of_reach(const char *entry) {
  char path[kMaxPathLength];
  hp_preloaded_path(entry, path, sizeof path);
  return hp_sys_library_is_missing(path);
}

// What could not run with our library ahead, would list it or miss it, or be killed for its calls, gets LD_PRELOAD without it, in a copy
// on this stack, since a child of vfork has its parent's memory.  FILE is null
// where it is not known.
static int exec_as_fits(const hp_exec &e, const char *file,
                        char *const *environment) {
  char *const *entry = file ? hp_preloaded_find(environment) : nullptr;
  if (!entry || !(hp_preloaded_is_listed(environment) || hp_forbids_program() ||
                  hp_sys_program_is_foreign(file) || is_out_of_reach(*entry)))
    return exec_real(e, environment);
  uptr count = 0;
  while (environment[count])
    count++;
  const uptr size = internal_strlen(*entry) + 1;
  char **texts = (char **)__builtin_alloca((count + 1) * sizeof *texts);
  char *list = (char *)__builtin_alloca(size);
  internal_memcpy(texts, environment, (count + 1) * sizeof *texts);
  internal_memcpy(list, *entry, size);
  texts[entry - environment] = list;
  hp_preloaded_leave(texts);
  return exec_real(e, texts);
}

// What it READS of the environment is counted, too.
static int exec_path(const char *path, char *const *arguments,
                     char *const *environment, char *const *reads) {
  const bool read = read_program(path, arguments, reads);
  if (read)
    before_exec(path);
  const hp_exec e = {.kind = EXECVE, .path = path, .arguments = arguments};
  return exec_as_fits(e, read ? path : nullptr, environment);
}

static int exec_file(const char *file, char *const *arguments,
                     char *const *environment, char *const *reads) {
  char candidate[kMaxPathLength];
  const char *path = nullptr;
  if (read_program(file, arguments, reads))
    before_exec(path = find_by_name(file, candidate));
  const hp_exec e = {.kind = EXECVPE, .path = file, .arguments = arguments};
  return exec_as_fits(e, path, environment);
}

INTERCEPTOR(int, execve, const char *path, char *const *arguments,
            char *const *environment) {
  HP_ENTER();
  return exec_path(path, arguments, environment, environment);
}

INTERCEPTOR(int, execv, const char *path, char *const *arguments) {
  HP_ENTER();
  return exec_path(path, arguments, environ, nullptr);
}

INTERCEPTOR(int, execvp, const char *file, char *const *arguments) {
  HP_ENTER();
  return exec_file(file, arguments, environ, nullptr);
}

INTERCEPTOR(int, execvpe, const char *file, char *const *arguments,
            char *const *environment) {
  HP_ENTER();
  return exec_file(file, arguments, environment, environment);
}

INTERCEPTOR(int, fexecve, int fd, char *const *arguments,
            char *const *environment) {
  HP_ENTER();
  char path[32];
  const bool read = read_program(nullptr, arguments, environment) && fd >= 0 &&
                    arguments && environment;
  internal_snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (read)
    before_exec(path);
  const hp_exec e = {.kind = FEXECVE, .arguments = arguments, .fd = fd};
  return exec_as_fits(e, read ? path : nullptr, environment);
}

INTERCEPTOR(int, execveat, int directory, const char *path,
            char *const *arguments, char *const *environment, int flags) {
  HP_ENTER();
  char relative[kMaxPathLength];
  const char *file = nullptr;
  if (!read_program(path, arguments, environment) ||
      !hp_sys_readable((uptr)path & ~(uptr)7)) {
    // The kernel refuses it.
  } else if (path[0] == '/' || directory == -100 /* AT_FDCWD */) {
    file = path;
  } else {
    int length =
        internal_snprintf(relative, sizeof relative, "/proc/self/fd/%d%s%s",
                          directory, *path ? "/" : "", path);
    if (length < (int)sizeof relative)
      file = relative;
  }
  before_exec(file);
  const hp_exec e = {.kind = EXECVEAT,
                     .path = path,
                     .arguments = arguments,
                     .fd = directory,
                     .flags = flags};
  return exec_as_fits(e, file, environment);
}

// The program of a child, which has no exec of ours: where it begins elsewhere
// by its actions, a relative path is not found, and it gets the environment as
// it is.
static int spawn(const hp_exec &e, char *const *environment) {
  char candidate[kMaxPathLength];
  const bool read = read_program(e.path, e.arguments, environment);
  const char *file = !read              ? nullptr
                     : e.kind == SPAWNP ? find_by_name(e.path, candidate)
                                        : e.path;
  const int result = exec_as_fits(e, file, environment);
  if (result == 0 && e.pid)
    HP_COUNT_WRITE(e.pid, sizeof *e.pid);
  return result;
}

INTERCEPTOR(int, posix_spawn, pid_t *pid, const char *path, const void *actions,
            const void *attributes, char *const *arguments,
            char *const *environment) {
  HP_ENTER();
  return spawn({.kind = SPAWN,
                .path = path,
                .arguments = arguments,
                .pid = pid,
                .actions = actions,
                .attributes = attributes},
               environment);
}

INTERCEPTOR(int, posix_spawnp, pid_t *pid, const char *file,
            const void *actions, const void *attributes, char *const *arguments,
            char *const *environment) {
  HP_ENTER();
  return spawn({.kind = SPAWNP,
                .path = file,
                .arguments = arguments,
                .pid = pid,
                .actions = actions,
                .attributes = attributes},
               environment);
}

// The forms with a list of arguments: the list becomes an array on the stack,
// as libc makes it; execle's environment follows the list's end.
#define HP_EXEC_LIST(name, file, call)                                         \
  INTERCEPTOR(int, name, const char *file, const char *first, ...) {           \
    HP_ENTER();                                                                \
    uptr count = 0;                                                            \
    va_list list;                                                              \
    va_start(list, first);                                                     \
    for (const char *a = first; a; a = va_arg(list, const char *))             \
      count++;                                                                 \
    va_end(list);                                                              \
    char **arguments =                                                         \
        (char **)__builtin_alloca((count + 1) * sizeof(char *));               \
    va_start(list, first);                                                     \
    arguments[0] = const_cast<char *>(first);                                  \
    for (uptr i = 1; i <= count; i++)                                          \
      arguments[i] = va_arg(list, char *);                                     \
    int result = call;                                                         \
    va_end(list);                                                              \
    return result;                                                             \
  }

HP_EXEC_LIST(execl, path, exec_path(path, arguments, environ, nullptr))
HP_EXEC_LIST(execlp, file, exec_file(file, arguments, environ, nullptr))
HP_EXEC_LIST(execle, path,
             exec_path(path, arguments, va_arg(list, char *const *), nullptr))

// ---- copies ----------------------------------------------------------------

namespace {
struct hp_cloned {
  int (*body)(void *);
  void *arg;
};
} // namespace

static int run_cloned(void *arg) {
  const hp_cloned cloned = *static_cast<hp_cloned *>(arg);
  hp_fork_ended_in_copy();
  __attribute__((musttail)) return cloned.body(cloned.arg);
}

// A copy of a process whose only other threads are ours would find their locks
// taken.  One with the same memory has the same locks.
INTERCEPTOR(int, clone, int (*body)(void *), void *stack, int flags, void *arg,
            ...) {
  HP_ENTER();
  va_list list;
  va_start(list, arg);
  void *parent = va_arg(list, void *), *local = va_arg(list, void *),
       *child = va_arg(list, void *);
  va_end(list);
  if (!body || !stack || flags & (CLONE_VM | CLONE_SETTLS))
    return REAL(clone)(body, stack, flags, arg, parent, local, child);
  hp_cloned cloned = {body, arg};
  hp_fork_begins();
  int result =
      REAL(clone)(run_cloned, stack, flags, &cloned, parent, local, child);
  hp_fork_ended();
  return result;
}

// fork without its handlers.
INTERCEPTOR(int, _Fork, void) {
  HP_ENTER();
  hp_fork_begins();
  int result = REAL(_Fork)();
  result ? hp_fork_ended() : hp_fork_ended_in_copy();
  return result;
}

// ---- namespaces ------------------------------------------------------------

// The kernel refuses these to a process of several threads, and so that the
// program does not become one by us, our own threads make way.
INTERCEPTOR(int, unshare, int flags) {
  HP_ENTER();
  const int alone = CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
  if (!(flags & alone))
    return REAL(unshare)(flags);
  hp_runtime_threads_end();
  int result = REAL(unshare)(flags);
  hp_runtime_threads_start();
  return result;
}

INTERCEPTOR(int, setns, int fd, int type) {
  HP_ENTER();
  const int any = CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  if (type && !(type & ~any))
    return REAL(setns)(fd, type);
  hp_runtime_threads_end();
  int result = REAL(setns)(fd, type);
  hp_runtime_threads_start();
  return result;
}

INTERCEPTOR(int, chroot, const char *path) {
  HP_ENTER();
  hp_read_text(path, ~(size_t)0);
  hp_profile_begin_dump();
  return REAL(chroot)(path);
}

// ---- users -----------------------------------------------------------------

// Root's are worth it: its workers may make nothing where it may.
static void before_another_user() {
  HP_ENTER();
  if (geteuid() == 0)
    hp_profile_begin_dump();
}

INTERCEPTOR(int, setuid, uid_t user) {
  before_another_user();
  return REAL(setuid)(user);
}

INTERCEPTOR(int, seteuid, uid_t user) {
  before_another_user();
  return REAL(seteuid)(user);
}

INTERCEPTOR(int, setreuid, uid_t real, uid_t effective) {
  before_another_user();
  return REAL(setreuid)(real, effective);
}

INTERCEPTOR(int, setresuid, uid_t real, uid_t effective, uid_t saved) {
  before_another_user();
  return REAL(setresuid)(real, effective, saved);
}

// ---- shared libraries ------------------------------------------------------

// dlopen resolves a name by the run path of the library that calls it, which
// it knows by its return address: hence the jump.  What it loads is noted at
// the next update, from the last one on.  What RTLD_DEEPBIND binds to libc is to
// be ours, else either's chunks could not be freed by the other.
__attribute__((weak)) bool hp_symbols_give_ours(void) { return false; }

INTERCEPTOR(void *, dlopen, const char *path, int flags) {
  HP_ENTER();
  hp_read_text(path, ~(size_t)0);
  hp_modules_stale = true;
  if (flags & RTLD_DEEPBIND && !hp_symbols_give_ours())
    flags &= ~RTLD_DEEPBIND;
  __attribute__((musttail)) return REAL(dlopen)(path, flags);
}

INTERCEPTOR(void *, dlmopen, Lmid_t space, const char *path, int flags) {
  HP_ENTER();
  hp_read_text(path, ~(size_t)0);
  hp_modules_stale = true;
  __attribute__((musttail)) return REAL(dlmopen)(space, path, flags);
}

INTERCEPTOR(int, dlclose, void *handle) {
  HP_ENTER();
  hp_modules_changed(); // what goes now must have been seen
  int result = REAL(dlclose)(handle);
  hp_modules_changed();
  return result;
}

void hp_intercept_process(void) {
  INTERCEPT_FUNCTION(pthread_create);
  INTERCEPT_FUNCTION(thrd_create);
  INTERCEPT_FUNCTION(pthread_key_create);
  INTERCEPT_FUNCTION(tss_create);
  INTERCEPT_FUNCTION(_Exit);
  INTERCEPT_FUNCTION(quick_exit);
  INTERCEPT_FUNCTION(daemon);
  INTERCEPT_FUNCTION(execve);
  INTERCEPT_FUNCTION(execv);
  INTERCEPT_FUNCTION(execvp);
  INTERCEPT_FUNCTION(execvpe);
  INTERCEPT_FUNCTION(fexecve);
  INTERCEPT_FUNCTION(execveat);
  INTERCEPT_FUNCTION(execl);
  INTERCEPT_FUNCTION(execlp);
  INTERCEPT_FUNCTION(execle);
  INTERCEPT_FUNCTION(posix_spawn);
  INTERCEPT_FUNCTION(posix_spawnp);
  INTERCEPT_FUNCTION(clone);
  INTERCEPT_FUNCTION(_Fork);
  INTERCEPT_FUNCTION(unshare);
  INTERCEPT_FUNCTION(chroot);
  INTERCEPT_FUNCTION(setuid);
  INTERCEPT_FUNCTION(seteuid);
  INTERCEPT_FUNCTION(setreuid);
  INTERCEPT_FUNCTION(setresuid);
  INTERCEPT_FUNCTION(setns);
  INTERCEPT_FUNCTION(dlopen);
  INTERCEPT_FUNCTION(dlmopen);
  INTERCEPT_FUNCTION(dlclose);
}
