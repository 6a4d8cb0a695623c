// Programs that go in circles by tail calls, which optimised code does without a stack, end as ever: also in a thread of little stack.
// RUN: for level in -O1 -O2 -O3 -Os '-O2 -flto -fuse-ld=lld' '-O2 -flto=thin -fuse-ld=lld' '-O2 -fomit-frame-pointer'; do \
// RUN:   %clangxx_heapprof -g $level -DOTHER -c %s -o %t.other.o && \
// RUN:   %clangxx_heapprof -g $level %s %t.other.o -o %t -pthread && %env_heapprof_opts=collapse_recursion=0 %run %t || { echo "at $level"; exit 1; }; done
//
// A circle through another module keeps so many frames in a row and no more: 16 in each of two threads.
// RUN: %heapprof_score --csv --stacks --limit 0 %dump > %t.csv && grep -c '^\(there\|back\) ' %t.csv | FileCheck %s
// CHECK: {{^[1-3][0-9]$}}
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#define FRAME __attribute__((noinline))

struct Machine;
using State = void *(Machine &, long);
struct Machine {
  State *Next;
  virtual void *step(long N);
  virtual ~Machine() = default;
};
extern "C" void *there(Machine &M, long N);
extern "C" void *back(Machine &M, long N);
extern "C" void quiet(long N);

#ifdef OTHER
FRAME void *there(Machine &M, long N) { return back(M, N); }
FRAME void quietAgain(long N) {
  if (N > 0)
    quiet(N - 1);
}
#else
void *volatile Sink;
void quietAgain(long N);
constexpr long Turns = 3000000;

FRAME void *itself(long N) { return N ? itself(N - 1) : malloc(501); }
FRAME void *odd(long N);
FRAME void *even(long N) { return N ? odd(N - 1) : malloc(502); }
FRAME void *odd(long N) { return N ? even(N - 1) : malloc(503); }
FRAME void *back(Machine &M, long N) {
  return N ? there(M, N - 1) : malloc(504);
}
FRAME void quiet(long N) { quietAgain(N); }

/// As an interpreter: each state calls the next by a pointer.
void *stateB(Machine &M, long N);
void *stateA(Machine &M, long N) {
  M.Next = stateB;
  return N ? M.Next(M, N - 1) : malloc(505);
}
void *stateB(Machine &M, long N) {
  M.Next = stateA;
  return N ? M.Next(M, N - 1) : malloc(506);
}
void *Machine::step(long N) { return N ? step(N - 1) : malloc(507); }

static void *all(void *) {
  Machine M;
  Sink = itself(Turns);
  Sink = even(Turns);
  Sink = back(M, Turns);
  quiet(Turns);
  Sink = stateA(M, Turns);
  Machine *volatile Any = &M;
  Sink = Any->step(Turns);
#if __has_cpp_attribute(clang::musttail)
  struct Must {
    static void *down(long N) {
      if (N == 0)
        return malloc(508);
      [[clang::musttail]] return down(N - 1);
    }
  };
  Sink = Must::down(Turns);
#endif
  return nullptr;
}

int main() {
  all(nullptr);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, 128 << 10);
  pthread_t Thread;
  if (pthread_create(&Thread, &Attributes, all, nullptr) != 0)
    return 1;
  pthread_join(Thread, nullptr);
  return 0;
}
#endif
