/* error_text.c - the errors that files and memory meet.
   Words are those of libc in English.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/error_text.h"

#include <errno.h>
#include <stddef.h>

static const struct {
  int error;
  const char *text;
} errors[] = {
    {EACCES, "Permission denied"},
    {EBADF, "Bad file descriptor"},
    {EBUSY, "Device or resource busy"},
    {EDQUOT, "Disk quota exceeded"},
    {EEXIST, "File exists"},
    {EFBIG, "File too large"},
    {EINVAL, "Invalid argument"},
    {EIO, "Input/output error"},
    {EISDIR, "Is a directory"},
    {ELOOP, "Too many levels of symbolic links"},
    {EMFILE, "Too many open files"},
    {ENAMETOOLONG, "File name too long"},
    {ENFILE, "Too many open files in system"},
    {ENOENT, "No such file or directory"},
    {ENOMEM, "Cannot allocate memory"},
    {ENOSYS, "Function not implemented"},
    {ENOSPC, "No space left on device"},
    {ENOTDIR, "Not a directory"},
    {ENXIO, "No such device or address"},
    {EPERM, "Operation not permitted"},
    {EROFS, "Read-only file system"},
    {ESRCH, "No such process"}, /* below the /proc of one that ended */
    {ESTALE, "Stale file handle"},
};

const char *hp_sys_known_error(int error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == -error)
      return errors[i].text;
  return NULL;
}

const char *hp_sys_error_text(int error) {
  const char *text = hp_sys_known_error(error);
  return text ? text : "unknown error";
}
