// thread-keys.c - the program may have all the keys for thread-specific data that libc has, and threads come and go all the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: %survives allocations=20000+ -- pthread
// RUN: %survives allocations=20000+ -- c11
// The first keys have the same numbers, and are none before they are asked for.
// RUN: %survives allocations=1+ -- first
// What the runtime keeps of a thread is the next one's, whether the key was given up before or while it ran.
// RUN: (%env_heapprof_opts=stats=1 %run %t pthread 2>&1; test $? = 3) | FileCheck %s
// CHECK-DAG: 1024 keys
// CHECK-DAG: threads {{[0-9]?[0-9]?[0-9],}}
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static void *volatile kept;

static void *use(void *unused) {
  for (int i = 0; i < 100; i++)
    free(kept = malloc(100));
  return unused;
}

static pthread_barrier_t barrier;
static void *use_around(void *unused) {
  use(unused);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return use(unused);
}

static void destroy(void *value) { free(value); }

static int first(void) {
  void *volatile p = malloc(10);
  for (pthread_key_t key = 0; key < 31; key++)
    printf("%d ", pthread_setspecific(key, p));
  for (int i = 0; i < 20; i++) {
    pthread_key_t key;
    pthread_key_create(&key, destroy);
    printf("%u ", key);
  }
  return 4;
}

int main(int argc, char **argv) {
  if (!strcmp(argv[1], "first"))
    return first();
  pthread_t thread, around;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&around, NULL, use_around, NULL);
  pthread_barrier_wait(&barrier);
  pthread_key_t keys[PTHREAD_KEYS_MAX + 1];
  int count = 0;
  if (!strcmp(argv[1], "pthread"))
    while (count <= PTHREAD_KEYS_MAX &&
           pthread_key_create(&keys[count], destroy) == 0)
      count++;
  else
    while (count <= PTHREAD_KEYS_MAX &&
           tss_create(&keys[count], destroy) == thrd_success)
      count++;
  printf("%d keys\n", count);
  for (int i = 0; i < count; i++)
    if (pthread_getspecific(keys[i]) || pthread_setspecific(keys[i], malloc(8)))
      return 1;
  pthread_barrier_wait(&barrier);
  pthread_join(around, NULL);
  for (int i = 0; i < 200; i++)
    if (pthread_create(&thread, NULL, use, NULL) || pthread_join(thread, NULL))
      return 2;
  return 3;
}
