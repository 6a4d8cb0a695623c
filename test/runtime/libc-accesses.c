// libc-accesses.c - what libc's functions read and write in the heap is
// counted: one access of the whole range for each range a function touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O2; do \
// RUN:   %clang_heapprof -w -fno-builtin $level %s -o %t && \
// RUN:   %run %t 2> %t.errors && count 0 < %t.errors && \
// RUN:   %heapprof_score --json %dump > %t.json && \
// RUN:   %python -c 'import json, sys; \
// RUN:     print("\n".join(" ".join(map(str, x)) for x in sorted( \
// RUN:       (p["size"]["max"] - 6000, p["reads"], p["writes"], \
// RUN:        p["bytes_accessed"]) for p in \
// RUN:       json.load(open(sys.argv[1]))["points"] \
// RUN:       if 6000 < p["size"]["max"] < 6100)))' %t.json > %t.out && \
// RUN:   FileCheck %s < %t.out || exit 1; done
// CHECK-NOT: {{^[0-9]}}
#define _GNU_SOURCE
#include <fcntl.h>
#include <regex.h>
#include <sanitizer/heapprof_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static volatile long sink; // or calls without an effect are dropped

static char *chunk(int n) { return malloc(6000 + n); }

HEAPPROF_NO_INSTRUMENT static int by_byte(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}

HEAPPROF_NO_INSTRUMENT __attribute__((noinline)) static void
write_unseen(char *to, const char *from, int n) {
  for (int i = 0; i < n; i++)
    ((volatile char *)to)[i] = from[i];
}

int main(void) {
  char *p;
  // Number, reads, writes, bytes accessed.
  // CHECK: 1 0 1 6{{$}}
  strcpy(chunk(1), "hello");
  // CHECK-NEXT: 2 1 1 6{{$}}
  p = chunk(2);
  strcpy(p, "hello");
  sink = (long)strlen(p);
  // strncpy fills what it is given.
  // CHECK-NEXT: 3 0 1 20{{$}}
  strncpy(chunk(3), "hello", 20);
  // strcat reads what is there, and writes from its end on.
  // CHECK-NEXT: 4 1 2 12{{$}}
  p = chunk(4);
  strcpy(p, "hello");
  strcat(p, " world");
  // CHECK-NEXT: 5 1 2 9{{$}}
  p = chunk(5);
  strcpy(p, "hello");
  strncat(p, " world", 3);
  // CHECK-NEXT: 6 1 1 6{{$}}
  p = chunk(6);
  strcpy(p, "hello");
  free(strdup(p));
  // CHECK-NEXT: 7 1 1 6{{$}}
  p = chunk(7);
  strcpy(p, "hello");
  free(strndup(p, 3));
  // CHECK-NEXT: 8 3 1 7{{$}}
  p = chunk(8);
  strcpy(p, " 42 x ");
  sink = (long)atoi(p);
  sink = (long)strtol(p, NULL, 10);
  sink = (long)strtod(p, NULL);
  // CHECK-NEXT: 9 0 1 100{{$}}
  memset(chunk(9), 1, 100);
  // CHECK-NEXT: 10 1 2 100{{$}}
  p = chunk(10);
  memset(p, 1, 50);
  memmove(p + 50, p, 50);
  // qsort moves elements: one access that reads and writes.
  // CHECK-NEXT: 11 1 2 50{{$}}
  p = chunk(11);
  memset(p, 1, 50);
  qsort(p, 50, 1, (int (*)(const void *, const void *))by_byte);
  // CHECK-NEXT: 12 2 1 6{{$}}
  p = chunk(12);
  strcpy(p, "hello");
  int null = open("/dev/null", O_WRONLY);
  write(null, p, 6);
  write(null, p, 0); // no access
  write(-1, p, 6);   // failed: no access
  sink = (long)memcmp(p, "hello", 6);
  // CHECK-NEXT: 13 0 1 8{{$}}
  int zero = open("/dev/zero", O_RDONLY);
  read(zero, chunk(13), 8);
  // CHECK-NEXT: 14 0 1 9{{$}}
  snprintf(chunk(14), 100, "%d-%s", 12, "abcde");
  // CHECK-NEXT: 15 1 1 6{{$}}
  p = chunk(15);
  strcpy(p, "hello");
  char text[100];
  snprintf(text, sizeof text, "%s", p);
  // CHECK-NEXT: 16 1 1 6{{$}}
  p = chunk(16);
  strcpy(p, "hello");
  sink = (long)strchr(p, 0);
  // CHECK-NEXT: 17 0 1 6{{$}}
  stpcpy(chunk(17), "hello");
  // CHECK-NEXT: 18 0 1 10{{$}}
  mempcpy(chunk(18), "0123456789", 10);
  // A NULL among the arguments and a failing call touch nothing.
  // CHECK-NEXT: 19 0 0 0{{$}}
  p = chunk(19);
  read(-1, p, 100);
  strndup(p, 0);
  // CHECK-NEXT: 20 1 1 5{{$}}
  regex_t expression;
  p = chunk(20);
  strcpy(p, "a(b)");
  regcomp(&expression, p, REG_EXTENDED);
  // CHECK-NEXT: 21 1 1 6{{$}}
  p = chunk(21);
  strcpy(p, "xabab");
  sink = regexec(&expression, p, 0, NULL, 0);
  // The matches say where the text begins and ends, then what matched.
  // CHECK-NEXT: 22 1 2 16{{$}}
  // CHECK-NEXT: 23 1 0 2{{$}}
  regmatch_t part = {1, 3}, *matches = (regmatch_t *)chunk(22);
  memcpy(matches, &part, sizeof part);
  p = chunk(23);
  write_unseen(p + 1, "ab", 2);
  sink = regexec(&expression, p, 2, matches, REG_STARTEND);
  // Nothing matches, so that nothing is written.
  // CHECK-NEXT: 24 0 0 0{{$}}
  sink = regexec(&expression, "none", 1, (regmatch_t *)chunk(24), 0);
  // A search reads up to the end of what it finds, all if it finds nothing, and
  // what it looks for.
  // CHECK-NEXT: 25 1 0 4{{$}}
  // CHECK-NEXT: 26 1 0 3{{$}}
  // CHECK-NEXT: 27 1 0 4{{$}}
  // CHECK-NEXT: 28 1 0 6{{$}}
  char *wanted = chunk(26);
  p = chunk(25);
  write_unseen(p, "hello", 6);
  write_unseen(wanted, "ll", 3);
  sink = (long)strstr(p, wanted);
  p = chunk(27);
  write_unseen(p, "HELLO", 6);
  sink = (long)strcasestr(p, "ll");
  p = chunk(28);
  write_unseen(p, "hello", 6);
  sink = (long)strstr(p, "lll");
  // CHECK-NEXT: 29 1 0 4{{$}}
  p = chunk(29);
  write_unseen(p, "hello", 6);
  sink = (long)memmem(p, 6, "ll", 2);
  // Only that: who splits a long text does not go over the rest at each part.
  // CHECK-NEXT: 30 400001 0 2{{$}}
  enum { LONG = 2000000 };
  char *all = calloc(LONG + 1, 1);
  for (int i = 0; i < LONG; i += 5)
    write_unseen(all + i, "abcd,", 5);
  p = chunk(30);
  write_unseen(p, ",", 2);
  int parts = 0;
  for (char *at = all; (at = strstr(at, p)); at++)
    parts++;
  sink = parts;
  return 0;
}
