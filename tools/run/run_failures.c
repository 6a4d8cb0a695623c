/* run_failures.c - see run_failures.h: two files in a directory of their own below /tmp, else $TMPDIR.
   Whoever knows the one for all can write to it, so that what it says is only shown.
   Nobody else can cut the one shorter that is mapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_failures.h"

#include "failure_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_FOR_ALL "/failures"
#define FILE_MAPPED "/memory"

enum { WAIT_MS = 500, STEP_MS = 5 };

static char directory[PATH_MAX], path[PATH_MAX], memory_path[PATH_MAX];
static struct hp_failure_memory *memory;
static int memory_file = -1; /* open where it can be told who maps it */

static bool make_in(const char *parent) {
  return parent && *parent == '/' &&
         (size_t)snprintf(directory, sizeof directory - sizeof FILE_FOR_ALL,
                          "%s/heapprof-run.XXXXXX",
                          parent) < sizeof directory - sizeof FILE_FOR_ALL &&
         mkdtemp(directory);
}

/* Opened with all rights but MODE. */
static int make_file(char *name, size_t size, const char *file, mode_t mode) {
  snprintf(name, size, "%.*s%s", (int)(size - strlen(file) - 1), directory,
           file);
  const int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0 && mode != 0600)
    fchmod(fd, mode);
  return fd;
}

/* A limit on the size of files may be smaller, which is no reason to end. */
static bool make_room(int fd, off_t size) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGXFSZ, &ignore, &before);
  const bool done = posix_fallocate(fd, 0, size) == 0;
  sigaction(SIGXFSZ, &before, NULL);
  return done;
}

/* Nobody but this process has it: the system gives a lease then, which is taken
   back at once.  False also where it gives none. */
static bool is_ours_alone(int fd) {
  return fcntl(fd, F_SETLEASE, F_WRLCK) == 0 &&
         fcntl(fd, F_SETLEASE, F_UNLCK) == 0;
}

/* With its room on the disk, without which to write would end a process. */
static void share(void) {
  const int fd = make_file(memory_path, sizeof memory_path, FILE_MAPPED, 0600);
  void *p = MAP_FAILED;
  if (fd >= 0 && make_room(fd, sizeof *memory))
    p = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  memory = p == MAP_FAILED ? NULL : p;
  if (memory && is_ours_alone(fd))
    memory_file = fd;
  else if (fd >= 0)
    close(fd);
}

struct hp_run_listening hp_run_failures_begin(void) {
  if (!make_in("/tmp") && /* other users may not pass $TMPDIR */
      !make_in(getenv("TMPDIR"))) {
    directory[0] = '\0';
    return (struct hp_run_listening){NULL, NULL};
  }
  chmod(directory,
        0711); /* without it those of other users speak for themselves */
  const int fd = make_file(path, sizeof path, FILE_FOR_ALL, 0622);
  if (fd >= 0)
    close(fd);
  share();
  return (struct hp_run_listening){fd >= 0 ? path : NULL,
                                   memory ? memory_path : NULL};
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

/* What the program started may be at its end, too, and write its dumps. */
static void wait_for_others(void) {
  const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
  signal(SIGIO, SIG_IGN); /* of a lease that somebody breaks meanwhile */
  for (int i = 0; memory_file >= 0 && i < WAIT_MS / STEP_MS; i++) {
    if (is_ours_alone(memory_file))
      return;
    nanosleep(&step, NULL);
  }
}

/* Of a line that is not there yet its bytes are 0: it is lost. */
static void take_shared(struct hp_run_failures *failures) {
  uint64_t used =
      __atomic_exchange_n(&memory->used, HP_FAILURES_READ, __ATOMIC_ACQ_REL);
  char text[sizeof memory->text], *end;
  size_t left = used < sizeof text ? used : sizeof text;
  memcpy(text, memory->text, left);
  for (char *line = text; (end = memchr(line, '\n', left)); line = end + 1) {
    left -= (size_t)(end + 1 - line);
    *end = '\0';
    while (!*line && line < end)
      line++;
    take_line(failures, line);
  }
}

void hp_run_failures_end(struct hp_run_failures *failures) {
  *failures = (struct hp_run_failures){.count = 0};
  wait_for_others();
  if (memory)
    take_shared(failures);
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
  if (*directory) {
    unlink(path);
    unlink(memory_path);
    rmdir(directory);
  }
  path[0] = directory[0] = '\0';
}
