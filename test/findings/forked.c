// forked.c - what lived when a process forked may be what its child needs: that the parent never reads it is likely, and no fact. Of what it
// allocates behind the last fork it is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %env_heapprof_opts=profile_children=0 %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck %s
// CHECK-DAG: Fact: 200 chunks of 600 B (char) from behind
// CHECK-DAG: Likely: 200 chunks of 300 B (char) from ahead
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REMEDY %s
// REMEDY: from ahead (forked.c:[[#]]) are written and, as far as was seen, never read{{[^>]*}}-> If none of those that a note names reads it, do not build it
// RUN: %heapprof_score %dump/heapprof.* | FileCheck --check-prefix=TABLE %s
// TABLE: {{^}}> or more: those that a note names may have accessed them, too
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json && FileCheck --check-prefix=SHARED %s < %t.json && FileCheck --check-prefix=NOTE %s < %t.json
// SHARED: "accesses_shared": {"points": 1, "modules": [], "unread": [], "functions": []}
// NOTE: what is said of accesses to chunks that lived when it forked is likely, not certain: the child may have accessed its copy of them
// RUN: %clang_heapprof -O2 -g -DALONE %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=ALONE %s
// ALONE-NOT: Likely
// ALONE-DAG: Fact: 200 chunks of 600 B (char) from behind
// ALONE-DAG: Fact: 200 chunks of 300 B (char) from ahead
// ALONE-NOT: Likely
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 200 };
static volatile char letter = 'a';
static char *volatile kept[COUNT];

#define MAKE(name, size)                                                       \
  __attribute__((noinline)) static char *name(void) {                          \
    char *text = malloc(size);                                                 \
    for (int i = 0; i < size; i++)                                             \
      text[i] = letter;                                                        \
    return text;                                                               \
  }
MAKE(ahead, 300)
MAKE(behind, 600)

static int work(void) {
  int sum = 0;
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < 300; k++)
      sum += kept[i][k] == letter;
  return sum != COUNT * 300;
}

int main(void) {
  int status = 0;
  for (int i = 0; i < COUNT; i++)
    kept[i] = ahead();
#ifndef ALONE
  pid_t child = fork();
  if (child == 0)
    _exit(work());
  if (waitpid(child, &status, 0) != child)
    return 2;
#else
  (void)work;
#endif
  for (int i = 0; i < COUNT; i++) {
    free(kept[i]);
    free(behind());
  }
  return status;
}
