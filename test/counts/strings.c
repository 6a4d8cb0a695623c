// Strings: each libc function reads and writes the bytes it names, once.
// A string read up to its end includes the terminating 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -g -O0 %s -o %t && %run %t && %check_counts
// OTHER chunks=0
#include <sanitizer/heapprof_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void build(void) {
  // strcpy writes 6; strcat reads those 6 and writes 7 at 5; strlen reads 12;
  // the loop reads and writes 11 characters and reads the last.
  // POINT chunks=1 bytes=32 reads=1+1+12+11 writes=1+1+11 accessed=12
  char *s = malloc(32);
  strcpy(s, "hello");
  strcat(s, " world");
  size_t n = strlen(s);
  for (char *c = s; *c; c++)
    *c = (char)(*c ^ 0x20);
  free(s);
  (void)n;
}

static void compare(void) {
  // Read by strcmp (6), strncmp (2), memcmp (6), strchr (3), memchr (4).
  // POINT chunks=1 bytes=16 reads=5 writes=1 accessed=6
  char *a = malloc(16);
  // Differs at 4, which strcmp and memcmp must look at.
  // POINT chunks=1 bytes=16 reads=3 writes=1 accessed=6
  char *b = malloc(16);
  strcpy(a, "abcde");
  strcpy(b, "abcdx");
  int sum = strcmp(a, b) + strncmp(a, b, 2) + memcmp(a, b, 6);
  sum += strchr(a, 'c') == a + 2;
  sum += memchr(a, 'd', 4) == a + 3;
  free(a);
  free(b);
  (void)sum;
}

HEAPPROF_NO_INSTRUMENT static void fill_unseen(char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    s[i] = (char)('a' + i);
  s[n] = 0;
}

static void intervals_of_reads(void) {
  // strcmp stops at the first difference, byte 2; strchr at what it finds.
  // POINT chunks=1 bytes=16 reads=2 writes=0 accessed=3
  char *s = malloc(16);
  fill_unseen(s, 15);
  int sum = strcmp(s, "abX") + (strchr(s, 'b') == s + 1);
  free(s);
  // memcmp may look at all that it is given, and is taken at its word.
  // POINT chunks=1 bytes=16 reads=1 writes=0 accessed=10
  char *t = malloc(16);
  fill_unseen(t, 15);
  sum += memcmp(t, "abXdefghij", 10);
  free(t);
  (void)sum;
}

static void duplicate(void) {
  // POINT chunks=1 bytes=8 reads=2 writes=1 accessed=8
  char *s = malloc(8);
  strcpy(s, "seven77");
  // The copy is the program's only access to it, but for one character.
  // POINT chunks=1 bytes=8 reads=1 writes=1 accessed=8
  char *copy = strdup(s);
  // POINT chunks=1 bytes=4 reads=0 writes=1 accessed=4
  char *part = strndup(s, 3);
  (void)*(volatile char *)copy;
  free(copy);
  free(part);
  free(s);
}

static void print(void) {
  // POINT chunks=1 bytes=16 reads=1 writes=1 accessed=4
  char *word = malloc(16);
  strcpy(word, "abc");
  // "abc-17" and its 0.
  // POINT chunks=1 bytes=32 reads=0 writes=1 accessed=7
  char *line = malloc(32);
  snprintf(line, 32, "%s-%d", word, 17);
  // Cut to 4 bytes.
  // POINT chunks=1 bytes=32 reads=0 writes=1 accessed=4
  char *cut = malloc(32);
  snprintf(cut, 4, "%d", 1234567);
  free(cut);
  free(line);
  free(word);
}

static void convert(void) {
  // POINT chunks=1 bytes=16 reads=3 writes=1 accessed=5
  char *digits = malloc(16);
  strcpy(digits, "1234");
  // POINT chunks=1 bytes=8 reads=1 writes=1 accessed=4
  int *value = malloc(8);
  long sum = strtol(digits, NULL, 10) + atoi(digits) + atol(digits);
  sscanf("42", "%d", value);
  sum += *value;
  free(value);
  free(digits);
  (void)sum;
}

static void zero(void) {
  // POINT chunks=1 bytes=24 reads=0 writes=1 accessed=20
  char *p = malloc(24);
  bzero(p, 20);
  free(p);
}

int main(void) {
  build();
  compare();
  intervals_of_reads();
  duplicate();
  print();
  convert();
  zero();
  return 0;
}
