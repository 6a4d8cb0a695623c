/* output_file.c - see output_file.h; Linux calls a file without a name O_TMPFILE.
   A command that is interrupted, or finds the disk full, leaves nothing behind.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1 /* O_TMPFILE, asprintf */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the kernel shows an open file. */
struct shown {
  char path[40];
};

static struct shown shown_as(int fd) {
  struct shown shown;
  snprintf(shown.path, sizeof shown.path, "/proc/self/fd/%d", fd);
  return shown;
}

/* As its old file has them. */
static bool takes_after(int fd, const struct stat *old) {
  struct stat own;
  return fstat(fd, &own) == 0 &&
         ((own.st_uid == old->st_uid && own.st_gid == old->st_gid) ||
          fchown(fd, old->st_uid, old->st_gid) == 0) &&
         fchmod(fd, old->st_mode & 07777) == 0;
}

/* Beside the file that PATH leads to; -1 where that cannot be. */
static int open_nameless(const char *path, const struct stat *old) {
  char *real = old ? realpath(path, NULL) : strdup(path);
  const int fd =
      real ? open(dirname(real), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
  free(real);
  if (fd < 0)
    return -1;
  if (access(shown_as(fd).path, F_OK) == 0 && (!old || takes_after(fd, old)))
    return fd;
  close(fd);
  return -1;
}

/* A file that has several names keeps them all, and one that is open, as
   /dev/stdout may be, goes on being written. */
static bool may_be_replaced(const char *path, const struct stat *old) {
  return S_ISREG(old->st_mode) && old->st_nlink == 1 &&
         strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
}

FILE *hp_output_file_open(const char *path) {
  struct stat old, link;
  const bool is_there = stat(path, &old) == 0;
  int fd = -1;
  if (is_there ? may_be_replaced(path, &old) && access(path, W_OK) == 0
               : errno == ENOENT && lstat(path, &link) != 0)
    fd = open_nameless(path, is_there ? &old : NULL);
  return fd >= 0 ? fdopen(fd, "w") : fopen(path, "w");
}

/* Under another name first, as a link takes no file's place. */
static int replace(int fd, const char *path) {
  char *real = realpath(path, NULL), *beside = NULL;
  const bool is_beside =
      real && asprintf(&beside, "%s.%ld.new", real, (long)getpid()) >= 0 &&
      linkat(AT_FDCWD, shown_as(fd).path, AT_FDCWD, beside,
             AT_SYMLINK_FOLLOW) == 0;
  const int reason = is_beside && rename(beside, real) == 0 ? 0 : errno;
  if (is_beside && reason)
    unlink(beside);
  free(beside);
  free(real);
  return reason;
}

int hp_output_file_name(FILE *out, const char *path) {
  const int fd = fileno(out);
  struct stat own;
  if (fstat(fd, &own) != 0 || own.st_nlink != 0)
    return 0;
  if (linkat(AT_FDCWD, shown_as(fd).path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) ==
      0)
    return 0;
  return errno == EEXIST ? replace(fd, path) : errno;
}
