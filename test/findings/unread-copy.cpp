// unread-copy.cpp - a text passed by value to who may not look at it, and its twin passed by reference.
// The sum of two texts is no copy, though a library makes it of one: it is a new text each time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s --implicit-check-not='[copied_to_read]'
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// A copy that is kept was not made to be passed.
// RUN: %clangxx_heapprof -O2 -g -DKEPT %s -o %t.kept && %run %t.kept
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=KEPT %s --implicit-check-not='by const reference'
// KEPT: from main (unread-copy.cpp:[[#]]) are written and never read
// KEPT-SAME: -> Do not build what nobody reads
// RUN: %clangxx_heapprof -O2 -g -DSTORED %s -o %t.stored && %run %t.stored
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=STORED %s --implicit-check-not='by const reference'
// STORED: 20 chunks of 4.00 KiB (std::string) from store (unread-copy.cpp:[[#]]) are written and never read
// STORED-SAME: -> Do not build what nobody reads
// CHECK: Fact:
// CHECK-SAME: 20000 chunks of 41 B (std::string) from visit (unread-copy.cpp:[[#]]) are written and never read
// CHECK-SAME: -> Pass or take it by const reference: nobody reads the copy.
// CHECK-SAME: Likely:
// CHECK-SAME: join (unread-copy.cpp:[[#]]) lets its std::string grow by few steps, and copies it at each
// CHECK-SAME: -> Append the parts by += to a text that is kept
// REPAIRED: no findings
#include <string>
#include <vector>

struct Named {
  std::string name;
};

#ifdef REPAIRED
typedef const std::string &Text;
#else
typedef std::string Text;
#endif

__attribute__((noinline)) size_t look(Text path, int depth) {
  return depth < 0 ? path[0] : 1;
}

__attribute__((noinline)) size_t visit(const std::string &path, int depth) {
  return look(path, depth);
}

__attribute__((noinline)) size_t join(const std::string &path,
                                      std::string &kept) {
#ifdef REPAIRED
  kept.assign(path).append("/").append("file");
  return kept.size();
#else
  (void)kept;
  return (path + "/" + "file").size();
#endif
}

__attribute__((noinline)) size_t store(const Named &named) {
  std::vector<Named> all;
  all.reserve(20);
  for (int i = 0; i < 20; i++)
    all.push_back(named);
  return all.size();
}

int main() {
  std::string path(40, 'p'), kept(60, 'k');
  size_t sum = 0;
#ifdef STORED
  return store({std::string(4095, 'p')}) == 0;
#endif
#ifdef KEPT
  static Named *names[20000];
  for (auto &name : names)
    name = new Named{path};
  return 0;
#endif
  for (int i = 0; i < 20000; i++)
    sum += visit(path, i) + join(path, kept);
  return sum == 1;
}
