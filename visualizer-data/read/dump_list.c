/* dump_list.c - which dump directories a path given by the user means.
   A dump that cannot be read is never passed over here; reading it reports it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/dump_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "format/heapprof_format.h"

/* A block, or the names that were kept, which may be all that is left of a program
   built anew. */
static bool is_of_dump(int fd) {
  static const char names[] = "heapprof-symbols ";
  char start[sizeof names - 1];
  uint32_t magic;
  const ssize_t length = read(fd, start, sizeof start);
  if (length < (ssize_t)sizeof magic)
    return false;
  memcpy(&magic, start, sizeof magic);
  return magic == HP_BLOCK_MAGIC ||
         (length == sizeof start && memcmp(start, names, sizeof start) == 0);
}

/* Neither a FIFO nor a terminal is waited for. */
bool hp_is_file_of_dump(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  const bool is = fd >= 0 && fstat(fd, &status) == 0 &&
                  S_ISREG(status.st_mode) && is_of_dump(fd);
  if (fd >= 0)
    close(fd);
  return is;
}

static int is_dump_name(const struct dirent *entry) {
  return strncmp(entry->d_name, "heapprof.", 9) == 0;
}

/* The last name of a path, which may end in slashes. */
static bool is_path_of_dump(const char *path) {
  size_t end = strlen(path);
  while (end > 0 && path[end - 1] == '/')
    end--;
  size_t start = end;
  while (start > 0 && path[start - 1] != '/')
    start--;
  return strncmp(path + start, "heapprof.", 9) == 0;
}

/* A process killed between making its directory and writing into it leaves it
   empty, and so does one that may make directories but not write files; there is
   nothing to read and, beside other dumps, nothing to warn of. */
static bool is_empty(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  DIR *dir = fd < 0 ? NULL : fdopendir(fd);
  if (!dir) {
    if (fd >= 0)
      close(fd);
    return false;
  }
  bool empty = true;
  for (struct dirent *e; empty && (e = readdir(dir));)
    empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
  closedir(dir);
  return empty;
}

static hp_status list_directory(struct hp_store *store, int dir,
                                const char *path, const char ***dumps,
                                size_t *count, struct hp_error *error) {
  struct dirent **entries;
  int n = scandirat(dir, ".", &entries, is_dump_name, versionsort);
  if (n < 0)
    return hp_fail(error, HP_E_OPEN, "%s: cannot list: %s", path,
                   strerror(errno));
  hp_status status = HP_OK;
  bool some_empty = is_path_of_dump(path) && is_empty(dir, ".");
  *count = 0;
  *dumps = hp_store_take(store, (size_t)n, sizeof **dumps);
  if (!*dumps)
    status = hp_fail_memory(error);
  for (int i = 0; i < n; i++) {
    const char *name = entries[i]->d_name;
    struct stat entry;
    if (status == HP_OK &&
        fstatat(dir, name, &entry, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(entry.st_mode)) {
      size_t size = strlen(path) + strlen(name) + 2;
      char *joined = NULL;
      if (is_empty(dir, name)) {
        some_empty = true;
      } else if ((joined = hp_store_take(store, size, 1))) {
        snprintf(joined, size, "%s/%s", path, name);
        (*dumps)[(*count)++] = joined;
      } else {
        status = hp_fail_memory(error);
      }
    }
    free(entries[i]);
  }
  free(entries);
  if (status == HP_OK && *count == 0 && some_empty)
    status =
        hp_fail(error, HP_E_NOT_DUMP,
                "%s: the dump is empty: its process was killed as it began, "
                "or could not write, and said why on stderr",
                path);
  else if (status == HP_OK && *count == 0)
    status = hp_fail(error, HP_E_NOT_DUMP,
                     "%s: neither a heapprof dump nor a directory with "
                     "\"heapprof.*\" dumps; run the program first",
                     path);
  return status;
}

hp_status hp_dump_list(struct hp_store *store, const char *path,
                       const char ***dumps, size_t *count,
                       struct hp_error *error) {
  int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return hp_fail(error, errno == ENOTDIR ? HP_E_NOT_DUMP : HP_E_OPEN,
                   "%s: %s", path,
                   errno == ENOTDIR ? "is a file; give the dump's directory"
                                    : strerror(errno));
  hp_status status = HP_OK;
  struct stat header;
  if (fstatat(dir, "header", &header, AT_SYMLINK_NOFOLLOW) == 0) {
    *count = 1;
    *dumps = hp_store_take(store, 1, sizeof **dumps);
    if (*dumps)
      (*dumps)[0] = hp_store_text(store, path, strlen(path));
    if (!*dumps || !(*dumps)[0])
      status = hp_fail_memory(error);
  } else {
    status = list_directory(store, dir, path, dumps, count, error);
  }
  close(dir);
  return status;
}
