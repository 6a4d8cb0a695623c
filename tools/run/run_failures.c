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

void hp_run_failures_end(struct hp_run_failures *failures) {
  *failures = (struct hp_run_failures){.count = 0};
  FILE *file = *path ? fopen(path, "r") : NULL;
  size_t length = 0;
  int c;
  while (file && (c = getc(file)) != EOF)
    if (c == '\n') {
      *(before == '\n' ? &failures->deaths : &failures->count) += 1;
    } else if (!failures->count && length < sizeof failures->first - 1) {
      failures->first[length++] = (char)(c < ' ' || c == 0x7f ? '?' : c);
      failures->first[length] = '\0';
    }
  if (file)
    fclose(file);
  if (*path)
    unlink(path);
  path[0] = '\0';
  end_keeper();
}
