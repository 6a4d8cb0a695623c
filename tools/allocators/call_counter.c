/* call_counter.c - hp_trial_count of trial.h: a filter that stops at the few calls that count, and nowhere else.
   Each stop is told by the kernel to this process, which reads the call's number and lets it go on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "run_stop.h"
#include "trial.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the filter gives with a stop: which of these it was. */
enum { CALL_BRK = 1, CALL_MMAP, CALL_MUNMAP, CALL_MREMAP, CALL_MADVISE };

/* ---- in the child ---------------------------------------------------------- */

static int set_filter(void) {
#define STOP_AT(number, code)                                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                           \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | (code))
  static struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      STOP_AT(SYS_brk, CALL_BRK),
      STOP_AT(SYS_mmap, CALL_MMAP),
      STOP_AT(SYS_munmap, CALL_MUNMAP),
      STOP_AT(SYS_mremap, CALL_MREMAP),
      STOP_AT(SYS_madvise, CALL_MADVISE),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
#undef STOP_AT
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return errno;
  return 0;
}

/* GO is closed when the parent watches. */
_Noreturn static void be_child(const struct hp_trial_plan *plan, int go,
                               int told) {
  char byte;
  while (read(go, &byte, 1) < 0 && errno == EINTR) {
  }
  int error = set_filter();
  if (!error)
    error = hp_trial_become(plan);
  _exit(write(told, &error, sizeof error) < 0 ? 126 : 127);
}

/* ---- which threads are the program's ---------------------------------------- */

struct thread {
  pid_t tid;
  bool ours, seen;
};
struct threads {
  struct thread *list;
  size_t count, room;
};

static pid_t process_of(pid_t tid) {
  char path[64], line[256];
  pid_t process = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "Tgid:", 5) == 0)
      process = (pid_t)strtol(line + 5, NULL, 10);
  if (file)
    fclose(file);
  return process;
}

static struct thread *find_thread(struct threads *threads, pid_t tid) {
  for (size_t i = 0; i < threads->count; i++)
    if (threads->list[i].tid == tid)
      return &threads->list[i];
  return NULL;
}

static struct thread *know_thread(struct threads *threads, pid_t tid,
                                  pid_t process) {
  struct thread *thread = find_thread(threads, tid);
  if (thread)
    return thread;
  if (threads->count == threads->room) {
    size_t room = threads->room ? 2 * threads->room : 64;
    struct thread *list = realloc(threads->list, room * sizeof *list);
    if (!list)
      return NULL;
    threads->list = list;
    threads->room = room;
  }
  thread = &threads->list[threads->count++];
  *thread = (struct thread){.tid = tid, .ours = process_of(tid) == process};
  return thread;
}

static void forget_thread(struct threads *threads, pid_t tid) {
  struct thread *thread = find_thread(threads, tid);
  if (thread)
    *thread = threads->list[--threads->count];
}

/* ---- stops ------------------------------------------------------------------- */

static void count(struct hp_memory_calls *calls, unsigned long call) {
  uint64_t *const counts[] = {[CALL_BRK] = &calls->brk,
                              [CALL_MMAP] = &calls->mmap,
                              [CALL_MUNMAP] = &calls->munmap,
                              [CALL_MREMAP] = &calls->mremap,
                              [CALL_MADVISE] = &calls->madvise};
  if (call >= CALL_BRK && call <= CALL_MADVISE)
    ++*counts[call];
}

static void go_on(const struct thread *thread, pid_t tid, int status,
                  struct hp_memory_calls *calls) {
  int event = status >> 16, number = WSTOPSIG(status);
  unsigned long call = 0;
  if (event == PTRACE_EVENT_SECCOMP) {
    if (thread && thread->ours &&
        ptrace(PTRACE_GETEVENTMSG, tid, NULL, &call) == 0)
      count(calls, call);
    ptrace(PTRACE_CONT, tid, NULL, NULL);
  } else if (event == PTRACE_EVENT_STOP && number != SIGTRAP) {
    ptrace(PTRACE_LISTEN, tid, NULL, NULL); /* the group is stopped */
  } else {
    ptrace(PTRACE_CONT, tid, NULL, event ? 0L : (long)number);
  }
}

/* Until the program's process ends; what it left behind ends with it. */
static int watch(pid_t pid, int *result, struct hp_memory_calls *calls) {
  struct threads threads = {0};
  int status, error = 0;
  for (;;) {
    pid_t tid = waitpid(-1, &status, __WALL);
    if (tid < 0 && errno == EINTR)
      continue;
    if (tid < 0) {
      error = errno;
      break;
    }
    if (WIFSTOPPED(status)) {
      struct thread *thread = know_thread(&threads, tid, pid);
      go_on(thread, tid, status, calls);
    } else if (tid == pid) {
      *result = status;
      break;
    } else {
      forget_thread(&threads, tid);
    }
  }
  for (size_t i = 0; i < threads.count; i++)
    if (!threads.list[i].ours)
      kill(threads.list[i].tid, SIGKILL);
  free(threads.list);
  return error;
}

static int seize(pid_t pid) {
  const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE |
                       PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                       PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  return ptrace(PTRACE_SEIZE, pid, NULL, options) == 0 ? 0 : errno;
}

int hp_trial_count(const struct hp_trial_plan *plan, struct hp_trial *trial,
                   struct hp_memory_calls *calls) {
  int go[2], told[2], error = 0, failed = 0;
  *calls = (struct hp_memory_calls){0};
  if (pipe2(go, O_CLOEXEC) != 0)
    return errno;
  if (pipe2(told, O_CLOEXEC) != 0)
    return errno;
  fflush(NULL);
  pid_t pid = hp_run_stop_fork();
  if (pid == 0) {
    close(go[1]);
    be_child(plan, go[0], told[1]);
  }
  close(go[0]);
  close(told[1]);
  error = pid < 0 ? EAGAIN : seize(pid);
  if (pid > 0 && error)
    kill(pid, SIGKILL);
  close(go[1]);
  if (pid > 0 && error)
    waitpid(pid, &trial->status, 0);
  else if (pid > 0)
    error = watch(pid, &trial->status, calls);
  hp_run_stop_ended();
  if (!error && read(told[0], &failed, sizeof failed) == sizeof failed)
    error = failed;
  close(told[0]);
  return error;
}
