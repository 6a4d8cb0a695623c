// Containers of libstdc++ 12: their chunks belong to the line that made them
// grow.  What libstdc++.so would do inside (the links of a tree) is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx_heapprof -g -O0 %s -o %t && %run %t && %check_counts
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

static int vectorGrowth() {
  std::vector<int> V;
  // Room for 1, 2, 4, 8.  Written: 5 elements, and 3 copies of all that there
  // is; read: the 3 copies, then each of the 5 elements.
  for (int I = 0; I < 5; I++)
    // POINT chunks=4 bytes=4+8+16+32 reads=3+5 writes=5+3 accessed=4+8+16+5*4
    //       points=1 growing=4
    V.push_back(I);
  int Sum = 0;
  for (int Element : V)
    Sum += Element;
  return Sum == 10;
}

static int vectorReserved() {
  std::vector<long> V;
  // POINT chunks=1 bytes=10*8 reads=5 writes=5 accessed=5*8
  V.reserve(10);
  for (long I = 0; I < 5; I++)
    V.push_back(I);
  long Sum = 0;
  for (long Element : V)
    Sum += Element;
  return Sum == 10;
}

static int vectorCopied() {
  // POINT chunks=1 bytes=3*4 reads=1 writes=1 accessed=12
  std::vector<int> V = {1, 2, 3};
  // Copied as a whole; then one element read.
  // POINT chunks=1 bytes=3*4 reads=1 writes=1 accessed=12
  std::vector<int> Copy = V;
  // Moving moves no element.
  std::vector<int> Moved = std::move(Copy);
  return Moved[1] == 2;
}

static int map() {
  std::map<int, int> M;
  // A node is 32 bytes of links, key and value.  Written: key, value; colour
  // and three links.
  // find: key, left link, key again; then the value; the end: both links.
  // POINT chunks=1 bytes=40 reads=3+1+2 writes=2+4 accessed=40
  M.emplace(1, 2);
  auto Found = M.find(1);
  return Found != M.end() && Found->second == 2;
}

static int list() {
  std::list<int> L;
  // 16 bytes of links, value and padding.  Written: the value and both links;
  // read: the value by front(), next by front() and by the end.
  // POINT chunks=1 bytes=24 reads=1+1 writes=1+2 accessed=20
  L.push_back(3);
  return L.front() == 3;
}

static int text() {
  // 100 characters, filled by memset, and a 0.  Ours: one character written,
  // one read.
  // POINT chunks=1 bytes=101 reads=1 writes=1+1+1 accessed=101
  std::string S(100, 'x');
  S[3] = 'y';
  // Short ones have no chunk.
  std::string Short(5, 'x');
  return S[99] == 'x';
}

static int sharedPointer() {
  // Built: pointer to virtual functions twice, both counts, the value.
  // b: count up (read, write); value read; both counts looked at, count down
  // (two reads, a write).  Value written.  The last: both counts looked at and
  // set to 0; two virtual calls.
  // POINT chunks=1 bytes=24 reads=1+1+3+1+2 writes=5+1+1+1+2 accessed=20
  auto A = std::make_shared<int>(5);
  int Sum = 0;
  {
    auto B = A;
    Sum += *B;
  }
  *A = 6;
  return Sum == 5;
}

static int uniquePointer() {
  // POINT chunks=1 bytes=8 reads=1 writes=2 accessed=8
  auto P = std::make_unique<long>(4);
  auto Q = std::move(P);
  *Q = 5;
  return *Q == 5;
}

struct Sum {
  long Terms[4];
  long operator()() const { return Terms[0] + Terms[3]; }
};

static int function() {
  Sum S = {{1, 2, 3, 4}};
  // Too large to lie in the function: copied there once; a call reads two.
  // POINT chunks=1 bytes=32 reads=2+2 writes=1 accessed=32
  std::function<long()> F = S;
  return F() + F() == 10;
}

int main() {
  return vectorGrowth() && vectorReserved() && vectorCopied() && map() &&
                 list() && text() && sharedPointer() && uniquePointer() &&
                 function()
             ? 0
             : 1;
}
