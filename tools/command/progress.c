/* progress.c - a line on the terminal that says how far a long command is.
   HEAPPROF_PROGRESS=never has none; always has one for each step, anywhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

#define FIRST_MS 1000 /* what is faster needs no word */
#define EACH_MS 100

static bool is_shown; /* a line is on the terminal */

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A line for each step, for files and for who must not wait a second. */
static void put_step(const char *what) {
  static const char *last;
  if (last && strcmp(last, what) == 0)
    return;
  last = what;
  fprintf(stderr, "%s: %s\n", hp_command_name, what);
}

void hp_command_progress(const char *what, uint64_t done, uint64_t total) {
  static int64_t next;
  const char *when = getenv("HEAPPROF_PROGRESS");
  if (when && strcmp(when, "always") == 0) {
    put_step(what);
    return;
  }
  if ((when && strcmp(when, "never") == 0) || !isatty(STDERR_FILENO))
    return;
  int64_t now = now_ms();
  if (next == 0)
    next = now + FIRST_MS;
  if (now < next)
    return;
  next = now + EACH_MS;
  is_shown = true;
  fprintf(stderr, "\r%s: %s", hp_command_name, what);
  if (total)
    fprintf(stderr, " %d %%", (int)(100 * (double)done / (double)total));
  fputs("\033[K", stderr);
  fflush(stderr);
}

void hp_command_end_progress(void) {
  if (is_shown)
    fputs("\r\033[K", stderr);
  is_shown = false;
}
