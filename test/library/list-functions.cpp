// The functions that link lists make what libstdc++.so's make: each step is done
// to two pairs of lists, once by each, which must have the same links.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 %s -o %t && %run %t | FileCheck %s
// CHECK: 200000 steps
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>

struct Node {
  Node *Next, *Previous;
};
using One = void(Node *);
using Two = void(Node *, Node *);
using Three = void(Node *, Node *, Node *);

#define HOOK "_ZNSt8__detail15_List_node_base7_M_hookEPS0_"
#define UNHOOK "_ZNSt8__detail15_List_node_base9_M_unhookEv"
#define TRANSFER "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_"
#define REVERSE "_ZNSt8__detail15_List_node_base10_M_reverseEv"
#define SWAP "_ZNSt8__detail15_List_node_base4swapERS0_S1_"
extern "C" {
Two hook __asm__(HOOK), swapLists __asm__(SWAP);
One unhook __asm__(UNHOOK), reverse __asm__(REVERSE);
Three transfer __asm__(TRANSFER);
}

static void fail(const char *What) {
  std::printf("%s\n", What);
  std::exit(1);
}

// libstdc++.so's own; ours must be another.
template <typename F> static F *theirs(const char *Name, F *Ours) {
  static void *Library = dlopen("libstdc++.so.6", RTLD_NOW);
  F *Found = reinterpret_cast<F *>(dlsym(Library, Name));
  if (!Found || Found == Ours)
    fail(Name);
  return Found;
}

// Two lists, then what is in them; places count from the first list on.
constexpr int Lists = 2, Places = Lists + 20;
struct Pair {
  Node At[Places];
  Two *Hook, *Swap;
  One *Unhook, *Reverse;
  Three *Transfer;
  long next(long I) const { return At[I].Next ? At[I].Next - At : -1; }
  long previous(long I) const {
    return At[I].Previous ? At[I].Previous - At : -1;
  }
};
static Pair Ours, Theirs;
static int Where[Places]; // the list that each node is in, or -1
static std::mt19937 Random(3);

static long below(long Count) {
  return (long)(Random() % (unsigned long)Count);
}

// A place in list L: one of its nodes, or the list.
static long placeIn(int L) {
  long I = below(Places);
  return I >= Lists && Where[I] == L ? I : L;
}

static void moveRun(long First) {
  bool In[Places] = {};
  long Last = First;
  for (long Left = 1 + below(4); Left > 0 && Last >= Lists; Left--) {
    In[Last] = true;
    Last = Ours.next(Last);
  }
  const int To = (int)below(Lists);
  const long Before = placeIn(To);
  if (In[Before])
    return;
  for (int I = Lists; I < Places; I++)
    Where[I] = In[I] ? To : Where[I];
  for (Pair *Each : {&Ours, &Theirs})
    Each->Transfer(&Each->At[Before], &Each->At[First], &Each->At[Last]);
}

static void swapThem(int A, int B) {
  for (Pair *Each : {&Ours, &Theirs})
    Each->Swap(&Each->At[A], &Each->At[B]);
  for (int I = Lists; I < Places && A != B; I++)
    Where[I] = Where[I] < 0 ? -1 : 1 - Where[I];
}

static void step() {
  const long I = Lists + below(Places - Lists);
  const int L = (int)below(Lists);
  switch (below(8)) {
  case 0:
    swapThem(L, below(4) ? 1 - L : L);
    return;
  case 1:
    for (Pair *Each : {&Ours, &Theirs})
      Each->Reverse(&Each->At[L]);
    return;
  case 2:
    if (below(30) == 0) // all of one list
      for (int Each = Lists; Each < Places; Each++)
        if (Where[Each] == L) {
          Ours.Unhook(&Ours.At[Each]), Theirs.Unhook(&Theirs.At[Each]);
          Where[Each] = -1;
        }
    return;
  case 3:
  case 4:
    if (Where[I] >= 0)
      moveRun(I);
    return;
  default:
    if (Where[I] < 0) {
      const long Before = placeIn(L);
      for (Pair *Each : {&Ours, &Theirs})
        Each->Hook(&Each->At[I], &Each->At[Before]);
      Where[I] = L;
    } else {
      for (Pair *Each : {&Ours, &Theirs})
        Each->Unhook(&Each->At[I]);
      Where[I] = -1;
    }
  }
}

int main() {
  Ours.Hook = hook, Ours.Unhook = unhook, Ours.Transfer = transfer;
  Ours.Reverse = reverse, Ours.Swap = swapLists;
  Theirs.Hook = theirs(HOOK, hook), Theirs.Unhook = theirs(UNHOOK, unhook);
  Theirs.Transfer = theirs(TRANSFER, transfer);
  Theirs.Reverse = theirs(REVERSE, reverse);
  Theirs.Swap = theirs(SWAP, swapLists);
  for (Pair *Each : {&Ours, &Theirs})
    for (int L = 0; L < Lists; L++)
      Each->At[L] = {&Each->At[L], &Each->At[L]};
  for (int &L : Where)
    L = -1;
  long Steps = 0;
  for (; Steps < 200000; Steps++) {
    step();
    for (long I = 0; I < Places; I++)
      if (Ours.next(I) != Theirs.next(I) ||
          Ours.previous(I) != Theirs.previous(I))
        fail("other links");
  }
  std::printf("%ld steps\n", Steps);
}
