// string-copies.c - a request's headers copied string by string, and their twin in a pool that is kept from request to request.
// As Axis2/C did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely:
// CHECK-SAME: serve (string-copies.c:{{[0-9]+}}) allocates char of up to 23 B for itself, and frees each, it seems in the same call,
// CHECK-SAME: 5000 allocations (100 % of all)
// CHECK-SAME: -> Use a variable on the stack, if there is a bound to its size: 23 B were enough.
// CHECK-SAME: [stack_instead]
// REPAIRED: no findings
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 1000, HEADERS = 5 };
static const char *const headers[HEADERS] = {
    "Host: example.org", "Accept: text/xml", "Content-Length: 411",
    "SOAPAction: \"echo\"", "Connection: keep-alive"};

__attribute__((noinline)) size_t serve(char *pool) {
  char *copies[HEADERS];
  size_t colons = 0;
  for (int i = 0; i < HEADERS; i++) {
#ifdef REPAIRED
    copies[i] = pool;
    pool = stpcpy(pool, headers[i]) + 1;
#else
    copies[i] = strdup(headers[i]);
#endif
  }
  for (int i = 0; i < HEADERS; i++) {
    colons += (size_t)(strchr(copies[i], ':') - copies[i]);
#ifndef REPAIRED
    free(copies[i]);
#endif
  }
  return colons;
}

int main(void) {
  size_t sum = 0;
  char *pool = NULL;
#ifdef REPAIRED
  pool = malloc(100);
#endif
  for (int i = 0; i < REQUESTS; i++)
    sum += serve(pool);
  free(pool);
  return sum == 1;
}
