// mappings.c - what the program maps itself, by call stack: exact bytes now and at most, and what of it is resident; parts that are unmapped,
// mapped over, moved and made larger; what fails changes nothing, and errno is the program's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -w -g -O1 -fno-optimize-sibling-calls %s -o built -pthread && %clang -w -g -O1 -fno-optimize-sibling-calls %s -o plain -pthread
// RUN: cd %t.d && ./plain > expected
// RUN: cd %t.d && ./built > out && cmp out expected && %heapprof_score --json heapprof.built.* > json && %python %S/Inputs/check_mappings.py json
// RUN: cd %t.d && rm -rf heapprof.* && env HEAPPROF_OPTIONS=sample_every=100 ./built > out && cmp out expected && %heapprof_score --json heapprof.built.* > json && %python %S/Inputs/check_mappings.py json
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./plain > out 2> err && cmp out expected && %heapprof_score --json heapprof.plain.* > json && %python %S/Inputs/check_mappings.py json
//
// RUN: cd %t.d && %heapprof_score --by mapping heapprof.plain.* > table && FileCheck %s < table
// CHECK: {{^  mapped 1.0[0-9]GiB at most, 1.0[0-9]GiB at the end;}}
// CHECK: libc itself, by raw system calls, or before the profile began
// CHECK-NEXT: live peak at peak resident mapped calls by kind site
// CHECK-NEXT: {{^ +1.00GiB +1.00GiB +1.00GiB +0B +1.00GiB +1 mmap +reserved }}
// CHECK: {{^ +3.00MiB +4.00MiB +[0-9.]+MiB +2.00MiB +4.00MiB +1 mmap +anonymous anonymous mappings.c:}}
// CHECK: {{^ +2.00MiB +3.00MiB .* 1 sbrk }}
// RUN: cd %t.d && %heapprof_score --by mapping --limit 2 heapprof.plain.* | tail -1 | grep -x '[0-9]* more'
// RUN: cd %t.d && %heapprof_score --by mapping --stacks heapprof.plain.* | FileCheck --check-prefix=STACK %s
// STACK: {{^    anonymous .*mappings.c:[0-9]+}}
// STACK-NEXT: {{^    part .*mappings.c:[0-9]+}}
// STACK-NEXT: {{^    main }}
// RUN: not %heapprof_score --by mapping --csv %t.d/heapprof.plain.* 2>&1 | grep 'tables of their own'
//
// Two processes in one dump have what each of them mapped; a child has nothing of its parent's.
// RUN: cd %t.d && %heapprof_run ./plain > out 2> err && %heapprof_merge -o merged heapprof.plain.* && %heapprof_score --json merged > json && %python %S/Inputs/check_mappings.py json
// RUN: cd %t.d && rm -rf heapprof.* merged && %heapprof_run ./plain fork > out 2> err && %heapprof_score --by mapping heapprof.plain.* | FileCheck --check-prefix=CHILD %s
// CHILD-DAG: mapped 1.0{{[0-9]}}GiB at most
// CHILD-DAG: mapped 64.0KiB at most, 64.0KiB at the end; 1 mmap, 1 munmap, 0 mremap, 0 brk
//
// The page has the table, and every document is as its schema says.
// RUN: cd %t.d && %heapprof_report -o page.html heapprof.plain.* && grep -c '"mappings":' page.html
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024ul
#define MIB (1024 * KIB)
#define NAMED __attribute__((noinline, noclone))

static char *anonymous(size_t n, int more) {
  char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
  if (p == MAP_FAILED)
    abort();
  return p;
}

/* Of four MiB, three of which are touched, one that was touched is unmapped. */
static NAMED void part(void) {
  char *p = anonymous(4 * MIB, 0);
  memset(p, 1, 3 * MIB);
  printf("part %d\n", munmap(p + MIB, MIB - 5));
}

/* Two pages in the middle are mapped over. */
static NAMED char *below(void) { return anonymous(MIB, 0); }
static NAMED void over(void) {
  char *p = below();
  char *q = mmap(p + 8 * KIB, 8 * KIB, PROT_READ,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("over %d\n", q == p + 8 * KIB);
}

static NAMED char *small(void) {
  char *p = anonymous(2 * MIB, 0);
  memset(p, 1, 2 * MIB);
  return p;
}
static NAMED void moved(void) {
  char *p = mremap(small(), 2 * MIB, 6 * MIB, MREMAP_MAYMOVE);
  printf("moved %d %d\n", p != MAP_FAILED, p[2 * MIB - 1]);
  p = mremap(p, 6 * MIB, 5 * MIB, 0); /* shorter, in its place */
  printf("shorter %d\n", p != MAP_FAILED);
}

static NAMED void reserved(void) {
  mmap(NULL, 1024 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
       -1, 0);
}

static NAMED void file(const char *path) {
  FILE *f = fopen(path, "r");
  char *p = mmap(NULL, 100, PROT_READ, MAP_SHARED, fileno(f), 0);
  fclose(f);
  printf("file %d\n", p[1]);
}

static NAMED void grown(void) {
  char *p = sbrk(0);
  sbrk((char *)(((unsigned long)p + 4095) & ~4095ul) - p);
  p = sbrk(3 * MIB);
  memset(p, 1, MIB);
  printf("sbrk %d %d\n", p != (void *)-1, sbrk(-(long)MIB) == p + 3 * MIB);
}
static NAMED void grown_by_brk(void) {
  char *p = sbrk(0);
  printf("brk %d\n", brk(p + 64 * KIB));
}

static NAMED void refused(void) {
  char *p = below();
  errno = 0;
  printf("munmap %d", munmap(p + 1, 4096));
  printf(" %d\n", errno);
  errno = 0;
  printf("mmap %d",
         mmap(p, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
              0) == MAP_FAILED);
  printf(" %d\n", errno);
  errno = 0;
  printf("mmap %d", mmap(p, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, 99, 0) ==
                        MAP_FAILED);
  printf(" %d\n", errno);
  errno = 0;
  printf("mremap %d",
         mremap(p, MIB, ~0ul - 4095, MREMAP_MAYMOVE) == MAP_FAILED);
  printf(" %d\n", errno);
  errno = 7;
  munmap(anonymous(4096, 0), 4096);
  printf("errno %d\n", errno);
}

/* What was unseen when it came is unseen when it goes. */
static NAMED void raw(void) {
  char *p = (char *)syscall(SYS_mmap, NULL, MIB, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0l);
  memset(p, 1, MIB);
  char *q = (char *)syscall(SYS_mmap, NULL, MIB, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0l);
  memset(q, 1, MIB);
  printf("raw %d\n", munmap(q, MIB));
}

static NAMED void again(void) { munmap(anonymous(16 * KIB, 0), 16 * KIB); }
static void on_signal(int number) {
  (void)number;
  again();
}
static void *run(void *unused) {
  for (int i = 0; i < 500; i++)
    again();
  return unused;
}

/* Handlers map while mmap goes on in four threads. */
static void together(void) {
  pthread_t threads[4];
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 400; i++)
    pthread_kill(threads[i % 4], 0), raise(SIGUSR1), again();
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
}

int main(int argc, char **argv) {
  reserved();
  part();
  over();
  moved();
  file(argv[0]);
  grown();
  grown_by_brk();
  refused();
  raw();
  together();
  fflush(stdout);
  if (argc > 1) {
    char *p = anonymous(MIB, 0);
    if (fork() == 0) {
      munmap(p, MIB);
      anonymous(64 * KIB, 0);
      exit(0);
    }
    wait(NULL);
  }
  free(malloc(10));
  return 0;
}
