// padding.cpp - records whose members leave holes; twins that are sorted, too small for another place in the allocator, and packed.
// By the layout alone: nothing has to be counted, and debug information is enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 -g %s -o %t && %clangxx_heapprof -O1 -g -DREPAIRED %s -o %t.repaired && %clangxx_heapprof -O1 -g -DTIGHT %s -o %t.tight && %clangxx_heapprof -O1 -g -DPACKED %s -o %t.packed
// RUN: %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %run %t.repaired && %heapprof_score --json %dump/heapprof.* > %t.repaired.json
// RUN: %python %S/Inputs/kept_promise.py padding %t.json %t.repaired.json
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %run %t.tight && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %run %t.packed && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// Without debug information nobody knows.
// RUN: %clangxx_heapprof -O1 %s -o %t.bare && %run %t.bare && %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: Likely: geo::Place (padding.cpp:{{[0-9]+}}) has 25 bytes of padding in its 64 bytes; with its members sorted it has 40 bytes: 625 KiB of malloc's memory at the peak ({{[0-9]+}} % of it), for 469 KiB requested
// CHECK-SAME: -> Declare its members in this order, unless others rely on where they lie: x, y, next, id, kind, seen, open.
// CHECK-SAME: [padding]
// NONE-NOT: [padding]
namespace geo {
struct Node {
  virtual ~Node() {}
};
#ifdef REPAIRED
struct Place : Node {
  double x, y;
  Place *next;
  int id;
  char kind;
  bool seen, open;
};
#elif defined(TIGHT) // 40 bytes could be 32, but malloc gives both 48
struct Place {
  bool open;
  double x, y;
  Place *next;
  int id;
  char kind, seen;
};
static_assert(sizeof(Place) == 40, "as it is told");
#elif defined(PACKED)
struct __attribute__((packed)) Place {
  char kind;
  double x;
  bool seen;
  double y;
  int id;
  bool open;
  Place *next;
};
#else
struct Place : Node {
  char kind;
  double x;
  bool seen;
  double y;
  int id;
  Place *next;
  bool open;
};
#endif
} // namespace geo

static geo::Place *first;

__attribute__((noinline)) static void make(int id) {
  geo::Place *place = new geo::Place;
  place->id = id;
  place->x = place->y = id;
  place->kind = 'a';
  place->seen = place->open = false;
  place->next = first;
  first = place;
}

int main() {
  double sum = 0;
  for (int i = 0; i < 20000; i++)
    make(i);
  for (geo::Place *place = first; place; place = place->next)
    sum += place->x + place->y + place->id + place->kind + place->seen +
           place->open;
  return sum == 1;
}
