// globals.c - variables of the program and of a library with what of them is resident, thread-local ones, and how deep the
// stacks of threads were used; all of it adds up to what the system says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && echo 'char in_library[3 << 20]; void touch(void) { in_library[0] = in_library[1 << 20] = 1; }' > library.c && \
// RUN:   %clang -shared -fPIC library.c -o liblibrary.so
// RUN: cd %t.d && %clang_heapprof -w -O1 %s -o built -pthread -L. -llibrary -Wl,-rpath,$PWD && %clang -w -O1 %s -o plain -pthread -L. -llibrary -Wl,-rpath,$PWD
// RUN: cd %t.d && ./built && %heapprof_score --json heapprof.built.*.1 > json && %python %S/Inputs/check_globals.py json built
// RUN: cd %t.d && %heapprof_run ./plain 2> err && %heapprof_score --json heapprof.plain.*.1 > json && %python %S/Inputs/check_globals.py json plain
//
// RUN: cd %t.d && %heapprof_score --by global heapprof.plain.*.1 | FileCheck %s
// CHECK: resident bytes by thread module
// CHECK: {{^ +8.00KiB +3.0[0-9]MiB +0B .*liblibrary.so$}}
// CHECK: resident bytes by thread variable
// CHECK: {{^ +4.00MiB +16.0MiB +- half +plain$}}
// CHECK-NEXT: {{^ +[78][.0-9]*KiB +3.00MiB +- in_library +liblibrary.so$}}
// CHECK-NEXT: {{^ +- +- +19.5KiB local +plain$}}
// RUN: cd %t.d && %heapprof_score --by global --limit 1 heapprof.plain.*.1 | tail -1 | grep -x '[0-9]* more'
// RUN: cd %t.d && %heapprof_score --by thread heapprof.plain.*.1 | grep '^2 .* 1\.[34][0-9]MiB$'
//
// A merged dump has those of each process; without the file a module has no variables.
// RUN: cd %t.d && %heapprof_merge -o merged heapprof.plain.*.1 && %heapprof_score --json merged > json && %python %S/Inputs/check_globals.py json plain
// RUN: cd %t.d && %heapprof_score --by global --no-symbols merged | FileCheck --check-prefix=GONE %s
// GONE: {{^ +[0-9.]+MiB +[0-9.]+MiB +- .*plain$}}
// GONE-NOT: half
// RUN: not %heapprof_score --by global --sort bytes %t.d/merged 2>&1 | grep 'tables of their own'
// RUN: cd %t.d && %heapprof_report -o page.html merged && grep -c '"in_library"' page.html
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB (1024 * 1024)

int __heapprof_dump(void) __attribute__((weak));
void touch(void);

__attribute__((aligned(4096))) char half[16 * MIB];
__attribute__((aligned(4096))) const char constant[8 * MIB] = {1};
__thread volatile char local[20000];
static pthread_barrier_t barrier;
static void *volatile kept;

static __attribute__((noinline)) int deep(int n) {
  volatile char frame[64 * 1024];
  for (int i = 0; i < 64 * 1024; i += 4096)
    frame[i] = (char)n;
  return n ? deep(n - 1) + frame[4096] : frame[0];
}

static void *run(void *unused) {
  kept = malloc(10);
  free(kept);
  deep(20);
  local[5] = 1;
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
  memset(half + 2 * MIB, 1, 4 * MIB);
  touch();
  kept = malloc(10);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, run, 0);
  pthread_barrier_wait(&barrier);
  __heapprof_dump();
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  return 0;
}
