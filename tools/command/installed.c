/* installed.c - see installed.h.
   The kernel gives the path of what runs, without links.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "installed.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

bool hp_command_beside(char *path, size_t size, int up, const char *rest) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return false;
  path[length] = '\0';
  for (; up > 0; up--) {
    char *slash = strrchr(path, '/');
    if (!slash)
      return false;
    *slash = '\0';
  }
  const size_t used = strlen(path);
  const int more = snprintf(path + used, size - used, "/%s", rest);
  return more > 0 && (size_t)more < size - used;
}
