// libc-texts.c - texts that libc makes for a function again and again; their twins have buffers.
// No variable on the stack can take what libc allocates: the remedy says what libc offers instead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for way in hooked plain; do for level in -O0 "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"; do \
// RUN:   build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   cd %t.d && rm -rf heapprof.* && $build $level -g %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | tr -s '\n ' ' ' > out && FileCheck %s < out && \
// RUN:   FileCheck --check-prefix=NOT %s < out || { echo $way $level; cat out; exit 1; }; \
// RUN:   rm -rf heapprof.* && $build $level -g -DREPAIRED %s -o app && $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --findings heapprof.app.* | FileCheck --check-prefix=REPAIRED %s || exit 1; done; done
// CHECK-DAG: formatted (libc-texts.c:[[#]]) calls a library, which allocates {{char|chunks}} of up to 100 B {{[^>]*}}; freed by formatted (libc-texts.c:[[#]]){{[^>]*}}: 6000 allocations {{[^>]*}}-> Format by snprintf into a buffer that is on the stack, or kept from call to call.
// CHECK-DAG: lines (libc-texts.c:[[#]]) calls a library, which allocates {{[^>]*}} of 120 B {{[^>]*}}; freed by lines (libc-texts.c:[[#]]){{[^>]*}}-> Keep the buffer from call to call: getline and getdelim take one that is there
// CHECK-DAG: path (libc-texts.c:[[#]]) calls a library, which allocates {{[^>]*}}; freed by path (libc-texts.c:[[#]]){{[^>]*}}-> Give it a buffer of PATH_MAX bytes, or keep the path if it stays the same.
// CHECK-DAG: copied (libc-texts.c:[[#]]) allocates {{char|chunks}} of 7 B for itself, {{[^>]*}}-> Use a variable on the stack{{(, if there is a bound to its size: 7 B were|: 7 B are)}} enough.
// NOT-NOT: {{interceptor|stdio2?.h|100 B are enough}}
// REPAIRED: no findings
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ALONE __attribute__((noinline)) static

ALONE size_t formatted(int i) {
#ifdef REPAIRED
  char text[32];
  return (size_t)snprintf(text, sizeof text, "%d", i);
#else
  char *text;
  if (asprintf(&text, "%d", i) < 0)
    return 0;
  size_t length = strlen(text);
  free(text);
  return length;
#endif
}

ALONE size_t lines(FILE *from, char **kept, size_t *room) {
  rewind(from);
#ifndef REPAIRED
  *kept = NULL;
  *room = 0;
#endif
  size_t length = getline(kept, room, from) > 0 ? strlen(*kept) : 0;
#ifndef REPAIRED
  free(*kept);
#endif
  return length;
}

ALONE size_t path(void) {
#ifdef REPAIRED
  char text[PATH_MAX];
#else
  char *text = NULL;
#endif
  char *found = realpath("/etc/../etc", text);
  size_t length = strlen(found);
#ifndef REPAIRED
  free(found);
#endif
  return length;
}

ALONE size_t copied(const char *text) {
#ifdef REPAIRED
  char copy[16] = "";
  strncpy(copy, text, sizeof copy - 1);
#else
  char *copy = strdup(text);
#endif
  char *at = strchr(copy, 'd');
  size_t where = at ? (size_t)(at - copy) : 0;
#ifndef REPAIRED
  free(copy);
#endif
  return where;
}

int main(int argc, char **argv) {
  (void)argv;
  size_t sum = 0, room = 0;
  char *kept = NULL;
  FILE *self = tmpfile();
  if (!self || fputs("a line of a file\n", self) < 0)
    return 1;
  for (int i = 0; i < 3000; i++)
    sum += formatted(i) + lines(self, &kept, &room) + path() +
           copied(argc ? "abcdef" : "");
#ifdef REPAIRED
  free(kept);
#endif
  fclose(self);
  return sum == 1;
}
