// seccomp.c - a program that forbids itself system calls on pain of death is not killed for the runtime's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// A filter is for threads that begin under it and the one that sets it, so ours do what the program's may not: the
// profile is whole. Read, write, brk and the ends are all that is allowed here; what is left of it leads to the same.
// RUN: for way in prctl seccomp raw_prctl killed_thread trapped twice; do %survives ended=exit allocations=3000+ -- $way || exit 1; done
// RUN: for opts in sample_every=3 exact_time=1 checkpoint_ms=0 checkpoint_ms=1 chunk_log=all tick_us=100000 leak_check=0; do \
// RUN:   %survives opts=$opts ended=exit allocations=1000+ -- prctl || exit 1; done
// Other threads run on, and a filter for all threads is one for the only one.
// RUN: for way in beside all_of_one; do %survives ended=exit allocations=3000+ -- $way || exit 1; done
//
// As a server's child: memory, signals and threads, but no files; as a browser's: arguments are looked at.
// RUN: %survives ended=exit allocations=300000+ -- server && %survives ended=exit allocations=300000+ -- arguments
// A deadly signal, and an end past libc.
// RUN: %survives "ended=signal 11" allocations=3000+ -- segv && %survives ended=exit allocations=3000+ -- exit_group
//
// A filter for several threads is ours, too: the profile ends with it. So it does in the strict mode.
// RUN: for way in all strict strict_seccomp; do \
// RUN:   %survives ended=seccomp allocations=1000+ "stderr=the program forbids its threads by seccomp .* the profile ends here" -- $way || exit 1; done
// A child that bears such a filter is not profiled.
// RUN: %survives ended=exit allocations=1000+ "stderr=this child may not make the system calls .*seccomp.* not profiled" -- child
//
// What the kernel refuses changes nothing, and neither does a filter that the runtime can live with.
// RUN: for way in asked refused refused_all mild mild_all; do %survives ended=exit allocations=3000+ -- $way || exit 1; done
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sock_filter code[256];
static struct sock_fprog filter = {0, code};

static void add(struct sock_filter step) { code[filter.len++] = step; }
static void add_return(unsigned action) {
  add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}
static void begin(void) {
  filter.len = 0;
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                   offsetof(struct seccomp_data, nr)));
}

static void treat(unsigned call, unsigned action) {
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
  add_return(action);
}

// Of its argument N no bit but those of MASK.
static void allow_bits(unsigned call, int n, unsigned mask) {
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5));
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                   offsetof(struct seccomp_data, args[n])));
  add((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~mask));
  add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  add_return(SECCOMP_RET_ALLOW);
  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                   offsetof(struct seccomp_data, nr)));
}

static void allow(const int *calls, size_t count) {
  for (size_t i = 0; i < count; i++)
    treat((unsigned)calls[i], SECCOMP_RET_ALLOW);
}

static const int least[] = {SYS_read, SYS_write,      SYS_brk,
                            SYS_exit, SYS_exit_group, SYS_rt_sigreturn};
static const int of_server[] = {
    SYS_brk,         SYS_clock_gettime,  SYS_close,
    SYS_exit,        SYS_exit_group,     SYS_futex,
    SYS_getpid,      SYS_gettimeofday,   SYS_getuid,
    SYS_madvise,     SYS_mmap,           SYS_mprotect,
    SYS_mremap,      SYS_munmap,         SYS_poll,
    SYS_read,        SYS_rt_sigprocmask, SYS_shutdown,
    SYS_sigaltstack, SYS_write,          SYS_writev};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void make_least(unsigned other) {
  begin();
  allow(least, COUNT(least));
  add_return(other);
}

static void make_server(void) {
  begin();
  treat(SYS_openat, SECCOMP_RET_ERRNO | EACCES);
  allow(of_server, COUNT(of_server));
  add_return(SECCOMP_RET_KILL_PROCESS);
}

static void make_arguments(void) {
  begin();
  allow_bits(SYS_mmap, 2, PROT_READ | PROT_WRITE);
  allow_bits(SYS_mprotect, 2, PROT_READ | PROT_WRITE);
  allow_bits(SYS_futex, 1, FUTEX_WAKE | FUTEX_PRIVATE_FLAG);
  allow(least, COUNT(least));
  add_return(SECCOMP_RET_TRAP);
}

static void make_mild(void) {
  begin();
  treat(SYS_ptrace, SECCOMP_RET_KILL_PROCESS);
  treat(SYS_socket, SECCOMP_RET_KILL_PROCESS);
  add_return(SECCOMP_RET_ALLOW);
}

static __thread char *volatile kept[1000];

// Plainly as much as libc has already; all of it is in use before any is given back.
static void allocate(void) {
  for (int i = 0; i < 1000; i++)
    kept[i] = memset(malloc(40 + i % 7), 1, 40);
  for (int i = 0; i < 1000; i++)
    free(kept[i]);
}

static void allocate_much(void) {
  for (int i = 0; i < 300; i++)
    allocate();
  for (size_t size = 1 << 16; size <= 1 << 24; size *= 2) {
    char *volatile large = malloc(size);
    memset(large, 1, size);
    free(large);
    large = calloc(1, size);
    for (size_t j = 0; j < size; j += 4096)
      if (large[j])
        _exit(77);
    free(large);
  }
}

// ALLOCATES: plainly it may ask for memory at any time, so it must not have the filter.
static volatile int runs;
static void *other(void *allocates) {
  for (runs = 1;;)
    if (allocates)
      allocate();
}

static long set(unsigned flags) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}
static void say(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _exit(78);
}

static int set_by(const char *way) {
  if (!strcmp(way, "seccomp") || !strcmp(way, "twice"))
    return (int)set(0);
  if (!strncmp(way, "all", 3))
    return (int)set(SECCOMP_FILTER_FLAG_TSYNC);
  if (!strcmp(way, "raw_prctl"))
    return (int)syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter,
                        0, 0);
  if (!strcmp(way, "strict"))
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  if (!strcmp(way, "strict_seccomp"))
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

// All that is tried here fails, and says how.
static void try_in_vain(const char *way) {
  if (!strcmp(way, "asked")) {
    printf("%ld %d\n", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL),
           errno);
    printf("%ld %d\n",
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                   SECCOMP_FILTER_FLAG_TSYNC, (void *)16),
           errno);
    printf("%d %d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0), errno);
    printf("%d\n", prctl(PR_GET_SECCOMP));
  } else {
    code[filter.len - 1].code = BPF_LD | BPF_IND; // no end, so that it is none
    printf("%ld %d\n",
           set(strcmp(way, "refused") ? SECCOMP_FILTER_FLAG_TSYNC : 0), errno);
  }
}

int main(int argc, char **argv) {
  const char *way = argv[1];
  pthread_t thread;
  const int has_other = !strcmp(way, "beside") || !strcmp(way, "all");
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  make_least(!strcmp(way, "killed_thread") ? SECCOMP_RET_KILL
             : !strcmp(way, "trapped")     ? SECCOMP_RET_TRAP
                                           : SECCOMP_RET_KILL_PROCESS);
  if (!strcmp(way, "server") || !strcmp(way, "child"))
    make_server();
  if (!strcmp(way, "arguments"))
    make_arguments();
  if (!strncmp(way, "mild", 4))
    make_mild();
  allocate();
  if (!strcmp(way, "twice")) {
    make_mild();
    if (set(0))
      return 82;
    make_least(SECCOMP_RET_KILL_PROCESS);
  }
  if (has_other) {
    pthread_create(&thread, NULL, other, strcmp(way, "all") ? way : NULL);
    while (!runs)
      ;
  }
  if (!strcmp(way, "child")) {
    static const int more[] = {SYS_clone, SYS_wait4, SYS_set_robust_list,
                               SYS_gettid};
    begin();
    allow(more, COUNT(more));
    allow(of_server, COUNT(of_server));
    add_return(SECCOMP_RET_KILL_PROCESS);
  }
  if (!strcmp(way, "asked") || !strncmp(way, "refused", 7))
    try_in_vain(way);
  else if (!strcmp(way, "mild_all") ? set(SECCOMP_FILTER_FLAG_TSYNC)
                                    : set_by(way))
    return 79;
  allocate();
  allocate();
  say("goes on\n");
  if (!strcmp(way, "server"))
    allocate_much();
  if (!strcmp(way, "arguments"))
    for (int i = 0; i < 300; i++)
      allocate();
  if (!strcmp(way, "child")) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
      allocate();
      _exit(4);
    }
    if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 4)
      return 81;
  }
  if (!strcmp(way, "segv"))
    *(volatile int *)16 = 1;
  if (!strcmp(way, "exit_group"))
    syscall(SYS_exit_group, 5);
  if (!strncmp(way, "strict", 6))
    syscall(SYS_exit, 6);
  return 3;
}
