// unprofiled.c - a program fills a hard limit with small chunks: it gets most of what it gets plainly, since chunks beyond the budget have
// no profile; each is counted, in the one number or in the other, and all work as ever. The dump is whole, and says what it does not know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: for limit in AS=200000000 DATA=200000000; do for way in fill threads; do \
// RUN:   %limited $limit 50 20000000 $way || exit 1; done; done
// Counts are exact, and told.
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: (ulimit -v 200000 && %env_heapprof_opts=dump_dir=%t.dump:leak_check=1 %run %t count > %t.count)
// RUN: %heapprof_score --json %t.dump > %t.json
// RUN: %python %S/Inputs/check_unprofiled.py %t.count %t.json
// RUN: for way in "" --findings; do env COLUMNS=1000 %heapprof_score $way %t.dump 2>&1 | FileCheck --check-prefix=NOTE %s || exit 1; done
// RUN: rm -rf %t.merged && %heapprof_merge -o %t.merged %t.dump/* && env COLUMNS=1000 %heapprof_score %t.merged | FileCheck --check-prefix=NOTE %s
// NOTE: {{[0-9]+}} chunks of {{[0-9]+}} bytes were given out without a profile, since the limit of memory was near
// To look at each of so many live chunks takes little memory (test/performance/live-memory.c), so that none is left out.
// RUN: env COLUMNS=1000 %heapprof_score %t.dump | FileCheck --check-prefix=LIVE %s
// LIVE-NOT: have unknown accesses: the limit of memory
// LIVE: chunks of {{[0-9]+}} bytes were given out without a profile
// A budget would be kept by what is not counted.
// RUN: not %heapprof_check --write-budget %t.dump 2>&1 | FileCheck --check-prefix=CHECKED %s
// CHECKED: {{[0-9]+}} chunks have no profile, since the limit of memory was near, so it cannot be judged; raise that limit
// Where there is sampling, samples that find no room are counted, too.
// RUN: HEAPPROF_MORE=sample_every=2 %limited AS=200000000 50 20000000 fill
// The program goes on in a child, and after it raised its limit.
// RUN: %survives allocations=1000+ ended=exit,exit -- child
// RUN: %survives allocations=1000+ -- raise
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A list of chunks, so that nothing but they take memory.
struct node {
  struct node *next;
  size_t size;
  unsigned char bytes[];
};

static struct node *add(struct node *list, size_t size, int way) {
  struct node *n = NULL;
  const size_t whole = sizeof *n + size;
  if (way % 4 == 0)
    n = malloc(whole);
  if (way % 4 == 1)
    n = calloc(1, whole);
  if (way % 4 == 2 && posix_memalign((void **)&n, way % 3 ? 64 : 1024, whole))
    n = NULL;
  if (way % 4 == 3 && (n = malloc(10))) {
    memcpy(n, "123456789", 10);
    struct node *more = realloc(n, whole);
    if (!more)
      free(n);
    else if (memcmp(more, "123456789", 10))
      exit(10);
    n = more;
  }
  if (!n)
    return NULL;
  if (way % 4 == 1)
    for (size_t i = 0; i < size; i++)
      if (n->bytes[i])
        exit(11);
  if (way % 4 == 2 && (size_t)n % (way % 3 ? 64 : 1024))
    exit(12);
  if (malloc_usable_size(n) < whole)
    exit(13);
  n->next = list;
  n->size = size;
  memset(n->bytes, (int)size, size);
  return n;
}

static size_t size_of(int i) { return i % 50 ? i % 7 * 40 : 3000; }

static size_t check(struct node *list) {
  size_t sum = 0;
  for (struct node *n = list, *next; n; n = next) {
    next = n->next;
    for (size_t i = 0; i < n->size; i++)
      if (n->bytes[i] != (unsigned char)n->size)
        exit(14);
    sum += n->size;
    free(n);
  }
  return sum;
}

static void *fill(void *sum) {
  struct node *list = NULL, *more;
  for (int i = 0; (more = add(list, size_of(i), i)); i++)
    list = more;
  *(size_t *)sum = check(list);
  list = NULL; // once more, with what was freed
  for (int i = 0; i < 1000 && (more = add(list, size_of(i), i)); i++)
    list = more;
  check(list);
  return NULL;
}

static void limit(rlim_t bytes) {
  struct rlimit limit = {bytes, 400u << 20};
  if (setrlimit(RLIMIT_AS, &limit))
    exit(1);
}

int main(int argc, char **argv) {
  static size_t sums[3];
  char line[60];
  if (!strcmp(argv[1], "count")) { // every call is counted, and its bytes
    unsigned long chunks = 0, bytes = 0;
    char *p;
    for (size_t i = 0; (p = malloc(i % 900)); i++) {
      if (i % 900)
        p[0] = 1;
      chunks++;
      bytes += i % 900;
    }
    return write(1, line, sprintf(line, "%lu %lu\n", chunks, bytes)) < 0;
  }
  if (!strcmp(argv[1], "fill"))
    fill(&sums[0]);
  if (!strcmp(argv[1], "threads")) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
      if (pthread_create(&threads[i], NULL, fill, &sums[i]))
        exit(15);
    for (int i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
  }
  if (!strcmp(argv[1], "child")) {
    limit(100u << 20);
    fill(&sums[0]);
    if (fork() == 0) {
      fill(&sums[0]);
      return 3;
    }
    int status;
    wait(&status);
    return WEXITSTATUS(status);
  }
  if (!strcmp(argv[1], "raise")) {
    limit(100u << 20);
    fill(&sums[0]);
    limit(400u << 20);
    fill(&sums[1]);
    return sums[1] > 2 * sums[0] ? 3 : 4;
  }
  return write(1, line, sprintf(line, "%zu\n", sums[0] + sums[1] + sums[2])) <
         0;
}
