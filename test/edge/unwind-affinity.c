/* unwind-affinity.c - libc itself reallocs where the frame pointer's register holds something else.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck %s
// RUN: %env_heapprof_opts=fast_unwind_on_malloc=0:check_stacks=1 %run %t 2>&1 | FileCheck %s
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
int main(void) {
  cpu_set_t s;
  CPU_ZERO(&s);
  CPU_SET(0, &s);
  for (int i = 0; i < 5; i++) {
    pthread_attr_t a, b;
    pthread_attr_init(&a);
    for (size_t k = 8; k <= 128; k += 8)
      if (pthread_attr_setaffinity_np(&a, k, &s))
        abort();
    pthread_setattr_default_np(&a);
    pthread_getattr_default_np(&b);
    pthread_attr_destroy(&b);
    pthread_attr_destroy(&a);
  }
  return 0;
}
