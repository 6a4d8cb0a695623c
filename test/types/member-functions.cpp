// Member functions that allocate for others: of each kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx_heapprof -O2 %s -o %t && %run %t && %check_types
#include "rows.h"
#include <new>

struct Arena {
  size_t Asked = 0;
  void *get(size_t N) {
    Asked += N;
    return malloc(N);
  }
  char *bytes(unsigned N) { return new char[N]; }
  static void *get2(size_t N) { return malloc(N); }
  void *operator()(int N) { return malloc(N); }
  template <class T> T *alloc(size_t N) {
    return static_cast<T *>(get(N * sizeof(T)));
  }
  template <class T> T *make() { return new (get(sizeof(T))) T(); }
  // Is asked for a page when none is left.
  void *fromPage(size_t N) {
    if (!Page)
      Page = bytes(2048); // TYPE 2048 argument char
    return Page + N;
  }
  char *Page = nullptr;
};

struct Source {
  virtual void *get(size_t N) = 0;
  virtual ~Source() = default;
};
struct Heap final : Source {
  void *get(size_t N) override { return malloc(N); }
};

template <class T> struct Pool {
  Arena A;
  T *take(size_t N) { return (T *)A.get(N); }
};

constexpr const char *constant(int I) { return &"constant"[I]; }
constexpr char Second = *constant(1);
static_assert(Second == 'o', "not marked, hence still constant");

int main() {
  Arena A, *P = &A;
  keep((Q *)A.get(601));               // TYPE 601 wrapper Q
  keep(static_cast<R *>(P->get(602))); // TYPE 602 wrapper R
  keep(A.get(26 * sizeof(R)));         // TYPE 624 wrapper R
  keep((Q *)A.bytes(603));             // TYPE 603 wrapper Q
  keep(A.bytes(604));                  // TYPE 604 argument char
  keep((R *)Arena::get2(605));         // TYPE 605 wrapper R
  keep((R *)A.get2(606));              // TYPE 606 wrapper R
  keep((Q *)A(607));                   // TYPE 607 wrapper Q
  keep(A.alloc<R>(27));                // TYPE 648 wrapper R
  struct Made {
    char C[649];
  };
  keep(A.make<Made>()); // TYPE 649 wrapper Made
  keep((Q *)A.fromPage(608));
  keep(malloc(608)); // TYPE 608 -
  Heap H;
  Source &S = H;
  keep((R *)S.get(609)); // TYPE 609 wrapper R
  Pool<R> Instance;
  keep(Instance.take(611)); // TYPE 611 wrapper R
  void *(Arena::*Member)(size_t) = &Arena::get;
  keep((Q *)(A.*Member)(612)); // TYPE 612 wrapper Q
  auto Lambda = [](size_t N) -> void * { return malloc(N); };
  keep((Q *)Lambda(613)); // TYPE 613 wrapper Q
  auto Generic = [](auto N) -> void * { return malloc(N); };
  keep((Q *)Generic(614)); // TYPE 614 wrapper Q
  keep(A.get(615));        // TYPE 615 -
  return 0;
}
