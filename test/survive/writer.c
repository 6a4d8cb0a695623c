// writer.c - what waits for the disk is a thread of ours: the program goes on, and what it has open is its own.
// A lease on a file of the dump stands for a disk that hangs: to open it takes until the lease is given back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// All that is allocated in one place is of one point, whose file is the log.
// Threads allocate, and a child is forked and ends; chunks are dropped from the log, and nothing else.
// RUN: %survives opts=chunk_log=all:dump_compression=0:checkpoint_ms=0:malloc_context_size=1 ended=exit,exit allocations=1000000+ -- hangs
// RUN: %heapprof_score --json %dump > %t.json && %python -c 'import json, sys; d = json.load(open(sys.argv[1])); \
// RUN:   p = max(d["processes"], key=lambda p: p["allocations"]); lost = p["dropped"]["chunks"]; \
// RUN:   print(p["complete"], lost > 0, p["chunk_log"]["back_pressure"] > 0, \
// RUN:         p["chunk_log"]["kept"] + lost == p["allocations"], \
// RUN:         sum(p["chunks"] for p in d["points"]) == sum(p["allocations"] for p in d["processes"]), \
// RUN:         any("because the log was not written as fast as they ended" in w for w in d["warnings"]))' %t.json | \
// RUN:   grep -x "True True True True True True"
//
// A dump that an option asks for is written meanwhile, too.
// RUN: %survives opts=chunk_log=all:dump_signal=12:checkpoint_ms=0:malloc_context_size=1 unread -- asked
// RUN: %heapprof_score %dump | FileCheck --check-prefix=ASKED %s && ls %dump/heapprof.*.1/end
// ASKED: exit with status 3
//
// Where there can be no such thread, whoever finds something to write does it.
// RUN: %survives opts=chunk_log=all:checkpoint_ms=1 allocations=100000+ -- no_thread
//
// A checkpoint comes also when nothing is allocated any more; and a fault while a dump is written leaves the last one.
// RUN: %survives opts=checkpoint_ms=1 ended=killed allocations=100+ -- idle
// RUN: rm -rf %t.d && (DUMP_DIR=%t.d HEAPPROF_OPTIONS=dump_dir=%t.d:checkpoint_ms=1 %t fault; test $? = 159)
// RUN: %heapprof_score --json %t.d | grep '"ended": "killed", "complete": false'
//
// The directory of the dump may get another name.
// RUN: %survives opts=checkpoint_ms=1 unread -- renamed && %heapprof_score %dump/moved | grep "exit with status 3"
//
// Who waits for the end of a pipe gets it; numbers of descriptors are the program's, and so is the one thread that
// some system calls are for.
// RUN: %survives opts=checkpoint_ms=1:chunk_log=all allocations=10000+ -- pipe
// RUN: %survives opts=checkpoint_ms=1:chunk_log=all allocations=10000+ -- numbers
// RUN: %survives opts=checkpoint_ms=1:chunk_log=all allocations=10000+ -- namespace
// Several threads may make such calls at once, which the system refuses them then.
// RUN: %survives opts=checkpoint_ms=1 allocations=10000+ -- namespaces_at_once
// RUN: %survives opts=checkpoint_ms=1:chunk_log=all allocations=40000+ -- ends_with_its_thread
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile kept;

static void allocate(int count) {
  static unsigned random = 1;
  for (int i = 0; i < count; i++) {
    random = random * 1103515245 + 12345;
    kept = malloc(random >> 16 & 4095 | 1);
    kept[0] = 1;
    free(kept);
  }
}

static int is_profiled(void) { return getenv("HEAPPROF_OPTIONS") != NULL; }

static char directory[4096];

static const char *in_dump(const char *name) {
  static char path[4200];
  snprintf(directory, sizeof directory, "%s/heapprof.%s.%d", getenv("DUMP_DIR"),
           program_invocation_short_name, (int)getpid());
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

// Allocates until the file is there, or only waits.
static void await(const char *name, int count) {
  const char *path = in_dump(name);
  while (is_profiled() && access(path, F_OK)) {
    allocate(count);
    usleep(100);
  }
}

// Allocates until there is a file of the log: that of the one point with many chunks.
static const char *await_log(void) {
  static char path[4400];
  glob_t found;
  const int profiled = is_profiled();
  for (int any = 0; profiled && !any; globfree(&found)) {
    allocate(1000);
    usleep(100);
    any = glob(in_dump("chunks/[0-9]*"), 0, NULL, &found) == 0;
    if (any)
      snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
  }
  return path;
}

// Nobody can open the log to write until what this returns is closed.
static int hang(void) {
  if (!is_profiled())
    return -1;
  alarm(40); // the kernel takes the lease away after 45 s
  const char *log = await_log();
  signal(SIGIO, SIG_IGN);
  int fd = open(log, O_RDONLY);
  while (fcntl(fd, F_SETLEASE, F_RDLCK)) // while it is written
    usleep(100);
  return fd;
}

static int hangs(void) {
  int fd = hang();
  allocate(1000000);
  pid_t child = fork();
  if (child == 0) {
    allocate(10);
    exit(0);
  }
  waitpid(child, NULL, 0);
  if (fd >= 0)
    close(fd);
  return 3;
}

static void ignore(int number) { (void)number; }

static int asked(void) {
  signal(SIGUSR2, ignore);
  int fd = hang();
  raise(SIGUSR2);
  for (int i = 0; i < 100; i++) {
    allocate(1000);
    usleep(100); // in one of these the dump is due
  }
  if (fd >= 0)
    close(fd);
  if (is_profiled()) {
    char end[4200];
    in_dump("");
    snprintf(end, sizeof end, "%s.1/end", directory);
    while (access(end, F_OK))
      usleep(100);
  }
  return 3;
}

// The file of one checkpoint after the other: each takes the place of the one before.
static void await_checkpoints(int count) {
  struct stat before = {0}, now;
  while (is_profiled() && count) {
    if (stat(in_dump("aggregates"), &now) == 0 && now.st_ino != before.st_ino) {
      before = now;
      count--;
    }
    usleep(100);
  }
}

// Waits without an allocation, and dies. One checkpoint may be there and one begun before the chunks; the third has them.
static int idle(void) {
  allocate(100);
  await_checkpoints(3);
  return raise(SIGKILL);
}

// From now on this is what two system calls do, in every thread.
static int filter(unsigned call, unsigned other, unsigned action,
                  unsigned flags) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  long result; // past libc, so that the runtime does not see it come
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return 1;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_seccomp), "D"(SECCOMP_SET_MODE_FILTER), "S"(flags),
                     "d"(&program)
                   : "rcx", "r11", "memory");
  return result != 0;
}

// The dump's thread may not rename a file.
static int fault(void) {
  allocate(100);
  await("aggregates", 0);
  return filter(SYS_renameat, SYS_renameat2, SECCOMP_RET_TRAP,
                SECCOMP_FILTER_FLAG_TSYNC)
             ? 1
             : 3;
}

static int no_thread(void) {
  if (filter(SYS_clone, SYS_clone3, SECCOMP_RET_ERRNO | EAGAIN,
             SECCOMP_FILTER_FLAG_TSYNC))
    return 1;
  allocate(100000);
  return 3;
}

static int renamed(void) {
  char moved[4200];
  allocate(100);
  await("aggregates", 0);
  snprintf(moved, sizeof moved, "%s/moved", getenv("DUMP_DIR"));
  if (is_profiled() && rename((in_dump(""), directory), moved))
    return 1;
  return 3;
}

static int pipe_ends(void) {
  int ends[2];
  char byte;
  if (pipe(ends))
    return 1;
  await_log(); // the thread came while the pipe was open
  close(ends[1]);
  long got = read(ends[0], &byte, 1);
  allocate(10000);
  return got ? 1 : 3;
}

static int numbers(void) {
  await_log();
  closefrom(3);
  for (int i = 0; i < 1000; i++) {
    int fd = open("/dev/null", O_RDONLY);
    if (fd != 3 || close(fd))
      return 1;
    allocate(10);
  }
  return 3;
}

static int namespace(void) {
  await_log();
  printf("%d\n", unshare(CLONE_NEWUSER) == 0);
  allocate(10000);
  return 3;
}

static void *ask_for_namespaces(void *refused) {
  for (int i = 0; i < 100; i++)
    if (unshare(CLONE_NEWUSER) != 0 && errno == EINVAL)
      __atomic_fetch_add((int *)refused, 1, __ATOMIC_RELAXED);
  return NULL;
}

static int namespaces_at_once(void) {
  pthread_t threads[4];
  int refused = 0;
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, ask_for_namespaces, &refused) != 0)
      return 2;
  allocate(10000);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("%d\n", refused > 0);
  return 3;
}

static void *allocate_much(void *unused) {
  allocate(20000);
  return unused;
}

// The thread that writes was started by one that is gone.
static int ends_with_its_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, allocate_much, NULL);
  pthread_join(thread, NULL);
  allocate(20000);
  return 3;
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    int (*way)(void);
  } ways[] = {{"hangs", hangs},
              {"idle", idle},
              {"fault", fault},
              {"asked", asked},
              {"no_thread", no_thread},
              {"renamed", renamed},
              {"pipe", pipe_ends},
              {"numbers", numbers},
              {"namespace", namespace},
              {"ends_with_its_thread", ends_with_its_thread},
              {"namespaces_at_once", namespaces_at_once}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (!strcmp(argv[1], ways[i].name))
      return ways[i].way();
  return 2;
}
