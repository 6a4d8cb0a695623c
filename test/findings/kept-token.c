// kept-token.c - a lexer that many call keeps the text of one token, and drops it when it takes the next: the place is
// its own line, not those of its callers; and its twin, which has room for the text. A setter that each record has its
// text by is none: what its callers put there stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// RUN: %clang_heapprof -O2 -g -DRECORDS %s -o %t.records && %run %t.records
// RUN: %heapprof_score --limit 0 %dump/heapprof.* | FileCheck --check-prefix=RECORDS %s
// CHECK: 1. Likely: next (kept-token.c:[[#]]) allocates char of up to 9 B one after the other
// CHECK-SAME: freed by next (kept-token.c:[[#]]): 50000 allocations
// CHECK-NOT: 2. Likely
// REPAIRED: no findings
// RECORDS-NOT: {{^}}set kept-token.c
// RECORDS-DAG: main kept-token.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef RECORDS
static struct record {
  char *name, *street, *town, *land;
} records[1000];

__attribute__((noinline)) static void set(char **text, const char *to,
                                          int number) {
  size_t size = strlen(to) + 8;
  free(*text);
  *text = malloc(size);
  snprintf(*text, size, "%s%d", to, number);
}

int main(void) {
  int sum = 0;
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < 1000; i++) {
      set(&records[i].name, "name", i);
      set(&records[i].street, "street", i);
      set(&records[i].town, "town", round);
      set(&records[i].land, "land", round);
      sum += records[i].name[4] + records[i].street[6];
    }
  return sum == 1;
}
#else
static const char *source;
#ifdef REPAIRED
static char token[16];
#else
static char *token;
#endif

__attribute__((noinline)) static void next(void) {
  size_t length = strcspn(source, " ");
#ifndef REPAIRED
  free(token);
  token = malloc(length + 1);
#endif
  memcpy(token, source, length);
  token[length] = 0;
  source += length + 1;
}

__attribute__((noinline)) static int sum(void) {
  int value = atoi(token);
  next();
  if (*token == '+') {
    next();
    value += atoi(token);
    next();
  }
  return value;
}

int main(void) {
  int result = 0;
  for (int i = 0; i < 10000; i++) {
    source = "let 12345678 + 2 ; ";
    next();
    result += *token == 'l';
    next();
    result += sum();
    result += *token == ';';
  }
  return result == 1;
}
#endif
