/* files.h - opens, reads, writes, names and removes files.
   Each returns a negative errno on failure, or says what else.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FILES_H
#define HP_FILES_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0700 is that whatever the umask says; other modes are less the umask. */
int hp_sys_mkdir(const char *path, unsigned mode);
/* Paths count from the directory AT. */
#define HP_SYS_PATHS (-100) /* AT_FDCWD: from the working directory */
/* O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC, 0600 whatever the umask says. */
int hp_sys_create(int at, const char *path);
/* O_WRONLY|O_APPEND|O_NOFOLLOW|O_CLOEXEC. */
int hp_sys_append(int at, const char *path);
int hp_sys_append_at_once(const char *path);  /* and O_NONBLOCK: a pipe, too */
int hp_sys_open_at(int at, const char *path); /* O_RDONLY|O_CLOEXEC */
int hp_sys_open(const char *path);
int hp_sys_hold_directory(const char *path); /* O_PATH: to be an AT */
long hp_sys_read(int fd, void *p, size_t n);
/* The first SIZE - 1 bytes of a file, by one read, and a 0 behind them.  False:
   it cannot be read or is empty. */
bool hp_sys_read_text(const char *path, char *text, size_t size);
long hp_sys_read_at(int fd, void *p, size_t n, uint64_t offset);
long hp_sys_read_directory(int fd, void *p, size_t n); /* getdents64 */
/* 0, or why not all was written. */
int hp_sys_write_all(int fd, const void *p, size_t n);
int hp_sys_truncate(int fd, uint64_t size); /* and goes on writing there */
int hp_sys_close(int fd);
int hp_sys_rename(int at, const char *from, const char *to);
int hp_sys_unlink(int at, const char *path);
int hp_sys_rmdir(const char *path);
/* To another user and group, what PATH is and not what it leads to; "": AT itself. */
int hp_sys_give(int at, const char *path, uint32_t user, uint32_t group);
bool hp_sys_is_regular(int fd);
bool hp_sys_may_execute(const char *path); /* a file, by the effective user */

#ifdef __cplusplus
}
#endif
#endif
