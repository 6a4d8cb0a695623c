// wrapper-own-lines.c - an enlarge() each line of which makes another array of one object is the place of these,
// though who calls it does so for all of them; the resize that all call is none.  Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: {{ in resize \(}}
// CHECK: Fact: 400 buffers in enlarge (wrapper-own-lines.c:{{[0-9]+}}) grow {{.*}} and so at 3 other lines of it
// CHECK-SAME: called by new_variable (
// CHECK-NOT: {{ in resize \(}}
// REPAIRED-NOT: grow
#include <stdlib.h>

#define APART __attribute__((noinline))
#ifdef REPAIRED
#define FIRST 64
#else
#define FIRST 1
#endif

struct solver {
  double *scores;
  short *marks;
  long *levels;
  struct solver **watches;
  int size, used;
};

static APART void *resize(void *memory, size_t bytes) {
  void *moved = realloc(memory, bytes);
  if (!moved)
    abort();
  return moved;
}

static APART void enlarge(struct solver *s, size_t size) {
  s->scores = resize(s->scores, size * sizeof *s->scores);
  s->marks = resize(s->marks, size * sizeof *s->marks);
  s->levels = resize(s->levels, size * sizeof *s->levels);
  s->watches = resize(s->watches, size * sizeof *s->watches);
  s->size = (int)size;
}

static APART void new_variable(struct solver *s) {
  if (s->used == s->size)
    enlarge(s, s->size ? (size_t)s->size * 2 : FIRST);
  s->scores[s->used] = s->used;
  s->marks[s->used] = (short)s->used;
  s->levels[s->used] = s->used;
  s->watches[s->used++] = s;
}

static APART long add_clause(struct solver *s) {
  long sum = 0;
  for (int i = 0; i < 64; i++)
    new_variable(s);
  for (int i = 0; i < 64; i++)
    sum +=
        (long)s->scores[i] + s->marks[i] + s->levels[i] + (s->watches[i] == s);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    struct solver s = {0};
    sum += add_clause(&s);
    free(s.scores);
    free(s.marks);
    free(s.levels);
    free(s.watches);
  }
  return sum == 1;
}
