/* libc.c - without hooks no access is counted, but what libc is seen to do beyond a chunk is told, and whole chunks that it
   copies into larger ones. A copy of a few bytes says nothing of a chunk whose other bytes nobody saw.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g -fno-builtin -pthread %s -o libc
// RUN: cd %t.d && ./libc > plain.out && %heapprof_run --chunk-log=all ./libc > out && cmp plain.out out && %heapprof_score --findings --limit 0 heapprof.libc.* > findings && FileCheck %s < findings && FileCheck --check-prefix=NONE %s < findings
// NONE-NOT: heads
// RUN: cd %t.d && %heapprof_score --csv --limit 0 heapprof.libc.* > csv && %python %S/Inputs/counts.py texts grown < csv | FileCheck --check-prefix=COUNTS %s
// CHECK-DAG: 1 chunk of 10 B from beyond ({{.*}}) is written beyond the end
// CHECK-DAG: 1 chunk of 20 B from others ({{.*}}) is written beyond the end
// CHECK-DAG: A buffer in grown ({{.*}}) grows 11 times
// COUNTS: texts: 0 reads, 0 writes, 0 bytes accessed
// COUNTS: grown: 0 reads, 0 writes, 0 bytes accessed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void beyond(void) {
  char *volatile text = malloc(10);
  strcpy(text, "0123456789ab");
  free(text);
}

static void *fill(void *chunk) {
  memset(chunk, 1, 20);
  memset(chunk, 1, 24);
  return NULL;
}

__attribute__((noinline)) static void others(void) {
  void *volatile chunk = malloc(20);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, chunk);
  pthread_join(thread, NULL);
  free(chunk);
}

/* The usual calls on texts, all within. */
__attribute__((noinline)) static int texts(void) {
  char *volatile text = malloc(100);
  strcpy(text, "a text");
  strcat(text, ", and more");
  int sum = (int)strlen(text) + memcmp(text, "a", 1);
  sum += snprintf(text + 50, 50, "%s", text);
  free(text);
  return sum;
}

__attribute__((noinline)) static void grown(void) {
  char *volatile last = malloc(64);
  for (size_t size = 64; size < 131072; size *= 2) {
    char *next = malloc(2 * size);
    memcpy(next, last, size);
    free(last);
    last = next;
  }
  free(last);
}

/* Each has the first bytes of the one before. */
__attribute__((noinline)) static void heads(void) {
  char *volatile last = malloc(64);
  for (size_t size = 64; size < 131072; size *= 2) {
    for (size_t i = 0; i < size; i++)
      ((char volatile *)last)[i] = (char)(size + i);
    char *next = malloc(2 * size);
    memcpy(next, last, 16);
    free(last);
    last = next;
  }
  free(last);
}

int main(void) {
  beyond();
  others();
  printf("%d\n", texts());
  grown();
  heads();
  return 0;
}
