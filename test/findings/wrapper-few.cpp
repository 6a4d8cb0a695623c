// wrapper-few.cpp - a gmalloc that few call ends no way: the copy_text that calls it is called from many places, and no place.
// Its twin is repaired.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: from copy_text
// CHECK: Fact: 100 chunks of 8 B (char) from add (wrapper-few.cpp:[[#]]) are lost
// REPAIRED: no findings
#include <cstdlib>
#include <cstring>

static inline void *gmalloc(size_t size) {
  void *made = malloc(size);
  if (!made)
    abort();
  return made;
}

static inline char *copy_text(const char *text) {
  return strcpy(static_cast<char *>(gmalloc(strlen(text) + 1)), text);
}

static char *names[4];
static int sum;

__attribute__((noinline)) static void name() { names[0] = copy_text("a name"); }

__attribute__((noinline)) static void title() { names[1] = copy_text("title"); }

__attribute__((noinline)) static void author() {
  names[2] = copy_text("author");
}

__attribute__((noinline)) static void add(int i) {
  char *text = names[3];
#ifdef REPAIRED
  if (!text)
#endif
    text = copy_text("entry 1");
  text[6] = static_cast<char>('0' + i % 10);
  for (int k = 0; k < 7; k++)
    sum += text[k];
  names[3] = text;
}

int main() {
  name();
  title();
  author();
  for (int i = 0; i < 100; i++)
    add(i);
  for (int i = 0; i < 3; i++)
    sum += names[i][2];
#ifndef REPAIRED
  names[3] = nullptr;
#endif
  for (char *text : names)
    free(text);
  return sum == 1;
}
