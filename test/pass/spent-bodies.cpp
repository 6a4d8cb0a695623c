// spent-bodies.cpp - what the compiler itself calls is no address that is taken: intrinsics, and clean-up of exceptions.
// All users of an intrinsic are taken for calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %clangxx -O2 -g -fpass-plugin=%pass -Xclang -load -Xclang %pass -c %s -o %t.o
#include <cstring>
#include <string>

struct table {
  char bytes[4096];
  std::string name;
};

void fill(table &t, int n);
int copied(table &to, const table &from, int n) {
  std::string name(from.name);
  table own;
  std::memset(own.bytes, n, size_t(n));
  std::memcpy(own.bytes, from.bytes, 3000);
  fill(own, n);
  std::memcpy(to.bytes, from.bytes, size_t(n));
  fill(to, n);
  return __builtin_popcount(unsigned(n)) + int(name.size());
}
