// Each form of new, of each kind of type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <array>
#include <new>

struct alignas(64) Aligned {
  char C[64];
};
namespace ns {
template <class T, int N> struct Box {
  T Items[N];
};
} // namespace ns
namespace {
struct Anonymous {
  int I[5];
};
} // namespace

int main() {
  keep(new Q);                         // TYPE 8 argument Q
  keep(new Q[10]);                     // TYPE 80 argument Q = 10 of 8
  keep(new (std::nothrow) Q[11]);      // TYPE 88 argument Q
  keep(new const R());                 // TYPE 24 argument R
  keep(new Aligned);                   // TYPE 64 argument Aligned
  keep(new Aligned[2]);                // TYPE 128 argument Aligned
  keep(new (std::nothrow) Aligned[3]); // TYPE 192 argument Aligned = 3 of 64
  keep(new Q *[12]);                   // TYPE 96 argument Q * = 12 of 8
  keep(new ns::Box<Q, 14>);            // TYPE 112 argument ns::Box<Q, 14>
  keep(new Anonymous); // TYPE 20 argument (anonymous namespace)::Anonymous
  struct Local {
    int Z[17];
  };
  keep(new Local); // TYPE 68 argument Local
  auto Lambda = [X = std::array<int, 19>()] { return X[0]; };
  keep(new decltype(Lambda)(
      Lambda)); // TYPE 76 argument (lambda at new-expressions.cpp)
  return 0;
}
