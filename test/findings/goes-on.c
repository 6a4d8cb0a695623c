// goes-on.c - a table is filled, a dump is asked for, and the table is read after that: the dump cannot tell that nobody reads it.
// What ended before is a fact there, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.*.1 | tr -s '\n ' ' ' | FileCheck %s
// RUN: mv %dump/heapprof.*.1 %t.first && rm -rf %t.last && mv %dump/heapprof.* %t.last && rm -rf %t.first
// RUN: %heapprof_score --findings %t.last | FileCheck --check-prefix=LAST %s
// CHECK-DAG: Likely: 1000 chunks of 80 B (row) from fill (goes-on.c:[[#]]) are written and, as far as was seen, never read
// CHECK-DAG: Fact: 1000 chunks of 48 B ({{[a-z]+}}) from scratch (goes-on.c:[[#]]) are written and never read
// LAST-NOT: from fill
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <string.h>

struct row {
  struct row *next;
  char text[72];
};

__attribute__((noinline)) static struct row *fill(void) {
  struct row *first = NULL;
  for (int i = 0; i < 1000; i++) {
    struct row *row = malloc(sizeof *row);
    row->next = first;
    memset(row->text, i, sizeof row->text);
    first = row;
  }
  return first;
}

__attribute__((noinline)) static void scratch(void) {
  for (int i = 0; i < 1000; i++) {
    volatile char *bytes = malloc(48);
    bytes[i % 48] = 1;
    free((void *)bytes);
  }
}

int main(void) {
  struct row *rows = fill();
  long sum = 0;
  scratch();
  __heapprof_dump();
  while (rows) {
    struct row *next = rows->next;
    for (int i = 0; i < 72; i++)
      sum += rows->text[i];
    free(rows);
    rows = next;
  }
  return sum == 1;
}
