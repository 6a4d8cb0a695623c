// initialised-only-sizes.c - hundreds of small tables with few entries, and one that has grown large and is full: what is said of
// the small ones, which alone are looked at, is not said of the bytes of the large one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O2 -g -DMANY %s -o %t.many && %run %t.many
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=MANY %s
// CHECK-NOT: [initialised_only]
// MANY: Likely: ~2012 chunks (slot) from make_slots (initialised-only-sizes.c:[[#]]) are too large
// MANY-SAME: MiB of malloc's memory at the peak (~{{[2-4][0-9]}} % of it)
// MANY-SAME: [initialised_only]
#include <stdlib.h>
#include <string.h>

#define SLOTS 64
#define LARGE 65536
#ifdef MANY /* as many bytes of small tables as of the large one */
#define TABLES 2000
#else
#define TABLES 20
#endif

struct slot {
  long key, value, hash;
};

struct table {
  int count, room;
  struct slot *slots;
};

__attribute__((noinline)) static struct slot *make_slots(int room) {
  struct slot *slots = malloc(room * sizeof *slots);
  memset(slots, 0, room * sizeof *slots);
  return slots;
}

static struct slot *find(struct slot *slots, int room, long key) {
  unsigned long at = (unsigned long)key * 0x9e3779b97f4a7c15u;
  for (at %= (unsigned)room; slots[at].key && slots[at].key != key;)
    at = (at + 1) % (unsigned)room;
  return &slots[at];
}

__attribute__((noinline)) static void add(struct table *t, long key) {
  if (2 * t->count >= t->room) {
    const int room = t->room ? 2 * t->room : SLOTS;
    struct slot *slots = make_slots(room);
    for (int i = 0; i < t->room; i++)
      if (t->slots[i].key)
        *find(slots, room, t->slots[i].key) = t->slots[i];
    free(t->slots);
    t->slots = slots;
    t->room = room;
  }
  *find(t->slots, t->room, key) = (struct slot){key, key + 1, key + 2};
  t->count++;
}

int main(void) {
  static struct table tables[TABLES + 1];
  long sum = 0;
  for (int i = 0; i <= TABLES; i++)
    for (long key = 1; key <= (i < TABLES ? 3 : LARGE); key++)
      add(&tables[i], key);
  for (int i = 0; i <= TABLES; i++) {
    for (long key = 1; key <= (i < TABLES ? 3 : LARGE); key++)
      sum += find(tables[i].slots, tables[i].room, key)->value;
    free(tables[i].slots);
  }
  return sum == 0;
}
