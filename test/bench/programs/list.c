/* list.c - list NODES ROUNDS: walks along a linked list whose order is not that of the addresses.
   Each access waits for the one before it, and each is to another chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  uint64_t key, visits;
};

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t n = strtoul(argv[1], NULL, 10);
  unsigned rounds = (unsigned)strtoul(argv[2], NULL, 10);
  struct item **order = malloc(n * sizeof *order);
  if (!n || !order)
    return 1;
  for (size_t i = 0; i < n; i++) {
    order[i] = malloc(sizeof **order);
    if (!order[i])
      return 1;
    *order[i] = (struct item){NULL, i, 0};
  }
  uint64_t random = 1;
  for (size_t i = n - 1; i > 0; i--) {
    random = random * 2862933555777941757u + 3037000493u;
    size_t other = (random >> 33) % (i + 1);
    struct item *item = order[i];
    order[i] = order[other];
    order[other] = item;
  }
  for (size_t i = 0; i + 1 < n; i++)
    order[i]->next = order[i + 1];
  uint64_t total = 0;
  for (unsigned round = 0; round < rounds; round++)
    for (struct item *item = order[0]; item; item = item->next) {
      item->visits++;
      total = total * 31 + item->key;
    }
  printf("%llu %llu\n", (unsigned long long)total,
         (unsigned long long)order[n - 1]->visits);
  for (size_t i = 0; i < n; i++)
    free(order[i]);
  free(order);
  return 0;
}
