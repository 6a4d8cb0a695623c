/* queue.c - queue MESSAGES BYTES: one thread allocates and fills messages, another reads and frees them.
   Every chunk is touched by two threads and freed by the one that did not allocate it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 256u

/* On lines of its own: else where the linker puts it decides how long the mutex takes. */
static struct {
  _Alignas(128) pthread_mutex_t mutex;
  pthread_cond_t not_full, not_empty;
  unsigned char *messages[SLOTS];
  size_t put, taken;
} queue = {PTHREAD_MUTEX_INITIALIZER,
           PTHREAD_COND_INITIALIZER,
           PTHREAD_COND_INITIALIZER,
           {NULL},
           0,
           0};
static size_t count, bytes;

static void *produce(void *unused) {
  for (size_t i = 0; i < count; i++) {
    unsigned char *message = malloc(bytes);
    if (!message)
      exit(1);
    for (size_t k = 0; k < bytes; k++)
      message[k] = (unsigned char)(i + k);
    pthread_mutex_lock(&queue.mutex);
    while (queue.put - queue.taken == SLOTS)
      pthread_cond_wait(&queue.not_full, &queue.mutex);
    queue.messages[queue.put++ % SLOTS] = message;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.mutex);
  }
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  count = strtoul(argv[1], NULL, 10);
  bytes = strtoul(argv[2], NULL, 10);
  pthread_t producer;
  if (pthread_create(&producer, NULL, produce, NULL))
    return 1;
  unsigned total = 0;
  for (size_t i = 0; i < count; i++) {
    pthread_mutex_lock(&queue.mutex);
    while (queue.put == queue.taken)
      pthread_cond_wait(&queue.not_empty, &queue.mutex);
    unsigned char *message = queue.messages[queue.taken++ % SLOTS];
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.mutex);
    for (size_t k = 0; k < bytes; k++)
      total = total * 33 + message[k];
    free(message);
  }
  pthread_join(producer, NULL);
  printf("%u\n", total);
  return 0;
}
