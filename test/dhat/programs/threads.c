/* threads.c - blocks handed between threads: width 4.
   Their order changes from run to run, their totals do not.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, BLOCKS = 50 };

static int *produce(int n) {
  int *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = i;
  return p;
}

static void *work(void *argument) {
  int *handed = argument; /* allocated by main */
  int sum = 0;
  for (int i = 1; i <= BLOCKS; i++) { /* 4 x 1275 ints in 4 x 50 blocks */
    int *p = produce(i);
    sum += p[i - 1];
    free(p);
  }
  handed[1] = handed[0] + sum;
  int *result = malloc(sizeof *result); /* freed by main */
  *result = handed[1];
  return result;
}

int main(void) {
  pthread_t threads[THREADS];
  int *handed[THREADS];
  int total = 0;
  for (int i = 0; i < THREADS; i++) {
    handed[i] = malloc(2 * sizeof **handed);
    handed[i][0] = i;
    if (pthread_create(&threads[i], NULL, work, handed[i]) != 0)
      return 2;
  }
  for (int i = 0; i < THREADS; i++) {
    void *result;
    if (pthread_join(threads[i], &result) != 0)
      return 2;
    total += *(int *)result;
    free(result);
    free(handed[i]);
  }
  /* 4 x (0 + 1 + ... + 49) + 0 + 1 + 2 + 3 */
  return total == 4906 ? 0 : 1;
}
