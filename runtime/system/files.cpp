// files.cpp - opens, reads, writes, names and removes files.
// Raw system calls: errno stays as it is and nothing is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/files.h"

#include "system/signal_mask.h"
#include "system/system_call.h"

#include "sanitizer_common/sanitizer_common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace __sanitizer;

extern "C" {

// chmod takes no directory's descriptor that was opened without permissions,
// and would follow a link that took the directory's place; this does neither.
static void change_mode_of_directory(const char *path, unsigned mode) {
  int fd = hp_sys_hold_directory(path);
  if (fd < 0)
    return;
  struct stat file = {};
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

int hp_sys_append_at_once(const char *path) {
  return open_at(HP_SYS_PATHS, path,
                 O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
}

int hp_sys_open_at(int at, const char *path) {
  return open_at(at, path, O_RDONLY);
}

int hp_sys_open(const char *path) { return hp_sys_open_at(HP_SYS_PATHS, path); }

int hp_sys_hold_directory(const char *path) {
  return open_at(HP_SYS_PATHS, path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

// A filter may answer each call as if it were interrupted.
static long call_again(long number, int fd, const void *p, size_t n) {
  long result = -EINTR;
  for (int tries = 0; tries < 100 && result == -EINTR; tries++)
    result = system_call(number, (uptr)fd, (uptr)p, n);
  return result;
}

long hp_sys_read(int fd, void *p, size_t n) {
  return call_again(SYS_read, fd, p, n);
}

// In place of sanitizer_common's (prelink.cmake).
uptr __wrap__ZN11__sanitizer13internal_readEiPvm(int fd, void *p, uptr n) {
  return (uptr)call_again(SYS_read, fd, p, n);
}
uptr __wrap__ZN11__sanitizer14internal_writeEiPKvm(int fd, const void *p,
                                                   uptr n) {
  return (uptr)call_again(SYS_write, fd, p, n);
}

bool hp_sys_read_text(const char *path, char *text, size_t size) {
  int fd = hp_sys_open(path);
  if (fd < 0)
    return false;
  long n = hp_sys_read(fd, text, size - 1);
  hp_sys_close(fd);
  text[n > 0 ? n : 0] = 0;
  return n > 0;
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
    long result = call_again(SYS_write, fd, from, n);
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

int hp_sys_give(int at, const char *path, uint32_t user, uint32_t group) {
  const uptr flags = AT_SYMLINK_NOFOLLOW | (*path ? 0 : AT_EMPTY_PATH);
  return (int)system_call(SYS_fchownat, (uptr)at, (uptr)path, user, group,
                          flags);
}

bool hp_sys_is_regular(int fd) {
  struct stat file = {};
  return system_call(SYS_fstat, (uptr)fd, (uptr)&file) == 0 &&
         S_ISREG(file.st_mode);
}

bool hp_sys_may_execute(const char *path) {
  const uptr execute = 1; // X_OK
  struct stat file = {};
  if (system_call(SYS_stat, (uptr)path, (uptr)&file) != 0 ||
      !S_ISREG(file.st_mode))
    return false;
  long result = system_call(SYS_faccessat2, (uptr)AT_FDCWD, (uptr)path, execute,
                            AT_EACCESS);
  if (result == -ENOSYS)
    result = system_call(SYS_access, (uptr)path, execute);
  return result == 0;
}

} // extern "C"
