// virtual-bases.cpp - members behind virtual bases lie where the program itself finds them: diamonds, bases of bases, interfaces, secondary tables.
// The program writes a line for each member, which the table is compared with; position-independent and not, with packed relocations; and without type information nothing is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O0 -g %s -o %t && env HEAPPROF_OPTIONS=members=1 %run %t > %t.out
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/virtual_bases.py %t.json %t.out 23
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O2 -g -gdwarf-4 -no-pie -fno-pie %s -o %t.fixed && env HEAPPROF_OPTIONS=members=1 %run %t.fixed > %t.out
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/virtual_bases.py %t.json %t.out 23
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O0 -g %s -o %t.packed -Wl,-z,pack-relative-relocs && env HEAPPROF_OPTIONS=members=1 %run %t.packed > %t.out
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/virtual_bases.py %t.json %t.out 23
// RUN: %clangxx_heapprof -fsanitize-heapprof-members -O0 -g -fno-rtti %s -o %t.plain && env HEAPPROF_OPTIONS=members=1 %run %t.plain > %t.out
// RUN: %heapprof_score --by member --json %dump/heapprof.* > %t.json && %python %S/Inputs/virtual_bases.py %t.json %t.out 11
#include <cstdio>

struct Interface { // no data: shares the pointer of who inherits it first
  virtual void call() {}
};
struct Base {
  virtual ~Base() {}
  int base;
  char tail;
};
struct Left : virtual Base, virtual Interface {
  long left;
};
struct Right : virtual Base, virtual Interface {
  char right;
};
struct Own {
  virtual void own_call() {}
  short own;
};
struct Diamond : Left, Right {
  int diamond;
};
namespace deep {
struct Root {
  virtual ~Root() {}
  double root;
};
struct Middle : virtual Root {
  int middle;
};
template <class T> struct Holder : Own, virtual Middle, virtual Base {
  T held;
};
} // namespace deep
struct Deepest : deep::Holder<char>, Left {
  char end;
};
struct Plain {
  int plain;
};
struct OfPlain : virtual Plain { // no functions at all
  char of;
};

template <class T, class M>
static void tell(const char *type, T *object, const char *base,
                 const char *name, M *member) {
  std::printf("%s %s %s %ld\n", type, base, name,
              (long)((char *)member - (char *)object));
  *(volatile M *)member = 1;
}
#define TELL(object, type, base, name)                                         \
  tell(type, object, #base, #name, &object->base::name)

int main() {
  Left *left = new Left();
  TELL(left, "Left", Base, base);
  TELL(left, "Left", Base, tail);
  TELL(left, "Left", Left, left);
  Diamond *diamond = new Diamond();
  TELL(diamond, "Diamond", Base, base);
  TELL(diamond, "Diamond", Base, tail);
  TELL(diamond, "Diamond", Left, left);
  TELL(diamond, "Diamond", Right, right);
  TELL(diamond, "Diamond", Diamond, diamond);
  deep::Holder<int> *holder = new deep::Holder<int>();
  using namespace deep;
  TELL(holder, "deep::Holder<int>", Own, own);
  TELL(holder, "deep::Holder<int>", Middle, middle);
  TELL(holder, "deep::Holder<int>", Root, root);
  TELL(holder, "deep::Holder<int>", Base, base);
  TELL(holder, "deep::Holder<int>", Base, tail);
  tell("deep::Holder<int>", holder, "Holder", "held", &holder->held);
  Deepest *deepest = new Deepest();
  TELL(deepest, "Deepest", Own, own);
  TELL(deepest, "Deepest", Middle, middle);
  TELL(deepest, "Deepest", Root, root);
  TELL(deepest, "Deepest", Base, base);
  TELL(deepest, "Deepest", Left, left);
  tell("Deepest", deepest, "Holder<char>", "held", &deepest->held);
  TELL(deepest, "Deepest", Deepest, end);
  OfPlain *of = new OfPlain();
  TELL(of, "OfPlain", Plain, plain);
  TELL(of, "OfPlain", OfPlain, of);
  delete left;
  delete diamond;
  delete holder;
  delete deepest;
  delete of;
}
