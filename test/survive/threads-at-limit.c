// threads-at-limit.c - threads begin and end until there is no memory left: none of
// their frees is taken for one of a chunk that does not live, and no line is printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 %s -o %t
// RUN: %run %t > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=heapprof %s < %t.out
// CHECK: ENOMEM
// CHECK-NEXT: done
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { THREADS = 3000 };
static unsigned made;
static pthread_attr_t detached;

static void *nothing(void *unused) { return unused; }

static void *create(void *unused) {
  pthread_t thread;
  while (__atomic_load_n(&made, __ATOMIC_RELAXED) < THREADS)
    if (pthread_create(&thread, &detached, nothing, NULL) == 0)
      __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  struct rlimit limit = {400u << 20, 400u << 20};
  if (setrlimit(RLIMIT_AS, &limit))
    return 1;
  void *p = NULL;
  errno = 0;
  if (posix_memalign(&p, 64, (size_t)1 << 30) == ENOMEM && errno == ENOMEM)
    puts("ENOMEM");
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&detached, (size_t)16 << 20);
  pthread_t creators[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&creators[i], NULL, create, NULL))
      return 1;
  for (int i = 0; i < 2; i++)
    pthread_join(creators[i], NULL);
  puts("done");
  return 0;
}
