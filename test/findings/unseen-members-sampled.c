// unseen-members-sampled.c - of a sampled run the share of the peak that a type has is an estimate, and of few samples it is not told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t
// RUN: %run %t 100
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=FULL %s
// RUN: env HEAPPROF_OPTIONS=sample_every=2 %run %t 100
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=SAMPLED %s
// RUN: env HEAPPROF_OPTIONS=sample_every=2 %run %t 7
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=FEW %s
// FULL: not counted: which members of order ({{[0-9]+}} % of the peak) are used,
// SAMPLED: not counted: which members of order (~{{[0-9]+}} % of the peak) are used,
// FEW: sampled one for every 2 allocations
// FEW-NOT: not counted
#include <stdlib.h>
#include <string.h>

struct order {
  long number, price, amount, customer;
};

enum { BYTES = 4 << 20 };

static struct order *orders[100];

/* So many chunks, the more the smaller. */
int main(int argc, char **argv) {
  const int chunks = argc > 1 ? atoi(argv[1]) : 1;
  const size_t count = BYTES / sizeof(struct order) / (size_t)chunks;
  long sum = 0;
  for (int i = 0; i < chunks; i++) {
    orders[i] = malloc(count * sizeof(struct order));
    if (!orders[i])
      return 1;
    for (size_t k = 0; k < count; k++)
      orders[i][k] = (struct order){(long)k, i, 1, 2};
  }
  for (int i = 0; i < chunks; i++) {
    for (size_t k = 0; k < count; k++)
      sum += orders[i][k].number + orders[i][k].price + orders[i][k].amount +
             orders[i][k].customer;
    free(orders[i]);
  }
  return sum == 1;
}
