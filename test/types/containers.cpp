// Memory of containers is of their elements or nodes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

struct Wide {
  long L[31];
};
template <int N> struct Array {
  Wide Items[N];
};

int main() {
  std::vector<Wide> Vector(3); // TYPE 744 argument Wide = 3 of 248
  keep(Vector.data());
  std::map<int, Wide> Map;
  Map[1]; // TYPE 288 argument std::_Rb_tree_node<std::pair<const int, Wide>>
  std::set<Wide *> Set;
  Set.insert(nullptr); // TYPE 40 argument std::_Rb_tree_node<Wide *>
  std::unordered_map<int, Wide> Hash(
      17); // TYPE 136 argument std::__detail::_Hash_node_base *
  Hash[1]; // TYPE 264 argument std::__detail::_Hash_node<std::pair<const int, Wide>, false>
  std::list<Q *> List(1); // TYPE 24 argument std::_List_node<Q *>
  keep(&List);
  std::deque<Wide> Deque(1); // TYPE 64 argument Wide *
                             // TYPE 496 argument Wide
  auto Shared = std::make_shared<Array<
      5>>(); // TYPE 1256 argument std::_Sp_counted_ptr_inplace<Array<5>, std::allocator<void>, __gnu_cxx::_S_atomic>
  std::function<long()> Function = [W = Array<4>()] {
    return W.Items[0].L[0];
  }; // TYPE 992 argument (lambda at containers.cpp)
  keep(Shared.get());
  keep(&Map);
  keep(&Set);
  keep(&Hash);
  keep(&Deque);
  keep(&Function);
  return 0;
}
