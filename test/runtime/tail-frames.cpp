// Functions that end by an allocation, or by a call of what allocates, are in its call stack at every level.
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz '-O2 -flto -fuse-ld=lld' '-O2 -flto=thin -fuse-ld=lld' '-Oz -mllvm -enable-machine-outliner=always' '-O2 -fomit-frame-pointer' '-O2 -Wl,--icf=all -fuse-ld=lld'; do \
// RUN:   %clangxx_heapprof -g $level -DOTHER -c %s -o %t.other.o && \
// RUN:   %clangxx_heapprof -g $level %s %t.other.o -o %t && %run %t && \
// RUN:   %heapprof_score --csv --stacks --limit 0 %dump > %t.csv && %python %S/Inputs/check_stacks.py %t.csv %s || { echo "at $level"; exit 1; }; done
#include <cstdlib>
#include <cstring>
#define FRAME __attribute__((noinline))

struct Block {
  char Text[401];
};
struct Plenty {
  char Text[402];
};
struct Maker {
  virtual void *make(size_t N);
  virtual ~Maker() = default;
};
extern "C" void *otherMake(Maker *M, size_t N);

#ifdef OTHER
FRAME void *otherMake(Maker *M, size_t N) { return M->make(N); }
#else
void *volatile Sink;

FRAME Block *makeBlock() { return new Block; }
FRAME Plenty *makePlenty() { return new Plenty; }
FRAME Block *getBlock() { return makeBlock(); }
FRAME void *must(void *P) {
  if (!P)
    abort();
  return P;
}
FRAME void *wrapMalloc(size_t N) { return malloc(N); }
FRAME void *wrapWrapper(size_t N) { return wrapMalloc(N); }
FRAME void *wrapMust(size_t N) { return must(malloc(N)); }
FRAME void *wrapCalloc(size_t N) { return calloc(1, N); }
FRAME void *wrapRealloc(void *P, size_t N) { return realloc(P, N); }
FRAME char *wrapStrdup(const char *S) { return strdup(S); }
FRAME void *byPointer(void *(*F)(size_t), size_t N) { return F(N); }
void *Maker::make(size_t N) { return malloc(N); }
FRAME void *byVirtual(Maker *M, size_t N) { return M->make(N); }
FRAME void *byOther(Maker *M, size_t N) { return otherMake(M, N); }
FRAME void *inOneArm(int Which, size_t N) {
  if (Which > 1)
    return wrapMalloc(N);
  return nullptr;
}
FRAME void dropsResult(size_t N) { Sink = wrapMalloc(N); }
FRAME void endsByIt(size_t N) { dropsResult(N); }

int main(int Count, char **) {
  Maker M;
  Sink = getBlock();                // STACK 401 makeBlock getBlock main
  Sink = makePlenty();              // STACK 402 makePlenty main
  Sink = wrapWrapper(403);          // STACK 403 wrapMalloc wrapWrapper main
  Sink = wrapMust(404);             // STACK 404 wrapMust main
  Sink = wrapCalloc(405);           // STACK 405 wrapCalloc main
  Sink = wrapRealloc(nullptr, 406); // STACK 406 wrapRealloc main
  char Text[407] = {};
  memset(Text, 'x', sizeof Text - 1);
  Sink = wrapStrdup(Text);           // STACK 407 wrapStrdup main
  Sink = byPointer(wrapMalloc, 408); // STACK 408 wrapMalloc byPointer main
  Sink = byVirtual(&M, 409);         // STACK 409 Maker::make byVirtual main
  Sink = byOther(&M, 410); // STACK 410 Maker::make otherMake byOther main
  Sink = inOneArm(Count + 1, 411); // STACK 411 wrapMalloc inOneArm main
  endsByIt(412); // STACK 412 wrapMalloc dropsResult endsByIt main
  return 0;
}
#endif
