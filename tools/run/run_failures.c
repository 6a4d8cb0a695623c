/* run_failures.c - see run_failures.h: a pipe and a file in a directory of their own below /tmp, else $TMPDIR.
   Whoever knows the pipe can write to it, so that what it says is only shown; also where all files are read-only.
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
enum { PIPE_ROOM = 1 << 20 }; /* bytes; as much as everybody may have */

static char directory[PATH_MAX], path[PATH_MAX], memory_path[PATH_MAX];
static struct hp_failure_memory *memory;
static int pipe_end = -1;
static int memory_file = -1; /* open where it can be told who maps it */

static bool make_in(const char *parent) {
  return parent && *parent == '/' &&
         (size_t)snprintf(directory, sizeof directory - sizeof FILE_FOR_ALL,
                          "%s/heapprof-run.XXXXXX",
                          parent) < sizeof directory - sizeof FILE_FOR_ALL &&
         mkdtemp(directory);
}

static void set_name(char *name, size_t size, const char *file) {
  snprintf(name, size, "%.*s%s", (int)(size - strlen(file) - 1), directory,
           file);
}

/* Every user may write to it; it is read when all are done. */
static void make_pipe(void) {
  set_name(path, sizeof path, FILE_FOR_ALL);
  if (mkfifo(path, 0600) != 0)
    return;
  pipe_end = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (pipe_end < 0)
    return;
  fcntl(pipe_end, F_SETPIPE_SZ, PIPE_ROOM);
  chmod(path, 0622);
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
  set_name(memory_path, sizeof memory_path, FILE_MAPPED);
  const int fd = open(memory_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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
  make_pipe();
  share();
  return (struct hp_run_listening){pipe_end >= 0 ? path : NULL,
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

/* Of a line that is not there yet its bytes are 0: it is lost.  The copy is not on the stack, which a limit may keep
   smaller than what the program needs. */
static void take_shared(struct hp_run_failures *failures) {
  uint64_t used =
      __atomic_exchange_n(&memory->used, HP_FAILURES_READ, __ATOMIC_ACQ_REL);
  static char text[sizeof memory->text];
  char *end;
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

/* Not more than there can be now, whoever writes on. */
static void take_piped(struct hp_run_failures *failures) {
  FILE *lines = pipe_end >= 0 ? fdopen(pipe_end, "r") : NULL;
  char *line = NULL;
  size_t size = 0, left = PIPE_ROOM;
  ssize_t length;
  while (lines && left && (length = getline(&line, &size, lines)) > 0) {
    left -= (size_t)length < left ? (size_t)length : left;
    if (line[length - 1] == '\n') {
      line[length - 1] = '\0';
      take_line(failures, line);
    }
  }
  free(line);
  if (lines)
    fclose(lines);
  pipe_end = -1;
}

void hp_run_failures_end(struct hp_run_failures *failures) {
  *failures = (struct hp_run_failures){.count = 0};
  wait_for_others();
  if (memory_file >= 0)
    close(memory_file); /* of few that may be open */
  memory_file = -1;
  if (memory)
    take_shared(failures);
  take_piped(failures);
  if (*directory) {
    unlink(path);
    unlink(memory_path);
    rmdir(directory);
  }
  path[0] = directory[0] = '\0';
}
