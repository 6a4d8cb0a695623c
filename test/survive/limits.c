// limits.c - the program comes to the end of its memory: RLIMIT_DATA, with some room or none.
// It is told so as without us, keeps what it had, and goes on with what it frees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// The limit is gone at the end, so that all is in the dump.
// RUN: %survives allocations=10+ -- data
// RUN: %survives allocations=10+ opts=sample_bytes=4096 -- data
// It stays: what the hard limit leaves is enough for the dump.
// RUN: %survives allocations=10+ -- data_kept
// Of what the runtime had taken ahead the program may get some chunks more.
// RUN: %survives allocations=10+ -- nothing
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define CHUNK (1ul << 20)
#define MOST 4000

// No more data than there is now and ROOM.
static void limit_data(unsigned long room) {
  unsigned long data = 0;
  struct rlimit limit;
  FILE *f = fopen("/proc/self/statm", "r");
  fscanf(f, "%*u %*u %*u %*u %*u %lu", &data);
  fclose(f);
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = data * 4096 + room;
  setrlimit(RLIMIT_DATA, &limit);
}

static void limit_no_more(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_DATA, &limit);
}

// Takes chunks until there are no more; what they hold must be what was put in.
static int fill(char **chunks) {
  int count = 0;
  errno = 0;
  while (count < MOST && (chunks[count] = malloc(CHUNK))) {
    memset(chunks[count], count, CHUNK);
    count++;
  }
  printf("all were had: %d, errno %d\n", count == MOST, errno);
  for (int i = 0; i < count; i++)
    for (unsigned long k = 0; k < CHUNK; k += 4096)
      if (chunks[i][k] != (char)i)
        exit(1);
  return count;
}

int main(int argc, char **argv) {
  static char *chunks[MOST];
  const char *way = argv[1];
  for (int i = 0; i < 10; i++)
    chunks[i] = malloc(100);
  limit_data(strcmp(way, "nothing") ? 100 * CHUNK : 0);
  for (int i = 0; i < 10; i++)
    free(chunks[i]);
  int count = fill(chunks);
  if (count && strcmp(way, "nothing")) { // the last one's room is there again
    free(chunks[count - 1]);
    chunks[count - 1] = malloc(CHUNK);
    printf("again: %d\n", chunks[count - 1] != NULL);
  }
  char *volatile text = malloc(100);
  printf("small: %d\n", text != NULL);
  if (text)
    text[99] = 1;
  if (!strcmp(way, "data"))
    limit_no_more();
  return 3;
}
