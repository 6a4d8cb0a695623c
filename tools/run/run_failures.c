/* run_failures.c - see run_failures.h: a file in /tmp, else $TMPDIR, with a name of its
   own.  Whoever knows it can write to it, so that what it says is only shown.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[PATH_MAX];

static int make_in(const char *directory) {
  if (!directory || *directory != '/' ||
      (size_t)snprintf(path, sizeof path, "%s/heapprof-run.XXXXXX",
                       directory) >= sizeof path)
    return -1;
  return mkstemp(path);
}

const char *hp_run_failures_begin(void) {
  int fd = make_in("/tmp"); /* other users may not pass $TMPDIR */
  if (fd < 0 && (fd = make_in(getenv("TMPDIR"))) < 0) {
    path[0] = '\0';
    return NULL;
  }
  fchmod(fd, 0622); /* without it those of other users speak for themselves */
  close(fd);
  return path;
}

/* As it can be shown. */
static void keep_text(char *to, size_t size, const char *text) {
  snprintf(to, size, "%s", text);
  for (; *to; to++)
    if ((*to > 0 && *to < ' ') || *to == 0x7f)
      *to = '?';
}

static void take_line(struct hp_run_failures *failures, const char *line) {
  if (!*line)
    failures->deaths++;
  else if (*line == '\t' && !failures->unseen++)
    keep_text(failures->first_unseen, sizeof failures->first_unseen, line + 1);
  else if (*line != '\t' && !failures->count++)
    keep_text(failures->first, sizeof failures->first, line);
}

void hp_run_failures_end(struct hp_run_failures *failures) {
  *failures = (struct hp_run_failures){.count = 0};
  FILE *file = *path ? fopen(path, "r") : NULL;
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  while (file && (length = getline(&line, &size, file)) > 0)
    if (line[length - 1] == '\n') {
      line[length - 1] = '\0';
      take_line(failures, line);
    }
  free(line);
  if (file)
    fclose(file);
  if (*path)
    unlink(path);
  path[0] = '\0';
}
