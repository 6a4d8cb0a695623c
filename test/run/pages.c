/* pages.c - what pages that have memory say of large chunks, with hooks and without: exact in whole pages, whoever touches
   them and however the chunk ends; nothing of what earlier chunks touched, and nothing once the program takes memory back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{names} = untouched whole read_only ends again zeroed by_kernel grown grown_by elsewhere kept small
// DEFINE: %{pages} = %heapprof_score --limit 0 --json heapprof.* | %python %S/Inputs/pages.py %{names}
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -g %s -o app -pthread && %heapprof_run --page-facts ./app 2> err
// RUN: cd %t && %{pages} | FileCheck --match-full-lines %s
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O1 -g %s -o app -pthread && HEAPPROF_OPTIONS=page_facts=1 ./app
// RUN: cd %t && %{pages} | FileCheck --match-full-lines %s
// Each chunk counts for those that it stands for.
// RUN: cd %t && rm -rf heapprof.* && %heapprof_run --page-facts --sample-every=1 ./app 2> err && %{pages} | FileCheck --match-full-lines %s
// Merged, they add up.
// RUN: cd %t && rm -rf heapprof.* && %heapprof_run --page-facts ./app 2> err && %heapprof_run --page-facts ./app 2> err
// RUN: cd %t && mkdir both && mv heapprof.* both && %heapprof_merge -o heapprof.merged both && %{pages} | FileCheck --check-prefix=TWICE %s
// The program has one more chunk, whose memory it gives back first: of what ends later nothing is known.
// RUN: cd %t && rm -rf heapprof.* && %heapprof_run --page-facts ./app give 2> err && %{pages} | FileCheck --check-prefix=GIVEN %s
// A child knows of its own chunks.
// RUN: cd %t && rm -rf heapprof.* && %heapprof_run --page-facts ./app fork 2> err && ls -d heapprof.* | count 2
// RUN: cd %t && for d in heapprof.*; do %heapprof_score --limit 0 --json $d | %python %S/Inputs/pages.py ends; done | sort | FileCheck --check-prefix=CHILD %s
// In the table, and in columns.
// RUN: cd %t && rm -rf heapprof.* && %clang -O1 -g %s -o plain -pthread && %heapprof_run --page-facts ./plain 2> err && COLUMNS=200 %heapprof_score --stacks --limit 0 heapprof.* | FileCheck --check-prefix=TABLE %s
// RUN: cd %t && %heapprof_score --limit 0 --csv heapprof.* | sed 's/\r//' | FileCheck --check-prefix=CSV %s
// RUN: cd %t && %heapprof_score --limit 0 --json heapprof.* > score && %heapprof_report --json heapprof.* > report && %python %S/../report/same_numbers.py score report
// CHECK:      untouched: 2 of 2097152, touched 0, in memory 0, unused 2, sparse 0 of 0, touched 0
// CHECK-NEXT: whole: 1 of 1048576, touched 1048576, in memory 0, unused 0, sparse 0 of 0, touched 0
// CHECK-NEXT: read_only: 1 of 1048576, touched 40960, in memory 0, unused 0, sparse 1 of 1048576, touched 40960
// CHECK-NEXT: ends: 1 of 1048576, touched 8192, in memory 0, unused 0, sparse 1 of 1048576, touched 8192
// CHECK-NEXT: again: 1 of 1048576, touched 0, in memory 0, unused 1, sparse 0 of 0, touched 0
// CHECK-NEXT: zeroed: 1 of 1048576, touched {{0|4032}}, in memory 0, unused {{.*}}
// CHECK-NEXT: by_kernel: 1 of 1048576, touched 8192, in memory 0, unused 0, sparse 1 of 1048576, touched 8192
// CHECK-NEXT: grown: 1 of 1048576, touched 4096, in memory 0, unused 0, sparse 1 of 1048576, touched 4096
// CHECK-NEXT: grown_by: 1 of 4194304, touched 10{{[0-9]+}}, in memory 0, unused 0, sparse 1 of 4194304, touched 10{{[0-9]+}}
// CHECK-NEXT: elsewhere: 1 of 1048576, touched 4096, in memory 0, unused 0, sparse 1 of 1048576, touched 4096
// CHECK-NEXT: kept: 1 of 1048576, touched 12288, in memory 12288, unused 0, sparse 1 of 1048576, touched 12288
// CHECK-NEXT: small: unknown
// TWICE:      untouched: 4 of 4194304, touched 0, in memory 0, unused 4, sparse 0 of 0, touched 0
// TWICE:      kept: 2 of 2097152, touched 24576, in memory 24576, unused 0, sparse 2 of 2097152, touched 24576
// GIVEN:      untouched: unknown
// GIVEN:      kept: unknown
// CHILD:      ends: 1 of 1048576, touched 8192,
// CHILD-NEXT: ends: 2 of 2097152, touched 16384,
// TABLE:      site {{.*}} peak touched life
// TABLE:      untouched pages.c:{{.*}} 2 2.00MiB {{.*}}MiB 0B
// TABLE:      pages of 2 chunks: touched 0B of 2.00MiB, in memory at the end 0B
// TABLE:      touched: bytes in pages that had memory, of chunks of 128KiB and more
// CSV:        ,page_chunks,page_bytes,touched_bytes,resident_bytes,sampled_page_chunks,sampled_page_bytes,sampled_touched_bytes,sampled_unused_chunks,
// CSV-DAG:    ,kept,{{.*}},1,1048576,12288,12288,,,,,
// CSV-DAG:    ,small,{{.*}},,,,,,{{.*}}
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE ((size_t)1 << 20)
#define PAGE ((size_t)4096)
#define MAKER(name, made)                                                      \
  __attribute__((noinline)) char *name(void) {                                 \
    char *volatile p = made;                                                   \
    return p;                                                                  \
  }
/* At a page of its own, so that numbers are of whole pages. */
#define ALIGNED aligned_alloc(PAGE, SIZE)
MAKER(untouched, ALIGNED)
MAKER(whole, ALIGNED)
MAKER(read_only, ALIGNED)
MAKER(ends, ALIGNED)
MAKER(again, ALIGNED)
MAKER(zeroed, calloc(1, SIZE))
MAKER(by_kernel, ALIGNED)
MAKER(grown, ALIGNED)
MAKER(elsewhere, ALIGNED)
MAKER(kept, ALIGNED)
MAKER(small, malloc(100000))
MAKER(given, ALIGNED)

__attribute__((noinline)) char *grown_by(char *p) {
  char *volatile larger = realloc(p, 4 * SIZE);
  return larger;
}

static void touch(char *p) { *(volatile char *)p = 1; }

static void use_ends(void) {
  char *p = ends();
  touch(p);
  touch(p + SIZE - 1);
  free(p);
}

static void *other(void *p) {
  touch((char *)p + 5 * PAGE);
  free(p);
  return NULL;
}

static char *volatile root;

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "give") == 0) {
    char *p = given();
    touch(p);
    madvise(p, SIZE, MADV_DONTNEED);
    free(p);
  }
  for (int i = 0; i < 2; i++)
    free(untouched());
  char *p = whole();
  for (size_t i = 0; i < SIZE; i += PAGE)
    touch(p + i);
  free(p);
  free(again());
  p = read_only();
  for (size_t i = 0; i < 10; i++)
    (void)*(volatile char *)(p + i * 3 * PAGE);
  free(p);
  use_ends();
  free(zeroed());
  p = by_kernel();
  int zero = open("/dev/zero", O_RDONLY);
  if (read(zero, p + 10, 2 * PAGE - 20) < 0)
    return 1;
  free(p);
  p = grown();
  touch(p + 7 * PAGE);
  free(grown_by(p));
  free(small());
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, elsewhere()))
    return 1;
  pthread_join(thread, NULL);
  if (argc > 1 && strcmp(argv[1], "fork") == 0) {
    if (fork() == 0) {
      use_ends();
      use_ends();
      return 0;
    }
    wait(NULL);
  }
  root = kept();
  for (size_t i = 0; i < 3; i++)
    touch(root + i * 20 * PAGE);
  return 0;
}
