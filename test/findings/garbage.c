// garbage.c - texts that an interpreter drops and its collector frees much later, as it counts chunks and not bytes; a twin
// that collects by bytes.  The collector reads each to free it: that is no use.  With USED they are read again before they go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %clang_heapprof -O2 -g -DUSED %s -o %t.used && %run %t.used
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// CHECK: Likely: {{.*}} chunks (text) from new_text (garbage.c:[[#]]) are kept long after the last use, but for vm_gc (garbage.c:[[#]]), which takes them down
// CHECK-SAME: -> Collect more often, by the bytes that were allocated since and not by the number of chunks alone;
// CHECK-SAME: [freed_late]
// NONE-NOT: [freed_late]
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text {
  struct text *next;
  int mark, length;
  char bytes[];
};

static struct text *texts;
static int mark = 1;
static long since, read_bytes;

__attribute__((noinline)) static struct text *new_text(int length) {
  struct text *text = malloc(sizeof *text + (size_t)length);
  text->next = texts;
  text->mark = 0;
  text->length = length;
  memset(text->bytes, length & 63, (size_t)length);
#ifdef REPAIRED
  since += length;
#else
  since += 1;
#endif
  return texts = text;
}

__attribute__((noinline)) static void use(struct text *text) {
  for (int i = 0; i < text->length; i++)
    read_bytes += text->bytes[i];
}

__attribute__((noinline)) static void vm_gc(void) {
  struct text **link = &texts;
  for (struct text *text = texts, *next; text; text = next) {
    next = text->next;
    if (text->mark == mark) {
      link = &text->next;
      continue;
    }
    *link = next;
    free(text);
  }
  since = 0;
}

/* As long as what was before, on a machine that is busy, too. */
static void work(struct timespec start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double spent = (double)(now.tv_sec - start.tv_sec) +
                       1e-9 * (double)(now.tv_nsec - start.tv_nsec);
  const double end = 12 * spent + 0.5;
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while ((double)(now.tv_sec - start.tv_sec) +
             1e-9 * (double)(now.tv_nsec - start.tv_nsec) <
         end);
}

int main(void) {
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < 600; i++) {
    use(new_text(1000 + i));
    if (since > 20000)
      vm_gc();
  }
  work(start);
#ifdef USED
  for (struct text *text = texts; text; text = text->next)
    use(text);
#endif
  vm_gc();
  return read_bytes == 0;
}
