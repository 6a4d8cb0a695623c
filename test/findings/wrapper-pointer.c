// wrapper-pointer.c - malloc is called by a pointer: who makes records of one type is the place, however many call it; a function that takes bytes for others is none.
// Its twin makes smaller records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: 400 chunks of 1000 B (item) from new_item (wrapper-pointer.c:[[#]]) are too large
// CHECK-NOT: from take
// REPAIRED: points
// REPAIRED-NOT: too large
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static

struct item {
  struct item *next;
  char *name;
  long value;
};

#ifdef REPAIRED
enum { ITEM_BYTES = sizeof(struct item) };
#else
enum { ITEM_BYTES = 1000 };
#endif

static struct {
  void *(*volatile allocate)(size_t size);
} hooks = {malloc};

NOINLINE void *take(size_t size) {
  void *memory = hooks.allocate(size);
  if (!memory)
    abort();
  return memory;
}

NOINLINE struct item *new_item(struct item *next) {
  struct item *item = hooks.allocate(ITEM_BYTES);
  item->next = next;
  item->name = NULL;
  item->value = 1;
  return item;
}

NOINLINE char *name(const char *of) {
  char *name = take(20);
  memset(name, *of, 20);
  return name;
}

int main(void) {
  struct item *items = NULL;
  long sum = 0;
  char *others[4] = {name("a"), take(8), take(8), take(8)};
  others[1][0] = others[2][0] = others[3][0] = 1;
  for (int i = 0; i < 100; i++) {
    items = new_item(items);
    items->name = name("a");
    items = new_item(items);
    items->name = name("b");
    items = new_item(items);
    items->name = name("c");
    items = new_item(items);
    items->name = name("d");
  }
  for (struct item *next; items; items = next) {
    next = items->next;
    sum += items->value + items->name[19];
    free(items->name);
    free(items);
  }
  for (int i = 0; i < 4; i++) {
    sum += others[i][0];
    free(others[i]);
  }
  return sum == 1;
}
