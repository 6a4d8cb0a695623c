// stream-text.cpp - str() of a stream makes a text: nobody reads that, or it is made each time.
// It is no buffer of the stream, which is another chunk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: (std::string) from unread (stream-text.cpp:[[#]]) are written and never read
// CHECK-DAG: read (stream-text.cpp:[[#]]) makes its std::string anew each time
#include <sstream>

static long sum;

__attribute__((noinline)) static void fill(std::ostringstream &out, int i) {
  out.seekp(0);
  out << "a number behind words that are long: " << i % 10;
}

__attribute__((noinline)) static void unread(const std::ostringstream &out) {
  sum += static_cast<long>(out.str().size());
}

__attribute__((noinline)) static void read(const std::ostringstream &out) {
  const std::string text = out.str();
  for (char c : text)
    sum += c;
}

int main() {
  std::ostringstream out;
  for (int i = 0; i < 2000; i++) {
    fill(out, i);
    unread(out);
    read(out);
  }
  return sum == 1;
}
