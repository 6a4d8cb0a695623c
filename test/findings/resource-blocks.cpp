// resource-blocks.cpp - what a std::pmr resource takes for whoever asks it next is a block of the resource, not a vector or a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -std=c++20 -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --implicit-check-not='std::vector' --implicit-check-not='std::string' --implicit-check-not=copies %s
// RUN: %clangxx_heapprof -std=c++20 -O1 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: fill (resource-blocks.cpp:[[#]]) asks a memory resource, which allocates pmr block of {{.*}} one after the other
// CHECK-SAME: -> Give the resource a first buffer that is large enough, or keep one with pools from call to call.
// REPAIRED: no findings
#include <memory_resource>
#include <string>
#include <vector>

struct Entry {
  std::pmr::string Name;
  std::pmr::vector<long> Marks;
  using allocator_type = std::pmr::polymorphic_allocator<>;
  Entry(const char *Text, allocator_type A) : Name(Text, A), Marks(A) {}
  Entry(const Entry &Other, allocator_type A)
      : Name(Other.Name, A), Marks(Other.Marks, A) {}
};

__attribute__((noinline)) size_t fill(std::pmr::memory_resource *From,
                                      const Entry &Model) {
  Entry Copy(Model, From);
  Copy.Marks.push_back(1);
  return Copy.Name.size() + Copy.Marks.size();
}

int main() {
  size_t Sum = 0;
  Entry Model("a name that is too long for the object itself", {});
#ifdef REPAIRED
  static std::byte Room[4000];
#endif
  for (int I = 0; I < 300; I++) {
#ifdef REPAIRED
    std::pmr::monotonic_buffer_resource Blocks(Room, sizeof Room);
#else
    std::pmr::monotonic_buffer_resource Blocks(4000);
#endif
    Sum += fill(&Blocks, Model);
  }
  return Sum == 1;
}
