// steps.c - allocates for ever in two threads, and counts on a page of a file how far it got.
// Whoever kills it knows from that how much its profile should hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long *counts; // allocations that have returned, by thread

static void *step(void *number) {
  unsigned long *count = counts + 64 * (long)number;
  for (unsigned i = 0;; i++) {
    char *volatile kept[50];
    for (int k = 0; k < 50; k++) {
      kept[k] = malloc(10 + (i + k) % 500);
      *kept[k] = 1;
      ++*count;
    }
    for (int k = 0; k < 50; k++)
      free(kept[k]);
    usleep(100);
  }
}

int main(int argc, char **argv) {
  int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (ftruncate(fd, 4096))
    return 1;
  counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, step, (void *)1);
  step((void *)0);
}
