// Operators, containers, templates, lambdas and types without linkage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %each_build; do \
// RUN:   %clangxx_heapprof $flags %s -o %t && %run %t && %check_types || \
// RUN:     { echo "with $flags"; exit 1; }; done
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct Q {
  int A = 1, B = 2;
};
struct Wide {
  long L[31];
};
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

struct ByMalloc {
  char C[200];
  static void *operator new(size_t N) { return malloc(N); }
  static void operator delete(void *P) { free(P); }
};
struct ByGlobal {
  char C[208];
  static void *operator new(size_t N) { return ::operator new(N); }
};

template <class T> struct CastingAllocator {
  using value_type = T;
  T *allocate(size_t N) { return static_cast<T *>(malloc(N * sizeof(T))); }
  void deallocate(T *P, size_t) { free(P); }
};
template <class T> size_t bytesOf(size_t N) { return N * sizeof(T); }
template <class T> struct SilentAllocator {
  using value_type = T;
  T *allocate(size_t N) {
    size_t Bytes = bytesOf<T>(N);
    void *P = malloc(Bytes);
    return (T *)P;
  }
  void deallocate(T *P, size_t) { free(P); }
};

void *volatile Sink;
template <class T> void keep(T *P) { Sink = (void *)P; }

int main() {
  keep(new Q);                                // TYPE 8 argument Q
  keep(new Q[10]);                            // TYPE 80 argument Q
  keep(new (std::nothrow) Q[11]);             // TYPE 88 argument Q
  keep(new Aligned);                          // TYPE 64 argument Aligned
  keep(new Aligned[2]);                       // TYPE 128 argument Aligned
  keep(new (std::nothrow) Aligned[3]);        // TYPE 192 argument Aligned
  keep(new Q *[12]);                          // TYPE 96 argument Q *
  keep(new ns::Box<Q, 14>);                   // TYPE 112 argument ns::Box<Q, 14>
  keep(new Anonymous);                        // TYPE 20 argument (anonymous namespace)::Anonymous
  struct Local {
    int Z[17];
  };
  keep(new Local);                            // TYPE 68 argument Local
  auto Lambda = [X = std::array<int, 19>()] { return X[0]; };
  keep(new decltype(Lambda)(Lambda));         // TYPE 76 argument (lambda at cxx.cpp)
  keep(new ByMalloc);                         // TYPE 200 wrapper ByMalloc
  keep(new ByGlobal);                         // TYPE 208 wrapper ByGlobal
  keep((Wide *)::operator new(501));          // TYPE 501 argument Wide
  keep(reinterpret_cast<Wide *>(malloc(502))); // TYPE 502 argument Wide
  keep(static_cast<Wide *>(std::calloc(1, 503))); // TYPE 503 argument Wide

  std::vector<Wide, CastingAllocator<Wide>> Casting(2); // TYPE 496 argument Wide
  std::vector<Wide, SilentAllocator<Wide>> Silent(3);   // TYPE 744 instantiation Wide
  std::vector<std::string> Strings(5);        // TYPE 160 argument std::basic_string<char>
  Strings[0] = std::string(700, 'x');         // TYPE 701 symbol char
  std::map<int, Wide> Map;
  Map[1];   // TYPE 288 argument std::_Rb_tree_node<std::pair<const int, Wide>>
  std::set<Wide *> Set;
  Set.insert(nullptr);                        // TYPE 40 argument std::_Rb_tree_node<Wide *>
  std::unordered_map<int, Wide> Hash;
  Hash[1];  // TYPE 264 argument std::__detail::_Hash_node<std::pair<const int, Wide>, false>
  std::list<Q> List(1);                       // TYPE 24 argument std::_List_node<Q>
  std::deque<Wide> Deque(1);                  // TYPE 64 argument Wide *
            // TYPE 496 argument Wide
  auto Shared = std::make_shared<ns::Box<Wide, 5>>(); // TYPE 1256 argument std::_Sp_counted_ptr_inplace<ns::Box<Wide, 5>, std::allocator<void>, __gnu_cxx::_S_atomic>
  auto Unique = std::make_unique<ns::Box<Wide, 3>>(); // TYPE 744 argument ns::Box<Wide, 3>
  std::function<long()> Function = [W = ns::Box<Wide, 4>()] { return W.Items[0].L[0]; }; // TYPE 992 argument (lambda at cxx.cpp)
  void *Untyped = malloc(1234);               // TYPE 1234 -
  keep(Untyped);
  keep(Casting.data());
  keep(Silent.data());
  keep(Shared.get());
  keep(Unique.get());
  keep(&Map);
  keep(&Hash);
  keep(&Function);
  return 0;
}
