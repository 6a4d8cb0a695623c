// early-and-late.cpp - the heap works before main and after exit handlers, and
// what happens there is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx_heapprof -w -fno-builtin -g %s -o %t
// RUN: %run %t > %t.out 2> %t.errors && count 0 < %t.errors
// RUN: FileCheck %s < %t.out
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python -c 'import json, sys; \
// RUN:   p = json.load(open(sys.argv[1]))["points"]; \
// RUN:   print(sorted((x["size"]["max"], x["writes"], x["live_chunks"]) \
// RUN:                for x in p if 7000 <= x["size"]["max"] < 8000))' \
// RUN:   %t.json | FileCheck --check-prefix=POINTS %s
// POINTS: [(7001, 1, 0), (7002, 1, 0), (7003, 2, 0), (7004, 1, 1), (7005, 1,
// 1)]
#include <cstdio>
#include <cstdlib>

static char *from_preinit, *from_constructor;

// Runs before every constructor, those of libraries included.
static void preinit() {
  from_preinit = (char *)malloc(7001);
  from_preinit[0] = 1;
}
__attribute__((section(".preinit_array"),
               used)) static void (*entry)() = preinit;

__attribute__((constructor(101))) static void constructor() {
  from_constructor = (char *)malloc(7002);
  from_constructor[0] = 1;
}

struct Static {
  char *data = new char[7003];
  Static() { data[0] = 1; }
  ~Static() {
    data[1] = 1;
    delete[] data;
    puts("destructor");
  }
} object;

static void at_exit() {
  char *volatile p = (char *)malloc(7004);
  p[0] = 1;
  puts("exit handler");
}

__attribute__((destructor(101))) static void destructor() {
  char *volatile p = (char *)malloc(7005);
  p[0] = 1;
  puts("late destructor");
}

// CHECK: main
// CHECK-NEXT: exit handler
// CHECK-NEXT: destructor
// CHECK-NEXT: late destructor
int main() {
  free(from_preinit);
  free(from_constructor);
  atexit(at_exit);
  puts("main");
  return 0;
}
