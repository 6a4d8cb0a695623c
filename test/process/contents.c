// contents.c - what chunks hold is looked at without touching what the program did not, or shut; ended chunks once, live ones at each dump.
// With hooks and without, sampled, forked, merged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 -g %s -o built && %clang -O1 -g %s -o plain
// RUN: cd %t.d && HEAPPROF_OPTIONS=contents=1:exact_time=1:leak_check=0:profile_children=0 ./built && ls -d heapprof.built.*.1 heapprof.built.*[0-9][0-9]
// RUN: cd %t.d && %heapprof_score --limit 0 --json heapprof.built.*.1 > json && %python %S/Inputs/contents.py < json | FileCheck --check-prefix=FIRST %s
// RUN: cd %t.d && mv heapprof.built.*.1 first && %heapprof_score --limit 0 --json heapprof.built.* > json && %python %S/Inputs/contents.py < json | FileCheck %s
// FIRST:      texts: 60 of 60 chunks, 3 different, 0 uniform
// FIRST-NEXT: zeros: 10 of 10 chunks, 1 different, 10 uniform
// FIRST-NEXT: shut: none
// FIRST-NEXT: wide: 1 of 1 chunks, 1 different, 1 uniform
// FIRST-NEXT: fields: 100 of 100 chunks, 100 different, 0 uniform
// CHECK:      texts: 60 of 60 chunks, 3 different, 0 uniform
// CHECK-NEXT: zeros: 10 of 10 chunks, 1 different, 10 uniform
// CHECK-NEXT: shut: none
// CHECK-NEXT: wide: 1 of 1 chunks, 1 different, 1 uniform
// CHECK-NEXT: fields: 100 of 100 chunks, 100 different, 0 uniform
// Of the first 64 chunks of a point each, and some of the others; the numbers of all are estimates.
// RUN: cd %t.d && rm -rf heapprof.* && HEAPPROF_OPTIONS=contents=1:profile_children=0 ./built && rm -rf *.1 && %heapprof_score --limit 0 --json heapprof.built.* > json && %python %S/Inputs/contents.py < json | FileCheck --check-prefix=SOME %s
// SOME:  texts: 60 of 60 chunks, 3 different, 0 uniform
// SOME:  fields: {{6[4-9]|7[0-9]}} of 100 chunks, {{[67][0-9]}} different, 0 uniform
// RUN: cd %t.d && %heapprof_report --json heapprof.built.* > report && %python %S/../report/same_numbers.py json report
// RUN: cd %t.d && COLUMNS=200 %heapprof_score --stacks --limit 0 heapprof.built.* | FileCheck --check-prefix=TABLE %s
// TABLE: contents of 60 chunks: 3 different, 0 of one byte only; 0B of 2.81KiB are zero
// RUN: cd %t.d && %heapprof_score --csv --limit 0 heapprof.built.* | sed 's/\r//' | FileCheck --check-prefix=CSV %s
// CSV: ,content_chunks,content_bytes,content_zero_bytes,content_uniform_chunks,content_sparse_chunks,content_different,content_different_bytes,content_all_different
// CSV-DAG: ,texts,{{.*}},60,2880,0,0,0,3,144,3,{{.*}}
// CSV-DAG: ,shut,{{.*}},,,,,,,,{{$}}
// RUN: cd %t.d && %heapprof_merge -o both heapprof.built.* first && %heapprof_score --limit 0 --json --by function both | FileCheck --check-prefix=BOTH %s
// BOTH: "key": "texts", {{.*}}"contents": {"chunks": 120, "bytes": 5760,
// Without hooks all bytes are a chunk's, as they are: what is left there from before makes chunks differ.
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run --contents --exact-time --leak-check=0 --profile-children=0 ./plain 2> err && rm -rf *.1 && %heapprof_score --limit 0 --json heapprof.plain.* > json && %python %S/Inputs/contents.py < json | FileCheck --check-prefix=PLAIN %s
// PLAIN:      texts: 60 of 60 chunks, 3 different, 0 uniform
// PLAIN-NEXT: zeros: 10 of 10 chunks, 1 different, 10 uniform
// PLAIN-NEXT: shut: none
// Of samples all are looked at.
// RUN: cd %t.d && rm -rf heapprof.* && HEAPPROF_OPTIONS=contents=1:sample_every=4:leak_check=0:profile_children=0 ./built && rm -rf *.1 && %heapprof_score --json heapprof.built.* | FileCheck --check-prefix=SAMPLED %s
// SAMPLED: "contents": {"chunks": {{[0-9]+}},
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SITE __attribute__((noinline))
enum { PAGE = 4096 };
static const size_t WIDE = (size_t)256 << 20;

int __heapprof_dump(void) __attribute__((weak));

SITE static char *texts(int number) {
  char *volatile p = malloc(48);
  memset(p, 'a' + number % 3, 47);
  p[47] = '.';
  return p;
}
SITE static char *zeros(void) {
  char *volatile p = malloc(200);
  memset(p, 0, 200);
  return p;
}
/* The page of its own record is ahead of it. */
SITE static char *shut(void) {
  char *volatile p = aligned_alloc(PAGE, 4 * PAGE);
  memset(p, 1, 4 * PAGE);
  if (mprotect(p + PAGE, PAGE, PROT_NONE))
    abort();
  return p;
}
SITE static char *wide(void) {
  char *volatile p = malloc(WIDE);
  p[0] = p[WIDE - 1] = 0;
  return p;
}
SITE static int *fields(int number) {
  int *volatile p = malloc(3 * sizeof *p);
  for (int i = 0; i < 3; i++)
    p[i] = number + 1000 * i;
  return p;
}

static long resident_kib(void) {
  char line[200];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "VmRSS: %ld", &kib);
  if (file)
    fclose(file);
  return kib;
}

int main(void) {
  char *kept[60], *closed[2];
  int *field[100];
  for (int i = 0; i < 60; i++)
    kept[i] = texts(i);
  for (int i = 0; i < 10; i++)
    free(zeros());
  for (int i = 0; i < 100; i++)
    field[i] = fields(i);
  for (int i = 0; i < 100; i++)
    free(field[i]);
  for (int i = 0; i < 2; i++)
    closed[i] = shut();
  char *volatile room = wide();
  const long before = resident_kib();
  if (__heapprof_dump)
    __heapprof_dump();
  if (resident_kib() > before + 64 * 1024)
    return puts("resident memory grew"), 1;
  free(room);
  mprotect(closed[0] + PAGE, PAGE, PROT_READ | PROT_WRITE);
  mprotect(closed[0] + 2 * PAGE, PAGE, PROT_NONE);
  free(closed[0]); /* with a page that is shut; the other one stays */
  for (int i = 0; i < 30; i++)
    free(kept[i]);
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  int status;
  return waitpid(child, &status, 0) != child || status != 0;
}
