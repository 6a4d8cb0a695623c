// resident.c - where all resident memory is adds up to what the system says, and each part is what the program made
// of it: half of a global array, a mapping, deep stacks, chunks that live and such that were freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -w -O1 %s -o built -pthread && %clang -w -O1 %s -o plain -pthread
// RUN: cd %t.d && ./built 2> err > expected && %heapprof_score --json heapprof.built.*.2 > json && %python %S/Inputs/check_resident.py json end < expected
// RUN: cd %t.d && rm -rf heapprof.* && env HEAPPROF_OPTIONS=sample_bytes=65536 ./built > expected && \
// RUN:   %heapprof_score --json heapprof.built.*.2 > json && %python %S/Inputs/check_resident.py json end < expected
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./plain > expected 2> err && \
// RUN:   %heapprof_score --json heapprof.plain.*.2 > json && %python %S/Inputs/check_resident.py json end < expected
//
// At the end all is freed; the peak is that of the first dump.
// RUN: cd %t.d && ls -d heapprof.plain.* | grep -v '\.[12]$' > last && echo live 59200000 > highest && %heapprof_score --json $(cat last) > json && %python %S/Inputs/check_resident.py json peak < highest
// RUN: cd %t.d && %heapprof_score $(cat last) | FileCheck %s
// CHECK: {{^  RSS [0-9]+ MiB = live [0-9]+ \+ allocator slack [0-9]+ \+ freed, not returned [0-9]+ \+ mappings}}
// CHECK-NEXT: {{[0-9]+}} + globals {{[0-9]+}} + stacks {{[0-9]+}} + code and files {{[0-9]+}} + heapprof {{[0-9]+}}
//
// Each line adds up as it is printed, and all processes do.
// RUN: cd %t.d && %heapprof_score --process $(cat last) > process && %python %S/Inputs/check_lines.py 2 < process
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./plain fork > expected 2> err && \
// RUN:   ls -d heapprof.plain.* | grep -v '\.[12]$' | xargs %heapprof_score --process > process && %python %S/Inputs/check_lines.py 6 < process
// RUN: cd %t.d && %heapprof_merge -o merged $(ls -d heapprof.plain.* | grep -v '\.[12]$') && %heapprof_score --process merged | sort > merged.lines && sort process | cmp - merged.lines
//
// Where the program has forbidden itself to open files, it is not known.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./plain confined > expected 2> err && %heapprof_score --process heapprof.plain.* | FileCheck --check-prefix=UNKNOWN %s
// RUN: cd %t.d && %heapprof_score --json heapprof.plain.* | grep '"process_memory": *{"peak": *null, *"end": *null}'
// UNKNOWN: RSS is not known: the dump does not say where it is
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1024 * 1024)
#define SMALL 200000
#define LARGE 64

int __heapprof_dump(void) __attribute__((weak));

static volatile char table[64 * MIB];
static char *small[SMALL], *large[LARGE];
static pthread_barrier_t began, over;

static long rss(void) {
  char text[4096];
  int fd = open("/proc/self/smaps_rollup", O_RDONLY);
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  text[n > 0 ? n : 0] = 0;
  const char *at = strstr(text, "Rss:");
  return at ? atol(at + 4) * 1024 : -1;
}

static __attribute__((noinline)) int deep(int n) {
  volatile char frame[MIB];
  for (int i = 0; i < MIB; i += 4096)
    frame[i] = (char)n;
  return n ? deep(n - 1) + frame[4096] : frame[0];
}

static void *run(void *unused) {
  free(malloc(10));
  deep(2);
  pthread_barrier_wait(&began);
  pthread_barrier_wait(&over);
  return unused;
}

static void allocate(void) {
  for (int i = 0; i < LARGE; i++)
    memset(large[i] = malloc(300000), 1, 300000);
  for (int i = 0; i < SMALL; i++)
    memset(small[i] = malloc(200), 1, 200);
  __heapprof_dump();
  for (int i = 0; i < SMALL; i++)
    if (i % 2) {
      free(small[i]);
      small[i] = NULL;
    }
}

static void confine(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    exit(99);
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc > 1 && strcmp(argv[1], "confined") == 0) {
    confine();
    return 0;
  }
  for (long i = 0; i < 32 * MIB; i++)
    table[i] = 1;
  char *map = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(map, 1, 32 * MIB);
  pthread_barrier_init(&began, 0, 2);
  pthread_barrier_init(&over, 0, 2);
  pthread_create(&thread, 0, run, NULL);
  pthread_barrier_wait(&began);
  deep(4);
  allocate();
  __heapprof_dump();
  printf("rss %ld\n", rss());
  printf("live %ld\n", LARGE * 300000L + SMALL / 2 * 200L);
  printf("retained %ld\n", SMALL / 2 * 200L);
  printf("mapping %d\nglobal %zu\nstack %d\n", 32 * MIB,
         32 * MIB + sizeof small, 8 * MIB);
  fflush(stdout);
  for (int i = 0; i < SMALL; i++)
    free(small[i]);
  for (int i = 0; i < LARGE; i++)
    free(large[i]);
  pthread_barrier_wait(&over);
  pthread_join(thread, NULL);
  if (argc > 1 && strcmp(argv[1], "fork") == 0) {
    if (fork() == 0)
      exit(0);
    wait(NULL);
  }
  return 0;
}
