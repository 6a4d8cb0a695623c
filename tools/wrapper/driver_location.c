/* driver_location.c - finds the parts by the place of the running program, so
   that a build tree, an installation and a moved installation work alike.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_location.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver_arguments.h"

int hp_location_find(struct hp_location *out) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  if (length <= 0)
    return -1;
  path[length] = '\0';
  out->self = hp_format("%s", path);
  for (int up = 0; up < 2; up++) { /* PREFIX/bin/heapprof-clang */
    char *slash = strrchr(path, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  out->plugin = hp_format("%s/lib/heapprof/heapprof-pass.so", path);
  out->ast_plugin = hp_format("%s/lib/heapprof/heapprof-ast.so", path);
  out->runtime = hp_format("%s/lib/heapprof/libheapprof_rt.a", path);
  out->dynamic_list = hp_format("%s.syms", out->runtime);
  out->standard_library =
      hp_format("%s/lib/heapprof/libheapprof_stdcxx.a", path);
  out->include = hp_format("%s/include", path);
  return 0;
}

/* A second installation is another file, so the name counts too: two wrappers
   that take each other for clang would exec one another for ever. */
static bool is_wrapper(const char *path, const char *self) {
  struct stat candidate, own;
  if (stat(path, &candidate) == 0 && stat(self, &own) == 0 &&
      candidate.st_dev == own.st_dev && candidate.st_ino == own.st_ino)
    return true;
  char real[PATH_MAX];
  if (realpath(path, real) == NULL)
    return false;
  return strncmp(strrchr(real, '/') + 1, "heapprof-clang", 14) == 0;
}

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         access(path, X_OK) == 0;
}

static const char *in_path(const char *name, const char *self) {
  const char *list = getenv("PATH");
  if (list == NULL)
    list = "/usr/local/bin:/usr/bin:/bin";
  while (*list != '\0') {
    int length = (int)strcspn(list, ":");
    const char *path = length == 0 ? hp_format("./%s", name)
                                   : hp_format("%.*s/%s", length, list, name);
    if (is_program(path) && !is_wrapper(path, self))
      return path;
    list += length;
    list += *list == ':';
  }
  return NULL;
}

const char *hp_location_clang(const struct hp_location *location,
                              const char **why) {
  const char *wanted = getenv("HEAPPROF_CLANG");
  if (wanted != NULL && *wanted != '\0') {
    if (strchr(wanted, '/') == NULL) {
      const char *found = in_path(wanted, location->self);
      if (found == NULL)
        *why = hp_format("HEAPPROF_CLANG: no program '%s' in PATH besides "
                         "heapprof-clang itself; give the path of the real "
                         "clang",
                         wanted);
      return found;
    }
    if (!is_program(wanted))
      *why = hp_format("HEAPPROF_CLANG: '%s' is not a program; give the path "
                       "of the real clang",
                       wanted);
    else if (is_wrapper(wanted, location->self))
      *why = hp_format("HEAPPROF_CLANG: '%s' is heapprof-clang itself; give "
                       "the path of the real clang",
                       wanted);
    else
      return wanted;
    return NULL;
  }
  if (is_program(HP_CLANG_PATH) && !is_wrapper(HP_CLANG_PATH, location->self))
    return HP_CLANG_PATH;
  const char *found = in_path(HP_CLANG_NAME, location->self);
  if (found == NULL)
    *why = hp_format("cannot find %s at %s or in PATH; install it, or set "
                     "HEAPPROF_CLANG to the path of the real clang",
                     HP_CLANG_NAME, HP_CLANG_PATH);
  return found;
}

/* The first line that CLANG -dumpversion prints, or "" if it fails. */
static const char *version(const char *clang) {
  char line[64] = "";
  int ends[2], status = -1;
  if (pipe(ends) != 0)
    return "";
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(clang, "clang", "-dumpversion", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got = 1;
  while (child > 0 && got > 0 && length < sizeof(line) - 1) {
    got = read(ends[0], line + length, sizeof(line) - 1 - length);
    length += got > 0 ? (size_t)got : 0;
  }
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
    return "";
  line[strcspn(line, "\n")] = '\0';
  return hp_format("%s", line);
}

const char *hp_location_version_error(const char *clang) {
  const char *wanted = getenv("HEAPPROF_CLANG");
  if (wanted == NULL || *wanted == '\0')
    return NULL;
  const char *found = version(clang);
  size_t digits = strlen(HP_CLANG_MAJOR);
  if (strncmp(found, HP_CLANG_MAJOR, digits) == 0 && found[digits] == '.')
    return NULL;
  return hp_format("HEAPPROF_CLANG: '%s' is version '%s', and the pass plugin "
                   "is for %s; give a clang of that version",
                   clang, found, HP_CLANG_NAME);
}
