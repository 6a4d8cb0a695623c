// places-headers.cpp - templates of a header that is installed, with hooks as they are compiled with the program: who calls them is the place and frees, told that it calls a library.
// Of its own header the place would be the template: the twin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g -I%S/Inputs/installed -fdebug-prefix-map=%S/Inputs/installed=/usr/include/installed %s -o %t && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out
// RUN: FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// So it is of a copy among the program's sources:
// RUN: %clangxx_heapprof -O2 -g -I%S/Inputs/installed -fdebug-prefix-map=%S/Inputs/installed=/home/me/app/third_party/box %s -o %t.copy && %run %t.copy
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' > %t.out
// RUN: FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out
// RUN: %clangxx_heapprof -O2 -g -I%S/Inputs/installed %s -o %t.own && %run %t.own
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=OWN %s
// NONE-NOT: (box.h
// CHECK-DAG: fill (places-headers.cpp:[[#]]) calls a library, in which 200 std::vector<box::Value<long>> grow 5 times each
// CHECK-DAG: make (places-headers.cpp:[[#]]) calls a library, which allocates long of 8 B one after the other, {{[^;]*}}; freed by make (places-headers.cpp:[[#]]){{[^>]*}}-> Call it less often
// What copies, and in whose turns, is the library then; what it copies for the program the program has:
// CHECK-DAG: copy (places-headers.cpp:[[#]]) calls a library, which copies box::Tree, which allocates, and frees the copy after {{[^>]*}}-> Call it less often, or give it by std::move what it copies
// CHECK-DAG: own_copy (places-headers.cpp:[[#]]) copies box::Tree, which allocates, and frees the copy after {{[^>]*}}-> Take it by const reference
// CHECK-DAG: walk (places-headers.cpp:[[#]]) calls a library, which makes anew again and again what is gone by the next time: chunks of 2 points, such as in walk (places-headers.cpp:[[#]]), at least 2000 times, {{[^>]*}}-> Call it less often
// Turns of the caller's own beside those are told apart:
// CHECK-DAG: mix (places-headers.cpp:[[#]]) calls a library, which makes anew again and again what is gone by the next time: chunks of 2 points, such as in mix (places-headers.cpp:[[#]]), at least 2000 times, {{[^>]*}}-> Call it less often
// CHECK-DAG: read (places-headers.cpp:[[#]]) calls a library, which copies a std::string again and again, 93.8 KiB in all, it seems only to read it: {{[^>]*}}-> Call it less often, or give it by std::move
// CHECK-DAG: 2000 chunks of 48 B (std::string) from a library called by size (places-headers.cpp:[[#]]) are written and{{.*}} never read{{[^>]*}}-> Nobody reads the library's copy
// CHECK-DAG: 200 chunks of 512 B (box::Cell) from a library called by cells (places-headers.cpp:[[#]]) are too large: 2 % of the bytes are ever touched{{[^>]*}}-> Give the library a size
// CHECK-DAG: grow (places-headers.cpp:[[#]]) calls a library, in which 20 buffers grow 12 times each, from 32 B to 6.56 KiB, and are copied each time: 240 allocations {{[^>]*}}-> Let it reserve what it needs before it is filled, if it can; the last size was 6.56 KiB
// CHECK-DAG: made (places-headers.cpp:[[#]]) allocates long of 8 B one after the other, {{[^;]*}}; freed by each (places-headers.cpp:[[#]]){{[^[]*}} called by each (places-headers.cpp:[[#]]) <- each (places-headers.cpp:[[#]]) <- main
// OWN: box::Value<long>::{{.*}} (box.h:
#include "boost_names.hpp"
#include "box.h"

static long sum;

__attribute__((noinline)) static void fill(long n) {
  box::Value<long> value;
  for (long i = 0; i < 32; i++)
    value.put(i * n);
  sum += *value.parts->back().leaf;
}

__attribute__((noinline)) static void make(long n) {
  box::Value<long> value = box::Value<long>::of(n);
  sum += *value.leaf;
}

__attribute__((noinline)) static void copy(const box::Tree &tree) {
  sum += box::copied(tree);
}

__attribute__((noinline)) static void own_copy(const box::Tree &tree) {
  box::Tree own = tree;
  sum += own.leaves[1];
}

__attribute__((noinline)) static void walk() { sum += box::walk(2000l); }

__attribute__((noinline)) static void read(const std::string &text) {
  sum += (long)box::length(text);
}

__attribute__((noinline)) static void size(const std::string &text) {
  sum += (long)box::size(text);
}

static box::Cell *kept[200];
__attribute__((noinline)) static void cells() {
  for (long i = 0; i < 200; i++)
    sum += (kept[i] = box::cell(i))->first;
}

__attribute__((noinline)) static void grow(const std::string &text) {
  boost::container::vector<std::string> texts;
  for (int i = 0; i < 200; i++)
    texts.push_back(text.substr(0, 3));
  sum += texts.begin[9][2];
}

__attribute__((noinline)) static long *made(long n) { return new long(n); }
__attribute__((noinline)) static void each() {
  sum += box::each(2000, [](long n) { return made(n); });
}

__attribute__((noinline)) static long *first(long n) { return new long(n); }
__attribute__((noinline)) static long *second(long n) { return new long(n); }

__attribute__((noinline)) static void mix() {
  for (long i = 0; i < 100; i++) {
    long *one = first(i), *other = second(i);
    sum += *one + *other + box::walk(20L);
    delete one;
    delete other;
  }
}

int main() {
  const box::Tree tree(7);
  const std::string text(47, 'x');
  cells();
  for (long i = 0; i < 2000; i++) {
    copy(tree);
    own_copy(tree);
    read(text);
    size(text);
  }
  walk();
  mix();
  each();
  for (long i = 0; i < 20; i++)
    grow(text);
  for (long i = 0; i < 200; i++)
    fill(i);
  for (long i = 0; i < 2000; i++)
    make(i);
  for (const box::Cell *cell : kept) /* they are needed, however long it took */
    sum += cell->first;
  return sum == 7;
}
