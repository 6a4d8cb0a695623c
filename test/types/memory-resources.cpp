// Objects that a std::pmr resource is asked for, and the blocks that it cuts such objects of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: for level in -O0 -O1 -O2 -Os; do \
// RUN:   %clangxx_heapprof -std=c++20 $level %s -o %t && %run %t && %check_types || { echo "at $level"; exit 1; }; done
#include "rows.h"
#include <list>
#include <memory_resource>
#include <string>
#include <vector>

struct Malloc : std::pmr::memory_resource {
  void *do_allocate(size_t N, size_t) override { return malloc(N); }
  void do_deallocate(void *P, size_t, size_t) override { free(P); }
  bool do_is_equal(const memory_resource &O) const noexcept override {
    return this == &O;
  }
};
struct Larger : Malloc {
  void *do_allocate(size_t N, size_t) override { return malloc(N + 16); }
};
struct Upstream : std::pmr::memory_resource {
  std::pmr::memory_resource *Up = std::pmr::new_delete_resource();
  void *do_allocate(size_t N, size_t A) override { return Up->allocate(N, A); }
  void do_deallocate(void *P, size_t N, size_t A) override {
    Up->deallocate(P, N, A);
  }
  bool do_is_equal(const memory_resource &O) const noexcept override {
    return this == &O;
  }
};

int main() {
  std::pmr::vector<Q> Vector(21); // TYPE 168 wrapper Q = 21 of 8
  keep(Vector.data());
  std::pmr::list<R> List(1); // TYPE 40 wrapper std::_List_node<R>
  keep(&List);
  std::pmr::string Text(701, 'x'); // TYPE 702 wrapper char
  keep(Text.data());
  Malloc ByMalloc;
  std::pmr::vector<R> Own(11, &ByMalloc); // TYPE 264 wrapper R
  keep(Own.data());
  Larger ByLarger;
  std::pmr::vector<R> More(14, &ByLarger); // 352 bytes: not an R's own
  keep(More.data());
  Upstream ByOther;
  std::pmr::vector<R> Other(12, &ByOther); // TYPE 288 wrapper R
  keep(Other.data());
  std::pmr::polymorphic_allocator<> Any;
  keep(Any.allocate_object<R>(13)); // TYPE 312 wrapper R
  keep(Any.new_object<Q>());        // TYPE 8 wrapper Q

  // A block is no object of the first that is cut from it.
  std::pmr::monotonic_buffer_resource Monotonic(2000);
  std::pmr::vector<Q> Cut(3, &Monotonic); // TYPE 2048 symbol pmr block
  keep(Cut.data());
  std::pmr::monotonic_buffer_resource Above(2400, &ByMalloc);
  std::pmr::vector<Q> CutToo(3, &Above); // TYPE 2432 symbol pmr block
  keep(CutToo.data());
  return 0;
}
