// type-units.cpp - layouts are the same where types have units of their own, in files of their own, or both.
// A member of a class without members, which has no address of its own, is not told, and the one it lies in does not overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O0 -g %s -o plain && HEAPPROF_OPTIONS=members=1 ./plain
// RUN: cd %t.d && %heapprof_score --by member --json heapprof.plain.* | %python %S/Inputs/layouts.py > plain.txt && FileCheck %s < plain.txt
// RUN: cd %t.d && for of in -fdebug-types-section -gsplit-dwarf '-gsplit-dwarf -fdebug-types-section' '-gdwarf-4 -gsplit-dwarf -fdebug-types-section'; do rm -rf heapprof.other.* && %clangxx_heapprof -std=c++20 -fsanitize-heapprof-members -O0 -g $of %s -o other && HEAPPROF_OPTIONS=members=1 ./other && %heapprof_score --by member --json heapprof.other.* | %python %S/Inputs/layouts.py > other.txt && diff plain.txt other.txt || exit 1; done
// CHECK: Both 0 8 V::vptr function **
// CHECK: Both 32 8 Base::id long
// CHECK: Outer 0 4 one.a int
// CHECK: Outer 8 8 p Inner *
// CHECK: Outer 48 4 state State
// CHECK-NEXT: Outer 52 4 opt.value int
// CHECK-NOT: opt.
// CHECK: Outer 56 1 alone Empty
// CHECK-NEXT: Outer 57 7 None
struct Inner {
  int a;
  short b;
};
struct Empty {};
struct Deleter {};
enum State { ON, OFF };
template <class T> struct Opt {
  [[no_unique_address]] Empty e;
  T value;
  [[no_unique_address]] Deleter d;
};
struct Outer {
  Inner one;
  Inner *p;
  Inner many[3];
  long n;
  State state;
  Opt<int> opt;
  Empty alone;
};
struct Base {
  long id;
};
struct V : virtual Base {
  int v;
};
struct W : virtual Base {
  int w;
};
struct Both : V, W {
  int both;
};

int main() {
  Outer *volatile o = new Outer{};
  Both *volatile b = new Both;
  o->one.a = 1, o->many[1].b = 2, o->n = 3, o->opt.value = 4;
  b->id = 3, b->both = 4, b->v = 2;
  const long sum = o->n + b->id;
  delete o;
  delete b;
  return sum == 100;
}
