/* threads.c - threads THREADS ROUNDS: each thread allocates, touches and frees arrays of its own.
   The threads share nothing, so two take as long as one unless a profiler makes them meet.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LIVE 64u
#define THREADS_MAX 64u

static unsigned long rounds;

static void *work(void *result) {
  unsigned long *live[LIVE] = {NULL};
  unsigned long total = 0, random = 7;
  for (unsigned long round = 0; round < rounds; round++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    unsigned slot = (unsigned)(random >> 40) % LIVE;
    unsigned n = 4 + (unsigned)(random >> 50) % 60;
    free(live[slot]);
    unsigned long *array = live[slot] = malloc(n * sizeof *array);
    if (!array)
      exit(1);
    array[0] = random;
    for (unsigned i = 1; i < n; i++)
      array[i] = array[i - 1] * 31 + i;
    for (unsigned i = n; i-- > 0;)
      total = (total << 1 | total >> 63) ^ array[i];
  }
  for (unsigned i = 0; i < LIVE; i++)
    free(live[i]);
  *(unsigned long *)result = total;
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  unsigned n = (unsigned)strtoul(argv[1], NULL, 10);
  rounds = strtoul(argv[2], NULL, 10);
  if (!n || n > THREADS_MAX)
    return 2;
  pthread_t threads[THREADS_MAX];
  unsigned long results[THREADS_MAX];
  for (unsigned i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, work, &results[i]))
      return 1;
  for (unsigned i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < n; i++)
    printf("%lu\n", results[i]);
  return 0;
}
