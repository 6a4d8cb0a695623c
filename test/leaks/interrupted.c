/* interrupted.c - threads that wait in a system call do not see that they are stopped while it is found out what is lost.
   Nor does the program get a SIGCHLD of a child that it has not made.  The kernel ends some calls with EINTR though no handler ran; who waits in one of these says so if it returns.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread
// RUN: %run %t > %t.out 2>&1 && FileCheck --match-full-lines --allow-empty --implicit-check-not={{.}} %s < %t.out
// RUN: %heapprof_score --json %dump | FileCheck --check-prefix=LEAK %s
// LEAK: "leak_check": "done"
#define _GNU_SOURCE
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void on_child(int number) {
  static const char text[] = "there was a child\n";
  if (write(2, text, sizeof text - 1) != sizeof text - 1 || number != SIGCHLD)
    abort();
}

enum { LONG_MS = 600000 };
static const struct timeval long_time = {.tv_sec = LONG_MS / 1000};

static int
    set; /* of semaphores; freed as it is waited for, by its last process */
static int quiet[2];

static int by_epoll(void) {
  struct epoll_event event;
  return epoll_wait(epoll_create1(0), &event, 1, -1);
}
static int by_epoll_for_a_time(void) {
  struct epoll_event event;
  sigset_t none;
  sigemptyset(&none);
  return epoll_pwait(epoll_create1(0), &event, 1, LONG_MS, &none);
}
static int by_signal(void) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  return sigwaitinfo(&wanted, NULL);
}
static int by_socket(void) {
  char byte;
  return (int)recv(quiet[0], &byte, 1, 0);
}
static int by_read(void) {
  char byte;
  return (int)read(quiet[0], &byte, 1);
}
static int by_inotify(void) {
  char event[4096];
  return (int)read(inotify_init(), event, sizeof event);
}
static char page[4096];

static int fill_socket(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
      setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &long_time,
                 sizeof long_time) != 0)
    abort();
  while (send(ends[0], page, sizeof page, MSG_DONTWAIT) > 0)
    ;
  return ends[0];
}
static int by_send(void) { return (int)send(fill_socket(), page, 1, 0); }
static int by_write(void) { return (int)write(fill_socket(), page, 1); }
/* Nobody accepts, and one more has room. */
static int by_connect(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  socklen_t size = sizeof name;
  int to = socket(AF_UNIX, SOCK_STREAM, 0), from = -1;
  if (bind(to, (struct sockaddr *)&name, sizeof name.sun_family) != 0 ||
      listen(to, 0) != 0 ||
      getsockname(to, (struct sockaddr *)&name, &size) != 0)
    abort();
  for (int i = 0; i < 2; i++) {
    from = socket(AF_UNIX, SOCK_STREAM, 0);
    setsockopt(from, SOL_SOCKET, SO_SNDTIMEO, &long_time, sizeof long_time);
    if (i == 0 && connect(from, (struct sockaddr *)&name, size) != 0)
      abort();
  }
  return connect(from, (struct sockaddr *)&name, size);
}
static int by_aio(void) {
  aio_context_t context = 0;
  struct io_event event;
  if (syscall(SYS_io_setup, 1, &context) != 0)
    return pause();
  return (int)syscall(SYS_io_getevents, context, 1, 1, &event, NULL);
}
static int by_uring(void) {
  struct io_uring_params params = {.flags = 0};
  const long ring = syscall(SYS_io_uring_setup, 1, &params);
  if (ring < 0)
    return pause();
  return (int)syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS,
                      NULL, 0);
}
static int by_poll(void) { return poll(NULL, 0, -1); }
static int by_sleep(void) { return usleep(LONG_MS * 1000); }
static int by_lock(void) {
  static sem_t never;
  return sem_wait(&never);
}

static int (*const ways[])(void) = {by_epoll,  by_epoll_for_a_time,
                                    by_signal, by_socket,
                                    by_read,   by_inotify,
                                    by_poll,   by_sleep,
                                    by_lock,   by_send,
                                    by_write,  by_connect,
                                    by_aio,    by_uring};
enum { WAYS = sizeof ways / sizeof *ways };
static int ids[WAYS];

static void *wait_so(void *arg) {
  size_t way = (size_t)arg;
  __atomic_store_n(&ids[way], (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
  int answer = ways[way]();
  char text[100];
  int size = snprintf(text, sizeof text, "way %zu returned %d: %s\n", way,
                      answer, strerror(errno));
  if (write(2, text, (size_t)size) != size)
    abort();
  return arg;
}

static int is_waiting(int id) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
  FILE *file = fopen(path, "r");
  if (file) {
    if (!fgets(text, sizeof text, file))
      text[0] = 0;
    fclose(file);
  }
  const char *name_end = strrchr(text, ')');
  return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

int main(void) {
  signal(SIGCHLD, on_child);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, quiet) != 0 ||
      setsockopt(quiet[0], SOL_SOCKET, SO_RCVTIMEO, &long_time,
                 sizeof long_time) != 0)
    return 1;
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  for (size_t way = 0; way < WAYS; way++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_so, (void *)way) != 0)
      return 1;
  }
  for (size_t way = 0; way < WAYS; way++)
    while (!__atomic_load_n(&ids[way], __ATOMIC_SEQ_CST) ||
           !is_waiting(ids[way]))
      sched_yield();
  void *volatile gone = malloc(100);
  gone = NULL;
  return 0;
}
