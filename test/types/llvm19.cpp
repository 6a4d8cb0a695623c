// Without a front end that names types: new-expressions with -g, and allocators
// by the name of their instantiation, libraries by symbol, and what the program
// says; C's malloc stays unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-19
// RUN: for level in -O0 -O1 -O2 -O3 -Os; do \
// RUN:   %clangxx_heapprof -g $level %s -o %t && %run %t && %check_types || \
// RUN:     { echo "at $level"; exit 1; }; done
#include <cstdlib>
#include <cstring>
#include <list>
#include <new>
#include <sanitizer/heapprof_interface.h>
#include <string>
#include <vector>

namespace ns {
struct Q {
  int A = 1, B = 2;
};
} // namespace ns

void *volatile Sink;
template <class T> void keep(const T *P) { Sink = (void *)P; }

int main() {
  keep(new ns::Q);                    // TYPE 8 argument ns::Q
  keep(new ns::Q[10]);                // TYPE 80 argument ns::Q
  keep(new (std::nothrow) ns::Q[11]); // TYPE 88 argument ns::Q
  std::vector<ns::Q> Vector(13);      // TYPE 104 instantiation ns::Q
  keep(Vector.data());
  std::list<ns::Q> List(1); // TYPE 24 instantiation std::_List_node<ns::Q>
  keep(&List);
  keep((ns::Q *)malloc(203));         // TYPE 203 -
  keep(strdup("nineteen letters..")); // TYPE 19 argument char
  std::string Text(700, 'x');         // TYPE 701 instantiation char
  keep(Text.data());
  void *Said = malloc(204); // TYPE 204 user entry = 12 of 17
  __heapprof_set_array(Said, "entry", 12);
  keep(Said);
  return 0;
}
