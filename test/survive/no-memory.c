// no-memory.c - the system refuses memory to the runtime, once or from some call on, at each of the first calls.
// The program has what it got, or NULL, or ends at its start with one line; so does the profile.
// REQUIRES: strace
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %build
// RUN: %python %S/Inputs/refuse_memory.py %heapprof_score %t.dump %t > %t.out && FileCheck %s < %t.out
// CHECK: once: {{[1-9][0-9]*}} ran whole, {{[1-9][0-9]*}} without a part of the profile, {{[1-9][0-9]*}} did not start
// CHECK: from then on: {{.*}}, {{[1-9][0-9]*}} without a part of the profile, {{[1-9][0-9]*}} did not start
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 400 };

static size_t size_of(int i) {
  return i % 40 == 39 ? 3000000 : (size_t)(i * 37 % 5000);
}

int main(void) {
  static char *chunks[CHUNKS];
  int had = 0, wrong = 0;
  for (int i = 0; i < CHUNKS; i++) {
    errno = 0;
    chunks[i] = malloc(size_of(i));
    if (chunks[i])
      memset(chunks[i], i, size_of(i));
    else
      wrong += errno != ENOMEM;
    had += chunks[i] != NULL;
  }
  for (int i = 0; i < CHUNKS; i++) {
    for (size_t k = 0; chunks[i] && k < size_of(i); k += 100)
      wrong += chunks[i][k] != (char)i;
    free(chunks[i]);
  }
  char line[40];
  int size = snprintf(line, sizeof line, "%d %d\n", had, wrong);
  return fwrite(line, 1, size, stderr) == size ? 3 : 4; // not buffered
}
