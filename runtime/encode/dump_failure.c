/* dump_failure.c - the errors a dump meets, and their remedies.
   Of most it is another directory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/dump_failure.h"

#include <errno.h>
#include <signal.h>

#include "encode/encode.h"
#include "failure_memory.h"
#include "options/options.h"
#include "system/error_text.h"
#include "system/files.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/message.h"
#include "system/platform.h"
#include "system/real_libc.h"
#include "system/signal_mask.h"

/* Formats: what the user types to have another dump_dir is an argument. */
#define ELSEWHERE "set %sDIR to a writable directory"
#define MORE_SPACE "free space, or set %sDIR"
#define SHORTER "set %sDIR to a shorter path"
#define MORE_FILES                                                             \
  "raise the limit of open files (ulimit -n), unless the program lowers it "   \
  "itself"
#define LARGER_FILES                                                           \
  "raise the limit of file sizes (ulimit -f), unless the program lowers it "   \
  "itself"
#define MORE_MEMORY "raise the memory limit of the program (ulimit -v)"
/* No limit is set: a filter refuses it, or the system has none. */
#define MEMORY_REFUSED                                                         \
  "free memory, or run it without the filter of system calls (seccomp) that "  \
  "refuses it"
/* A directory that may not be changed, or a filter. */
#define ELSEWHERE_OR_UNFILTERED                                                \
  ELSEWHERE ", or run it without the filter (seccomp) that refuses it"
#define UNFILTERED                                                             \
  "run it without the filter of system calls (seccomp) that refuses it"
#define REMEDY_MOST 128

static const struct {
  int error;
  const char *text;
} remedies[] = {
    {EDQUOT, MORE_SPACE},
    {EFBIG, LARGER_FILES},
    {EMFILE, MORE_FILES},
    {ENAMETOOLONG, SHORTER},
    {ENFILE, MORE_FILES},
    {ENOMEM, MORE_MEMORY},
    {ENOSYS, UNFILTERED},
    {ENOSPC, MORE_SPACE},
    {EPERM, ELSEWHERE_OR_UNFILTERED},
};

static const char *remedy_of(int error) {
  if (error == -ENOMEM && !hp_memory_is_limited() &&
      hp_limit_least() == HP_NO_LIMIT)
    return MEMORY_REFUSED;
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
    if (remedies[i].error == -error)
      return remedies[i].text;
  return ELSEWHERE;
}

#define LINE_MOST (4096 + 256) /* a path, and what is said of it */

/* heapprof run's; a forked child has it, too. */
static struct hp_failure_memory *shared;

void hp_dump_failures_start(void) {
  size_t size = sizeof *shared;
  if (hp_options.failure_memory[0])
    shared = hp_sys_map_file(hp_options.failure_memory, true, &size);
}

static bool nobody_reads(void) {
  return shared &&
         __atomic_load_n(&shared->used, __ATOMIC_RELAXED) >= HP_FAILURES_READ;
}

static bool share_line(const char *line, size_t size) {
  if (!shared || nobody_reads())
    return false;
  const uint64_t at = __atomic_fetch_add(&shared->used, size, __ATOMIC_RELAXED);
  if (at > sizeof shared->text || size > sizeof shared->text - at)
    return false;
  hp_real_memcpy(shared->text + at, line, size);
  return true;
}

/* By one write, so that lines of processes do not mix; into a pipe, which may lose its
   reader meanwhile, or be full. */
static bool append_line(const char *line) {
  uint64_t signals;
  hp_sys_block_signals(&signals);
  const uint64_t before = hp_sys_pending_signals();
  const int fd = hp_sys_append_at_once(hp_options.failure_file);
  const int error =
      fd < 0 ? fd : hp_sys_write_all(fd, line, hp_text_size(line));
  if (fd >= 0)
    hp_sys_close(fd);
  if (error == -EPIPE)
    hp_sys_forget_signal(SIGPIPE, before);
  hp_sys_restore_signals(&signals);
  return error == 0;
}

/* Tells heapprof run, if it listens. */
static bool add_line(const char *line) {
  return share_line(line, hp_text_size(line)) ||
         (hp_options.failure_file[0] && append_line(line));
}

/* In a function of its own, since stacks may be small. */
static HP_NOINLINE bool add_failure(const char *path, const char *reason,
                                    const char *remedy) {
  char line[LINE_MOST];
  hp_sys_format(line, sizeof line, "%s: %s; %s\n", path, reason, remedy);
  return add_line(line);
}

void hp_dump_say_failure(const char *path, int error) {
  const char *known = hp_sys_known_error(error);
  char number[24], remedy[REMEDY_MOST];
  hp_sys_format(number, sizeof number, "error %d", -error);
  hp_sys_format(remedy, sizeof remedy, remedy_of(error),
                hp_options.dump_dir_setting);
  const char *reason = known ? known : number;
  if (!add_failure(path, reason, remedy))
    hp_sys_warn("cannot write the dump: %s: %s; %s", path, reason, remedy);
}

void hp_dump_say_death(void) { add_line("\n"); }

bool hp_dump_say_unseen(const char *program) {
  char line[300]; /* longer than a file's name */
  hp_sys_format(line, sizeof line, "\t%s\n",
                program ? hp_text_base_name(program) : "a program");
  return add_line(line) || nobody_reads(); /* it outlives the run */
}
