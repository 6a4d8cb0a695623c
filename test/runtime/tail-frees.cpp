// Functions that end by a free, or by a call of what frees, are the callers of the free at every level; the findings name them.
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz '-O2 -flto -fuse-ld=lld' '-O2 -fomit-frame-pointer'; do \
// RUN:   %clangxx_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %heapprof_score --by object --stacks --limit 0 %dump/heapprof.* > %t.objects && FileCheck %s < %t.objects || { echo "at $level"; exit 1; }; done
// CHECK: {{^ +}}freed by{{$}}
// CHECK-NEXT: dropBlock
// CHECK-NEXT: {{^ +}}main{{ }}
// CHECK: {{^ +}}freed by{{$}}
// CHECK-NEXT: Plenty::drop
// CHECK-NEXT: {{^ +}}main{{ }}
// CHECK: {{^ +}}freed by{{$}}
// CHECK-NEXT: passToFree
// CHECK-NEXT: passOn
// CHECK-NEXT: {{^ +}}main{{ }}
// CHECK: {{^ +}}freed by{{$}}
// CHECK-NEXT: dropInOneArm
// CHECK-NEXT: {{^ +}}main{{ }}
#include <cstdlib>
#define FRAME __attribute__((noinline))

struct Plenty {
  char Text[300];
  FRAME void drop() { delete this; }
};

static void *volatile Sink;
template <typename T> static T *seen(T *P) {
  Sink = P;
  return P;
}

FRAME void dropBlock(void *P) { free(P); }
FRAME void passToFree(void *P) { free(P); }
FRAME void passOn(void *P) { passToFree(P); }
FRAME void dropInOneArm(int Which, void *P) {
  if (Which > 1)
    free(P);
}

int main() {
  for (int I = 0; I < 40; I++) // the most frequent object comes first
    dropBlock(seen(malloc(100)));
  for (int I = 0; I < 30; I++)
    seen(new Plenty)->drop();
  for (int I = 0; I < 20; I++)
    passOn(seen(malloc(200)));
  for (int I = 0; I < 10; I++)
    dropInOneArm(I + 2, seen(malloc(400)));
  Sink = nullptr;
}
