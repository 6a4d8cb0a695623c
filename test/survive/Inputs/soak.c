// soak.c - EVENTS DUMP-DIR: THREADS threads allocate and free, from PATHS call stacks, while others come and go.
// After each eighth of the events it prints the resident memory and the size of the dump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// By the command line: as many threads, and 10 to the power of DIGITS call stacks.
#ifndef THREADS
#define THREADS 3
#define DIGITS 2
#define PATHS 100
#endif
#define KEPT 4096
#define SHARED 256

// Each digit of PATH is a call from one of ten places.
#define PLACE(n)                                                               \
  case n:                                                                      \
    __asm__ volatile("# " #n);                                                 \
    p = walk(path / 10, depth - 1, size);                                      \
    __asm__ volatile("# " #n);                                                 \
    break

__attribute__((noinline)) static void *walk(unsigned path, unsigned depth,
                                            size_t size) {
  void *volatile p = NULL;
  if (depth == 0)
    return malloc(size);
  switch (path % 10) {
    PLACE(0);
    PLACE(1);
    PLACE(2);
    PLACE(3);
    PLACE(4);
    PLACE(5);
    PLACE(6);
    PLACE(7);
    PLACE(8);
    PLACE(9);
  }
  return p;
}

static char *shared[SHARED];
static unsigned long part; // events of a thread in an eighth

static void *brief(void *unused) {
  char *volatile p = malloc(100);
  p[3] = 1;
  free(p);
  return NULL;
}

static void *work(void *number) {
  static __thread char *kept[KEPT];
  unsigned long seed = (unsigned long)number;
  for (unsigned long n = 0; n < part; n += 2) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    unsigned random = seed >> 33, at = random % KEPT;
    size_t size = 8 + random / KEPT % 300;
    free(kept[at]);
    // An eighth of many stacks, the others of one.
    kept[at] =
        random % 8 ? malloc(size) : walk(random / 8 % PATHS, DIGITS, size);
    kept[at][size - 1] = 1;
    if (random % 97 == 0) { // another thread frees it
      kept[at] = __atomic_exchange_n(&shared[random % SHARED], kept[at],
                                     __ATOMIC_ACQ_REL);
      if (kept[at])
        kept[at][0]++;
    }
    if (n % 1000000 == 0) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, brief, NULL) == 0)
        pthread_join(thread, NULL);
    }
  }
  for (int i = 0; i < KEPT; i++) {
    free(kept[i]);
    kept[i] = NULL;
  }
  return NULL;
}

static unsigned long dump_size(const char *path) {
  unsigned long size = 0;
  DIR *directory = opendir(path);
  for (struct dirent *e; directory && (e = readdir(directory));) {
    char name[4096];
    struct stat status;
    snprintf(name, sizeof name, "%s/%s", path, e->d_name);
    if (e->d_name[0] == '.' || stat(name, &status))
      continue;
    size += S_ISDIR(status.st_mode) ? dump_size(name)
                                    : (unsigned long)status.st_size;
  }
  if (directory)
    closedir(directory);
  return size;
}

static unsigned long resident(void) {
  unsigned long all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%lu %lu", &all, &pages) != 2)
    exit(2);
  fclose(f);
  return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
  unsigned long events = strtoul(argv[1], NULL, 10);
  part = events / 8 / THREADS;
  for (int eighth = 1; eighth <= 8; eighth++) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
      if (pthread_create(&threads[i], NULL, work, (void *)(8 * i + eighth)))
        return 1;
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    printf("%lu events, resident %lu KiB, dump %lu KiB\n",
           eighth * part * THREADS, resident() >> 10, dump_size(argv[2]) >> 10);
    fflush(stdout);
  }
  return 0;
}
