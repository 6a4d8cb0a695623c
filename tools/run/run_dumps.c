/* run_dumps.c - see run_dumps.h: two listings of a directory compared.
   And the headers of what is new: others may write there, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_dumps.h"

#include "dump_origin.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void hp_run_list(const char *directory, struct hp_run_dumps *dumps) {
  static const char prefix[] = "heapprof.";
  struct dirent *entry;
  size_t room = 0;
  *dumps = (struct hp_run_dumps){0};
  DIR *list = opendir(directory);
  while (list && (entry = readdir(list)) != NULL) {
    if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
      continue;
    if (dumps->count == room) {
      room = room ? 2 * room : 64;
      char **more = realloc(dumps->names, room * sizeof *more);
      if (!more)
        break;
      dumps->names = more;
    }
    char *name = strdup(entry->d_name);
    if (!name)
      break;
    dumps->names[dumps->count++] = name;
  }
  if (list)
    closedir(list);
  if (dumps->count)
    qsort(dumps->names, dumps->count, sizeof *dumps->names, compare);
}

static bool has(const char *directory, const char *name, const char *file) {
  char path[PATH_MAX];
  return snprintf(path, sizeof path, "%s/%s/%s", directory, name, file) >=
             (int)sizeof path ||
         access(path, F_OK) == 0 || errno != ENOENT;
}

/* Where nothing could be written there is a directory, and that is all. */
static bool is_begun(const char *directory, const char *name) {
  return has(directory, name, "header");
}

bool hp_run_is_whole(const char *directory, const char *name) {
  return has(directory, name, "end");
}

bool hp_run_has_executed(const char *directory, const char *name) {
  char path[PATH_MAX];
  return snprintf(path, sizeof path, "%s/%s", directory, name) <
             (int)sizeof path &&
         hp_dump_executed(path);
}

void hp_run_subtract(struct hp_run_dumps *now,
                     const struct hp_run_dumps *before, const char *directory) {
  size_t left = 0;
  for (size_t i = 0; i < now->count; i++)
    if ((!before->count ||
         !bsearch(&now->names[i], before->names, before->count,
                  sizeof *before->names, compare)) &&
        is_begun(directory, now->names[i]))
      now->names[left++] = now->names[i];
  now->count = left;
}

/* ---- whose they are ------------------------------------------------------ */

struct left {
  struct hp_dump_origin origin;
  bool is_read, is_own;
};

static void look(struct left *left, const char *directory, const char *name) {
  char path[PATH_MAX];
  left->is_read = snprintf(path, sizeof path, "%s/%s", directory, name) <
                      (int)sizeof path &&
                  hp_dump_origin_read(&left->origin, path);
}

/* What was started with HEAPPROF_OPTIONS of its own is known by who started it. */
static bool is_started_by_own(const struct left *of, const struct left *all,
                              size_t count, pid_t pid) {
  if (*of->origin.run)
    return false;
  if (of->origin.pid == (uint64_t)pid || of->origin.parent == (uint64_t)pid)
    return true;
  for (size_t i = 0; i < count; i++)
    if (all[i].is_own && all[i].is_read &&
        (all[i].origin.pid == of->origin.parent ||
         all[i].origin.pid == of->origin.pid))
      return true;
  return false;
}

void hp_run_keep_own(struct hp_run_dumps *now, const char *directory,
                     const char *run, pid_t pid) {
  struct left *all = calloc(now->count + 1, sizeof *all);
  size_t left = 0;
  if (!all)
    return;
  for (size_t i = 0; i < now->count; i++) {
    look(&all[i], directory, now->names[i]);
    all[i].is_own = !all[i].is_read || strcmp(all[i].origin.run, run) == 0;
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < now->count; i++)
      if (!all[i].is_own && is_started_by_own(&all[i], all, now->count, pid))
        all[i].is_own = more = true;
  }
  for (size_t i = 0; i < now->count; i++) {
    if (all[i].is_own)
      now->names[left++] = now->names[i];
    free(all[i].origin.run);
  }
  now->count = left;
  free(all);
}

/* ---- the program's ------------------------------------------------------- */

/* heapprof.NAME.PID or heapprof.NAME.PID-N, of which NAME may hold anything. */
static bool is_of(const char *name, pid_t pid) {
  char wanted[24];
  const char *last = strrchr(name, '.');
  int length = snprintf(wanted, sizeof wanted, ".%d", (int)pid);
  return last && strncmp(last, wanted, (size_t)length) == 0 &&
         (!last[length] || last[length] == '-');
}

const char *hp_run_dump_of(const struct hp_run_dumps *dumps,
                           const char *directory, pid_t pid) {
  const char *found = NULL;
  struct timespec latest = {0};
  for (size_t i = 0; i < dumps->count; i++) {
    char path[PATH_MAX];
    struct stat status;
    if (!is_of(dumps->names[i], pid) ||
        snprintf(path, sizeof path, "%s/%s", directory, dumps->names[i]) >=
            (int)sizeof path ||
        stat(path, &status) != 0)
      continue;
    struct timespec time = status.st_mtim;
    if (found &&
        (time.tv_sec < latest.tv_sec ||
         (time.tv_sec == latest.tv_sec && time.tv_nsec < latest.tv_nsec)))
      continue;
    found = dumps->names[i];
    latest = time;
  }
  return found;
}
