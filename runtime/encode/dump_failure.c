/* dump_failure.c - texts of the errors a dump meets, and their remedies.
   A table of its own: libc's strerror may allocate and follows the locale.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/dump_failure.h"

#include <errno.h>

#include "system/message.h"
#include "system/platform.h"

#define ELSEWHERE "set HEAPPROF_OPTIONS=dump_dir=DIR to a writable directory"
#define MORE_SPACE "free space, or set HEAPPROF_OPTIONS=dump_dir=DIR"
#define SHORTER "set HEAPPROF_OPTIONS=dump_dir=DIR to a shorter path"
#define MORE_FILES "raise the limit of open files (ulimit -n)"
#define MORE_MEMORY "raise the memory limit of the program (ulimit -v)"

static const struct failure {
  int error;
  const char *text, *remedy;
} failures[] = {
    {EACCES, "Permission denied", ELSEWHERE},
    {EDQUOT, "Disk quota exceeded", MORE_SPACE},
    {EEXIST, "File exists", ELSEWHERE},
    {EFBIG, "File too large", MORE_SPACE},
    {EIO, "Input/output error", ELSEWHERE},
    {ELOOP, "Too many levels of symbolic links", ELSEWHERE},
    {EMFILE, "Too many open files", MORE_FILES},
    {ENAMETOOLONG, "File name too long", SHORTER},
    {ENFILE, "Too many open files in system", MORE_FILES},
    {ENOENT, "No such file or directory", ELSEWHERE},
    {ENOMEM, "Cannot allocate memory", MORE_MEMORY},
    {ENOSPC, "No space left on device", MORE_SPACE},
    {ENOTDIR, "Not a directory", ELSEWHERE},
    {EPERM, "Operation not permitted", ELSEWHERE},
    {EROFS, "Read-only file system", ELSEWHERE},
};

static const struct failure *find(int error) {
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
    if (failures[i].error == -error)
      return &failures[i];
  return NULL;
}

const char *hp_dump_failure_text(int error) {
  const struct failure *failure = find(error);
  return failure ? failure->text : "unknown error";
}

void hp_dump_say_failure(const char *path, int error) {
  const struct failure *failure = find(error);
  if (failure)
    hp_sys_warn("cannot write the dump: %s: %s; %s", path, failure->text,
                failure->remedy);
  else
    hp_sys_warn("cannot write the dump: %s: error %d; " ELSEWHERE, path,
                -error);
}
