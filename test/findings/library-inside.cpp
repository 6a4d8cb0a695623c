// library-inside.cpp - what a library does with chunks of its own is not seen: nobody says that it keeps them too long, or too early.
// Its requests for 0 bytes are not the program's either; a text that only it reads seems unread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* | grep '"zero_size": {"chunks": 100, "bytes": 0, "flagged": true}'
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | \
// RUN:   FileCheck %s --implicit-check-not='0 bytes' --implicit-check-not='long {{after|before}}'
// CHECK: 100 chunks of 16 B (char) from search (library-inside.cpp:[[#]]) are written and, as far as was seen, never read
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex.h>
#include <sanitizer/heapprof_interface.h>

static regex_t expressions[100];

/* Without a group there is a table of no entries. */
__attribute__((noinline)) static void compile(regex_t *expression) {
  if (regcomp(expression, "c[0-9]+", 0) != 0)
    __builtin_trap();
}

/* As a library without our hooks does. */
HEAPPROF_NO_INSTRUMENT __attribute__((noinline)) static int
look_up(const volatile char *text) {
  return text[0] == 'a';
}

__attribute__((noinline)) static int search() {
  char *text = (char *)malloc(16);
  memcpy(text, "ababababab c123", 16);
  int found = look_up(text);
  free(text);
  return found;
}

__attribute__((noinline)) static long work(const volatile int *cell) {
  long sum = 0;
  for (int i = 0; i < 400000000; i++)
    sum += *cell;
  return sum;
}

int main() {
  int found = 0, one = 1;
  std::ifstream zeros[4];
  for (std::ifstream &from : zeros) {
    from.open("/dev/zero");
    found += from.get();
  }
  for (regex_t &expression : expressions)
    compile(&expression);
  found += work(&one) == 0;
  for (int i = 0; i < 100; i++)
    found += search();
  for (regex_t &expression : expressions)
    regfree(&expression);
  return found == 1;
}
