// own-malloc-early.c - a program's own malloc that asks the system something when it is first called, before
// main and while the runtime starts: each of libc's functions that are counted can be called then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: for flags in -fno-builtin ""; do %clang_heapprof -w $flags -O1 %s -o %t && %run %t > %t.out 2> %t.err && \
// RUN:   diff %t.expected %t.out && count 1 < %t.err && grep -q 'has a malloc of its own' %t.err || exit 1; done
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static char memory[8 << 20] __attribute__((aligned(16)));
static size_t used;
static char link_text[100], cpus[100], copy[100];
static struct sysinfo info;
static struct utsname names;
static struct timespec now;
static struct stat status;
static int first_calls;

// What jemalloc, mimalloc and tcmalloc ask, and more.
static void ask(void) {
  first_calls++;
  link_text[readlink("/proc/self/exe", link_text, sizeof link_text - 1) > 0
                ? 0
                : 1] = 'x';
  sysinfo(&info);
  uname(&names);
  clock_gettime(CLOCK_MONOTONIC, &now);
  stat("/", &status);
  int fd = open("/sys/devices/system/cpu/online", O_RDONLY);
  if (fd >= 0 && read(fd, cpus, sizeof cpus - 1) > 0)
    close(fd);
  sysconf(_SC_NPROCESSORS_ONLN);
  memcpy(copy, getenv("PATH") ? getenv("PATH") : "", 1);
  snprintf(copy, sizeof copy, "%d%s", 42, strchr("a=b", '='));
  strtol("12", NULL, 10);
  munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
  pthread_self();
  secure_getenv("HOME");
}

void *malloc(size_t n) {
  static int ready;
  if (!ready) {
    ready = 1;
    ask();
  }
  size_t *head = (size_t *)(memory + used);
  used += 16 + ((n + 15) & ~(size_t)15);
  head[1] = n;
  return head + 2;
}
void free(void *p) { (void)p; }
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) {
  void *q = malloc(n);
  return p ? memcpy(q, p, n < ((size_t *)p)[-1] ? n : ((size_t *)p)[-1]) : q;
}

int main(void) {
  char *volatile p = malloc(10);
  free(p);
  printf("%d %d %d %d %d %s\n", first_calls, link_text[0] == 'x',
         info.totalram > 0, names.sysname[0] == 'L',
         now.tv_sec > 0 && S_ISDIR(status.st_mode), copy);
  return 0;
}
