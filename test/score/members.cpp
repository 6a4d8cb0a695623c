// members.cpp - what members of all kinds are counted, by what the program does to each, written behind it; at -O0 and -O2.
// Bases, unions, bit-fields, arrays, records in records, flexible array members, arrays of records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O0 -g %s -o %t && env HEAPPROF_OPTIONS=members=1:exact_time=1 %run %t && %heapprof_score --by member --json %dump/heapprof.* > %t.json
// RUN: %python %S/Inputs/members.py %t.json
// RUN: %heapprof_score --by member --type 'Derived' %dump/heapprof.* | FileCheck %s
// RUN: %heapprof_score --by member --type 'no such' %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %heapprof_score --by member --csv --type Derived %dump/heapprof.* | FileCheck --check-prefix=CSV %s
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O2 -g %s -o %t && env HEAPPROF_OPTIONS=members=1:exact_time=1 %run %t && %heapprof_score --by member --json %dump/heapprof.* > %t.json
// RUN: %python %S/Inputs/members.py %t.json
// RUN: not %heapprof_score --type Derived %dump/heapprof.* 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: not %heapprof_score --by member --findings %dump/heapprof.* 2>&1 | FileCheck --check-prefix=TABLE %s
// Without the option nothing is counted; the layouts are known.
// RUN: %run %t && %heapprof_score --by member --type Derived %dump/heapprof.* | FileCheck --check-prefix=OFF %s
// Nobody knows it of some chunks of a point.
// RUN: %heapprof_score --by member --type Derived --filter 'size>=1' %dump/heapprof.* | FileCheck --check-prefix=OFF %s
// CHECK: {{^}}Derived: 32 bytes (members.cpp:{{[0-9]+}}), 3 chunks, 96B at the peak
// CHECK-NEXT: 3 of the chunks were counted, each for 1
// CHECK-NEXT: offset size reads writes share chunks member accessed most at
// CHECK-NEXT: {{^ +0 +8 +[0-9]+ +[0-9]+ .* Base::vptr}}
// CHECK-NEXT: {{^ +8 +4 +6 +3 .* 3 Base::inherited +members.cpp:[0-9]+}}
// CHECK-NEXT: {{^ +12 +1 +0 +3 .* 3 own +members.cpp:[0-9]+}}
// CHECK-NEXT: {{^ +13 +16 +0 +0 .* 0 rest}}
// CHECK-NEXT: {{^ +29 +3 +0 +0 .*\(padding\)}}
// CHECK-NOT: Holder
// NONE: no record type: neither accesses by member nor debug information
// CSV: type,member,kind,base,member_type,offset,size,count,stride,bit,bits,overlaps,reads,writes,
// CSV-NEXT: Derived,vptr,pointer,Base,
// CSV-NEXT: Derived,inherited,field,Base,int,8,4,1,,,,0,6,3,
// The database has the same rows, but for the lines of code.
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O0 -g %s -o %t && env HEAPPROF_OPTIONS=members=1:exact_time=1 %run %t && %heapprof_score --by member --json %dump/heapprof.* > %t.json
// RUN: %heapprof_export --format=sqlite %dump/heapprof.* -o %t.db && %python %S/Inputs/member_rows.py %t.json %t.db
// TYPE: --type is of --by member
// TABLE: members are a table of their own
// OFF: Derived: 32 bytes
// OFF-NEXT: nothing was counted by member: build with -fsanitize-heapprof-members, run with members=1
#include <cstdlib>
#include <cstring>

struct Base {
  virtual ~Base() {}
  int inherited; // written once by each of 3, read twice
};
struct Derived : Base {
  char own; // written once
  char rest[16];
};

struct Bits {
  unsigned low : 3, high : 5; // one byte: 2 writes, 1 read
  int whole;                  // 1 write, 2 reads
};

union Either {
  int number;  // 2 writes, 1 read
  double real; // 1 write, 3 reads
};

struct Point {
  int x, y;
};
struct Holder {
  Point at;      // x written once, y twice and read once
  int first[4];  // written in the middle, read at both ends
  Point many[3]; // y of the last one written, x of the first one read
  long last;     // written once
};

struct Open {
  int count; // 1 write, 2 reads
  short items[];
};

static volatile long sink;

__attribute__((noinline)) static Derived *make_derived() {
  Derived *d = new Derived;
  d->inherited = 1;
  d->own = 'a';
  return d;
}

__attribute__((noinline)) static void use_derived(Derived *d) {
  sink = d->inherited;
  sink = *(volatile int *)&d->inherited;
}

__attribute__((noinline)) static void use_bits(Bits *b) {
  volatile Bits *v = b;
  v->low = 2;
  v->high = 3;
  v->whole = 1;
  sink = v->whole;
  sink = v->whole;
}

__attribute__((noinline)) static void use_either(Either *e) {
  volatile Either *v = e;
  v->number = 1;
  v->number = 2;
  sink = v->number;
  v->real = 3;
  for (int i = 0; i < 3; i++)
    sink = (long)v->real;
}

__attribute__((noinline)) static void use_holder(Holder *h) {
  volatile Holder *v = h;
  v->at.x = 1;
  v->at.y = 1;
  v->at.y = 2;
  sink = v->at.y;
  v->first[1] = 1;
  sink = v->first[0];
  sink = v->first[3];
  v->many[2].y = 4;
  sink = v->many[0].x;
  v->last = 1;
}

/* An array of three: member for member as one. */
__attribute__((noinline)) static void use_points(Point *p) {
  volatile Point *v = p;
  for (int i = 0; i < 3; i++)
    v[i].x = i;
  sink = v[2].y;
}

__attribute__((noinline)) static void use_open(Open *o) {
  volatile Open *v = o;
  v->count = 5;
  sink = v->count;
  sink = v->count;
  v->items[0] = 1;
  v->items[4] = 2;
}

int main() {
  for (int i = 0; i < 3; i++)
    use_derived(make_derived());
  use_bits((Bits *)malloc(sizeof(Bits)));
  use_either((Either *)malloc(sizeof(Either)));
  use_holder((Holder *)calloc(1, sizeof(Holder)));
  use_points((Point *)calloc(3, sizeof(Point)));
  use_open((Open *)malloc(sizeof(Open) + 5 * sizeof(short)));
}
