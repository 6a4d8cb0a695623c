// The functions that balance and walk trees make what libstdc++.so's make: each
// step is done to two trees, once by each, which must have the same links and
// colours.  The same for hashes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O1 %s -o %t && %run %t | FileCheck %s
// CHECK: 120000 steps
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <random>
#include <string>

struct Node {
  int Colour;
  Node *Parent, *Left, *Right;
};
using Insert = void(bool, Node *, Node *, Node *);
using Erase = Node *(Node *, Node *);
using Step = Node *(Node *);

#define INSERT                                                                 \
  "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"
#define ERASE "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"
#define NEXT "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base"
#define BEFORE "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base"
#define NEXT_CONST "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base"
#define BEFORE_CONST "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base"
extern "C" {
Insert insert __asm__(INSERT);
Erase erase __asm__(ERASE);
Step next __asm__(NEXT), before __asm__(BEFORE);
Step nextConst __asm__(NEXT_CONST), beforeConst __asm__(BEFORE_CONST);
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

constexpr int Keys = 64;
struct Tree {
  Node Header, Nodes[Keys];
  Insert *InsertInto;
  Erase *EraseFrom;
  Step *Next, *Before;

  void clear() {
    std::memset(static_cast<void *>(&Header), 0, sizeof Header + sizeof Nodes);
    Header.Left = Header.Right = &Header;
  }
  long place(const Node *It) const { return It ? It - &Header : -1; }
  void add(int Key) {
    Node *Parent = &Header;
    bool Left = true;
    for (Node *It = Header.Parent; It; It = Left ? It->Left : It->Right) {
      Parent = It;
      Left = Key < It - Nodes;
    }
    InsertInto(Left, &Nodes[Key], Parent, &Header);
  }
  void remove(int Key) {
    if (EraseFrom(&Nodes[Key], &Header) != &Nodes[Key])
      fail("another node");
  }
};
static Tree Ours, Theirs;

static void compareNodes() {
  for (int I = 0; I <= Keys; I++) {
    const Node &A = (&Ours.Header)[I], &B = (&Theirs.Header)[I];
    if (A.Colour != B.Colour ||
        Ours.place(A.Parent) != Theirs.place(B.Parent) ||
        Ours.place(A.Left) != Theirs.place(B.Left) ||
        Ours.place(A.Right) != Theirs.place(B.Right))
      fail("another tree");
  }
}

static void compareWalks() {
  if (!Ours.Header.Parent)
    return;
  Node *A = Ours.Header.Left, *B = Theirs.Header.Left;
  for (; A != &Ours.Header; A = Ours.Next(A), B = Theirs.Next(B))
    if (Ours.place(A) != Theirs.place(B) || nextConst(A) != Ours.Next(A))
      fail("another way up");
  while (A != Ours.Header.Left) {
    Node *At = A;
    A = Ours.Before(A), B = Theirs.Before(B);
    if (Ours.place(A) != Theirs.place(B) || beforeConst(At) != A)
      fail("another way down");
  }
}

static void compareHashes(std::mt19937 &Random) {
  using Hash = size_t(const void *, size_t, size_t);
  Hash *Bytes = theirs<Hash>("_ZSt11_Hash_bytesPKvmm", std::_Hash_bytes);
  Hash *Fnv = theirs<Hash>("_ZSt15_Fnv_hash_bytesPKvmm", std::_Fnv_hash_bytes);
  for (int I = 0; I < 5000; I++) {
    std::string Key;
    for (unsigned Left = Random() % 40; Left > 0; Left--)
      Key += (char)Random();
    const size_t Seed = Random() * 0x100000001u;
    if (std::_Hash_bytes(Key.data(), Key.size(), Seed) !=
            Bytes(Key.data(), Key.size(), Seed) ||
        std::_Fnv_hash_bytes(Key.data(), Key.size(), Seed) !=
            Fnv(Key.data(), Key.size(), Seed))
      fail("another hash");
  }
}

int main() {
  Ours.InsertInto = insert, Ours.EraseFrom = erase;
  Ours.Next = next, Ours.Before = before;
  Theirs.InsertInto = theirs(INSERT, insert);
  Theirs.EraseFrom = theirs(ERASE, erase);
  Theirs.Next = theirs(NEXT, next), Theirs.Before = theirs(BEFORE, before);
  theirs(NEXT_CONST, nextConst), theirs(BEFORE_CONST, beforeConst);
  std::mt19937 Random(7);
  long Steps = 0;
  for (unsigned Round = 0; Round < 300; Round++) {
    Ours.clear(), Theirs.clear();
    bool In[Keys] = {};
    for (int Step = 0; Step < 400; Step++, Steps++) {
      const int Key = (int)(Random() % (1 + Round % Keys));
      for (Tree *Each : {&Ours, &Theirs})
        In[Key] ? Each->remove(Key) : Each->add(Key);
      In[Key] = !In[Key];
      compareNodes();
      if (Step % 20 == 0)
        compareWalks();
    }
  }
  compareHashes(Random);
  std::printf("%ld steps\n", Steps);
}
