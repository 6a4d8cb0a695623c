/* unseen-writer.c - buffers that a library without hooks fills, as compressors do: what is read, and nobody wrote, or has memory, and nobody touched, is accessed by code without hooks.
   It has no scores and no findings, nor has what the same line makes and nobody is seen to access; what nobody gets has both.
   The line is that of the place, not of an xmalloc. What it makes and is accessed in part is told neither as unused nor as never read, too large or freed late.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{known} = %heapprof_score --json %dump/heapprof.* | %python %S/Inputs/unknown.py
// RUN: %clang -O2 -g -fPIC -shared -DLIBRARY %s -o %t.lib.so
// RUN: %clang_heapprof -O1 -g %s -o %t %t.lib.so && %run %t
// RUN: %{known} buffer_read | FileCheck --check-prefix=UNKNOWN %s
// RUN: %{known} buffer_dropped | FileCheck --check-prefix=UNKNOWN %s
// RUN: %{known} buffer_for_both | FileCheck --check-prefixes=UNKNOWN,BOTH %s
// RUN: %{known} buffer_for_nobody | FileCheck --check-prefix=KNOWN %s
// RUN: %{known} buffer_written | FileCheck --check-prefix=KNOWN %s
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out
// RUN: FileCheck --check-prefix=FINDINGS %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// With hooks in the library all is known.
// RUN: %clang_heapprof -O2 -g -fPIC -shared -DLIBRARY %s -o %t.lib.so && %run %t
// RUN: %{known} buffer_read | FileCheck --check-prefix=KNOWN %s
// RUN: %{known} buffer_dropped | FileCheck --check-prefix=KNOWN %s
// RUN: %{known} buffer_for_both | FileCheck --check-prefix=KNOWN %s
// UNKNOWN: known False, usage None, useful None
// BOTH: known False, usage None, useful None
// KNOWN-NOT: known False
// KNOWN: known True, usage
// KNOWN-NOT: known False
// FINDINGS-DAG: from buffer_for_nobody (unseen-writer.c:[[#]]) are as far as was seen never read nor written
// FINDINGS-DAG: from wrapped_for_nobody (unseen-writer.c:[[#]]) are as far as was seen never read nor written
// NONE-NOT: from {{buffer_read|buffer_dropped|buffer_for_both|wrapped_read}} (
// FINDINGS-DAG: from buffer_written (unseen-writer.c:[[#]]) are written and, as far as was seen, never read{{[^>]*}}-> If none of those that a note names reads it, do not build it
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
void fill(char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes[i] = (char)(i * 7);
}
#else
#define APART __attribute__((noinline))
#define LARGE 300000

void fill(char *bytes, size_t count);

static APART char *buffer_read(void) { return malloc(20000); }
static APART char *buffer_dropped(void) { return malloc(LARGE); }
static APART char *buffer_for_both(size_t size) { return malloc(size); }
static APART char *buffer_for_nobody(void) { return malloc(LARGE); }
static APART char *buffer_written(void) { return malloc(20000); }

static APART char *xmalloc(size_t size) {
  char *bytes = malloc(size);
  if (!bytes)
    abort();
  return bytes;
}
static APART char *wrapped_read(void) { return xmalloc(3000); }
static APART char *wrapped_for_nobody(void) { return xmalloc(LARGE); }

static APART int used(void) {
  char *bytes = buffer_read();
  fill(bytes, 20000);
  const int sum = bytes[0] + bytes[300];
  free(bytes);
  return sum;
}

static APART int used_of_both(void) {
  char *bytes = buffer_for_both(5000);
  fill(bytes, 5000);
  const int sum = bytes[1] + bytes[400];
  free(bytes);
  return sum;
}

static APART void drop_of_both(void) {
  char *bytes = buffer_for_both(6000);
  fill(bytes, 6000);
  free(bytes);
}

static APART int used_wrapped(void) {
  char *bytes = wrapped_read();
  fill(bytes, 3000);
  const int sum = bytes[1] + bytes[400];
  free(bytes);
  return sum;
}

/* Every second one is the program's own, and full. */
static APART void drop_every_second(int i) {
  char *bytes = wrapped_read();
  if (i % 2)
    memset(bytes, i, 3000);
  else
    fill(bytes, 3000);
  free(bytes);
}

/* Of each the program writes the beginning. */
static APART char *begin(int i) {
  char *bytes = wrapped_read();
  memset(bytes, i, 300);
  fill(bytes + 300, 2700);
  return bytes;
}

static void *volatile sink;

int main(void) {
  int sum = 0;
  char *begun[200];
  for (int i = 0; i < 200; i++) {
    sum += used() + used_of_both() + used_wrapped();
    drop_of_both();
    drop_every_second(i);
    begun[i] = begin(i);
    char *dropped = buffer_dropped();
    fill(dropped, LARGE);
    free(dropped);
    sink = buffer_for_nobody();
    free(sink);
    sink = wrapped_for_nobody();
    free(sink);
    char *written = buffer_written();
    memset(written, i, 20000);
    sink = written;
    free(sink);
  }
  for (int i = 0; i < 200; i++)
    free(begun[i]);
  return sum == 1;
}
#endif
