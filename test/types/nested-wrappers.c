// Through several wrappers, by pointers, and to the most telling caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clang_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"

// As C programs have objects: all begin with a header, and one function makes
// them, which is told the size.
struct Header {
  int kind;
};
struct Table {
  struct Header header;
  long slots[40];
};

__attribute__((noinline)) static void *level1(size_t n) { return malloc(n); }
static void *(*volatile pointer)(size_t) = level1;
__attribute__((noinline)) static void *level2(int flags, size_t n) {
  return flags ? pointer(n) : NULL;
}
__attribute__((noinline)) static void *level3(size_t n, int flags) {
  return level2(flags, n);
}

__attribute__((noinline)) static struct Header *object(int kind, size_t n) {
  struct Header *header = level3(n, 1);
  header->kind = kind;
  return header;
}

__attribute__((noinline)) static struct Header *direct(int kind, size_t n) {
  struct Header *header = (struct Header *)malloc(n);
  header->kind = kind;
  return header;
}

// Its own size has nothing to do with that of its elements.
__attribute__((noinline)) static struct Header *list_of(size_t element) {
  struct Header *list = level3(404, 1); // TYPE 404 wrapper Header
  list->kind = (int)element;
  return list;
}

int main(void) {
  struct R *deep = level3(401, 1); // TYPE 401 wrapper R
  keep(deep);
  struct Table *table =
      (struct Table *)object(1, sizeof(struct Table)); // TYPE 328 wrapper Table
  keep(table);
  keep(direct(2, sizeof(struct Table) + 1)); // TYPE 329 wrapper Table
  keep(object(3, 402));                      // TYPE 402 wrapper Header
  keep(direct(4, 403));                      // TYPE 403 argument Header
  keep(list_of(sizeof(struct Table)));
  struct Q *none = level3(405, 0);
  keep(none);
  void *last = malloc(406); // TYPE 406 -
  keep(last);
  return 0;
}
