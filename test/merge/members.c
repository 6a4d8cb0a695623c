// Two processes whose members were counted, merged: in whatever order the same bytes, with the numbers of both together, and the lines of code.
// Lines that threads share falsely add up, too; what is found is found in the merged dump.
//
// REQUIRES: llvm-22
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clang_heapprof -fsanitize-heapprof-members -O1 -g -pthread %s -o %t.d/prog
// RUN: cd %t.d && for n in 1 2 3; do HEAPPROF_OPTIONS=members=1:dump_dir=$n ./prog $((n * 10)); done
// RUN: cd %t.d && HEAPPROF_OPTIONS=dump_dir=4 ./prog 5
// RUN: cd %t.d && %heapprof_merge -o ab 1 2 && %heapprof_merge -o ba 2 1 && diff -r ab ba
// RUN: cd %t.d && %heapprof_merge -o abc ab 3 && %heapprof_merge -o cab 3 1 2 && diff -r abc cab
// RUN: cd %t.d && %heapprof_merge -o again abc && diff -r abc again
// RUN: cd %t.d && %python %S/Inputs/check_members.py %heapprof_score abc 1 2 3
// A process that counted none has chunks, for which the others' stand.
// RUN: cd %t.d && %heapprof_merge -o abcd abc 4 && %python %S/Inputs/check_members.py %heapprof_score abcd 1 2 3 4
// RUN: cd %t.d && %heapprof_score --findings abc | tr -s '\n ' ' ' | FileCheck %s
// CHECK: hits (thread {{[0-9]+}}, 1800 writes) and misses (thread {{[0-9]+}}, 1800 writes) of stats (members.c:{{[0-9]+}}) lie in one cache line, at offset 0, and threads write them in turns: another thread did 357 times in 3 counted chunks
// CHECK-SAME: [false_sharing]
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int key, value;
  char name[40];
};

struct stats {
  volatile long hits, misses;
};

static struct node *first;
struct stats *stats;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void make(int key) {
  struct node *node = malloc(sizeof *node);
  node->next = first;
  node->key = key;
  node->value = 1;
  first = node;
}

__attribute__((noinline)) static int find(int key) {
  for (struct node *node = first; node; node = node->next)
    if (node->key == key)
      return node->value;
  return 0;
}

static void *work(void *arg) {
  for (int turn = 0; turn < 120; turn++) {
    for (int i = 0; i < 10 && turn % 2 == (arg != NULL); i++) {
      if (arg)
        stats->misses++;
      else
        stats->hits++;
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t threads[2];
  int sum = 0;
  for (int i = 0; i < n; i++)
    make(i);
  for (int i = 0; i < n; i++)
    sum += find(i);
  stats = calloc(1, sizeof *stats);
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, i ? threads : NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return sum != n;
}
