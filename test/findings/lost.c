// lost.c - requests that nobody frees and nobody can find any more; what hangs from them is told of with them.
// Its twin frees them, another one keeps them in a list: no leak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// Used to the last and lost as their list goes, they were no waste at the peak.
// RUN: %clang_heapprof -O2 -g -DKEPT -DDROPPED %s -o %t.dropped && %run %t.dropped
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=DROPPED %s
// Suppressed, it is as if it were none.
// RUN: echo 'leak:rece*e$' > %t.supp
// RUN: %env_heapprof_opts=suppressions=%t.supp %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: 1. Fact: 1000 chunks of 64 B (request) from receive (lost.c:[[#]]) are lost: nothing outside points to them at the end, nor to 1000 more, 195 KiB in all, that only hang from them: 281 KiB of malloc's memory at the peak (100 % of it), for 258 KiB requested.
// CHECK-SAME: -> Free each when it is no longer needed, and first what hangs from it.
// CHECK-SAME: [lost]
// CHECK-NOT: 2.
// DROPPED: Fact: {{[0-9]+}} chunk{{.*}} (request) from receive (lost.c:[[#]]) {{is|are}} lost: nothing outside points to {{it|them}} at the end, nor to {{[0-9]+}} more, {{[^,;:]+}} in all, that only hang from {{it|them}}. -> Free
// NONE: no findings
#include <stdlib.h>
#include <string.h>

struct request {
  struct request *next;
  char *text;
  long numbers[6];
};

/* How often each is answered: so that it is used for most of the run. */
#ifdef DROPPED
#define TIMES 8000
#else
#define TIMES 1
#endif

static struct request *requests;

__attribute__((noinline)) static struct request *receive(int number) {
  struct request *request = malloc(sizeof *request);
  for (int i = 0; i < 6; i++)
    request->numbers[i] = number + i;
  request->next = NULL;
  return request;
}

__attribute__((noinline)) static void read_text(struct request *request) {
  request->text = malloc(200);
  memset(request->text, request->numbers[0] & 63, 199);
  request->text[199] = 0;
}

__attribute__((noinline)) static long answer(struct request *request) {
  long sum = 0;
  for (int i = 0; i < 6; i++)
    sum += request->numbers[i];
  for (int i = 0; i < 200; i++)
    sum += request->text[i];
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    struct request *request = receive(i);
    read_text(request);
#if defined KEPT || defined REPAIRED
    request->next = requests;
    requests = request;
  }
  for (int again = 0; again < TIMES; again++)
    for (struct request *request = requests; request; request = request->next)
      sum += answer(request);
#ifdef DROPPED
  requests = NULL;
#endif
#else
    sum += answer(request);
  }
#endif
#ifdef REPAIRED
  while (requests) {
    struct request *request = requests;
    requests = request->next;
    free(request->text);
    free(request);
  }
#endif
  return sum == 1 || (requests && requests->next == requests);
}
