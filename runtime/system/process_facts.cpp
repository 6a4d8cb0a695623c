// process_facts.cpp - numbers, names and places of this process, and its end.
// The system is asked each time, but for what a chroot may hide later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/process_facts.h"

#include "system/files.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

using namespace __sanitizer;

extern "C" {

// A filter of system calls that was not asked for may refuse even this, which never fails else.
int hp_sys_pid(void) {
  const long id = system_call(SYS_getpid);
  return id > 0 ? (int)id : hp_process_by_thread();
}
int hp_sys_parent_pid(void) { return (int)system_call(SYS_getppid); }
int hp_sys_gettid(void) { return (int)system_call(SYS_gettid); }
bool hp_sys_thread_is_gone(int id) {
  return system_call(SYS_tgkill, (uptr)hp_sys_pid(), (uptr)id, 0) == -ESRCH;
}
// The loader's: weak, so that a library of ours needs none but libc.
extern void *__libc_stack_end __attribute__((weak));

// What the kernel has put above the frames of main: the number of arguments, these,
// the environment. Null where that is not known.
static const char *const *start_words() {
  return &__libc_stack_end ? static_cast<const char *const *>(__libc_stack_end)
                           : nullptr;
}

// sanitizer_common asks /proc; the words are for where there is none.
const char *hp_sys_getenv(const char *name) {
  if (const char *value = GetEnv(name))
    return value;
  const auto *words = start_words();
  if (!words || hp_sys_executable_path())
    return nullptr;
  const uptr size = internal_strlen(name);
  for (words += reinterpret_cast<uptr>(*words) + 2; *words; words++)
    if (internal_strncmp(*words, name, size) == 0 && (*words)[size] == '=')
      return *words + size + 1;
  return nullptr;
}

// Of a program that was given to the loader as an argument, which has no loader by itself
// and has one in its file, /proc/self/exe is the loader.
static bool is_loaders_argument() {
  auto *part = reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
  uptr left = part && !getauxval(AT_BASE) ? getauxval(AT_PHNUM) : 0;
  while (left && part->p_type != PT_INTERP) {
    part++;
    left--;
  }
  return left != 0;
}

// Asked for at start, and again where a chroot may have hidden it, by the call that sanitizer_common
// makes: that warns where it is refused.
// Not on the stack, of which a program may have little; null if unknown, as that of a
// file whose mount is in no directory, which is "/", or of one in memory (memfd_create).
const char *hp_sys_executable_path(void) {
  static char executable[4096];
  if (!executable[0] && is_loaders_argument() && hp_sys_started_as())
    internal_strlcpy(executable, hp_sys_started_as(), sizeof executable);
  if (!executable[0] &&
      system_call(SYS_readlinkat, (uptr)AT_FDCWD, (uptr) "/proc/self/exe",
                  (uptr)executable, sizeof executable - 1) < 0)
    return nullptr;
  const bool in_memory = internal_strncmp(executable, "/memfd:", 7) == 0;
  return executable[1] && !in_memory ? executable : nullptr;
}

// By what name it was started, made a path: a first guess, of which a file's
// build id says whether it holds. Asked for at start, while the working directory
// is that of the start and the name is not overwritten by a title. Of a descriptor that
// was executed the path is a number.
const char *hp_sys_started_as(void) {
  static char started[4096];
  const char *given = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  const auto *words = start_words();
  if (given && words && words[0] && !internal_strncmp(given, "/dev/fd/", 8))
    given = words[1];
  if (started[0] || !given)
    return started[0] ? started : nullptr;
  if (*given != '/') {
    if (system_call(SYS_getcwd, (uptr)started, sizeof started) <= 0 ||
        *started != '/') {
      started[0] = 0;
      return nullptr;
    }
    internal_strlcat(started, "/", sizeof started);
  }
  if (internal_strlcat(started, given, sizeof started) >= sizeof started)
    started[0] = 0;
  return started[0] ? started : nullptr;
}

bool hp_sys_executable(char *path, size_t size) {
  const char *executable = hp_sys_executable_path();
  if (!executable)
    executable = hp_sys_started_as();
  return executable && internal_strlcpy(path, executable, size) < size;
}

size_t hp_sys_empty_arguments(void) {
  static size_t noted; // and 1
  const auto *words = start_words();
  if (noted)
    return noted - 1;
  const uptr count = words ? reinterpret_cast<uptr>(*words) : 0;
  uptr full = count;
  while (full && words[full] && !*words[full])
    full--;
  noted = count - full + 1;
  return noted - 1;
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

bool hp_sys_working_directory(char *path, size_t size) {
  return system_call(SYS_getcwd, (uptr)path, size) > 0 && path[0] == '/';
}

// What the kernel gave libc for its guards, with one that it did not.
uint64_t hp_sys_random(void) {
  uint64_t parts[2] = {0x2545f4914f6cdd1d, (uint64_t)hp_sys_pid()};
  const uptr given = getauxval(AT_RANDOM);
  if (given)
    internal_memcpy(parts, reinterpret_cast<const void *>(given), sizeof parts);
  return (parts[0] ^ parts[1] >> 32) * 0x9e3779b97f4a7c15 ^ parts[1];
}

void hp_sys_end_process(int status) { internal__exit(status); }

} // extern "C"
