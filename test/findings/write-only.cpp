// write-only.cpp - an undo history built during a load and dropped, and its twin without it.
// Written and never read: as Notepad++ did.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Fact:
// CHECK-SAME: 1000 chunks of 256 B (char) from remember (write-only.cpp:{{[0-9]+}}) are written
// CHECK-SAME: 1000 allocations ({{[0-9]+}} % of all), 250 KiB for nobody ({{[0-9]+}} % of all)
// CHECK-SAME: -> Do not build what nobody reads
// CHECK-SAME: [write_only]
// REPAIRED: no findings
#include <cstring>
#include <memory>
#include <vector>

struct Document {
  std::vector<std::unique_ptr<char[]>> undo;
  long lines = 0;
  bool keeps_undo = true;
};

__attribute__((noinline)) void remember(Document &document, int line) {
  std::unique_ptr<char[]> step(new char[256]);
  memset(step.get(), line, 256);
  document.undo.push_back(std::move(step));
}

int main() {
  Document document;
#ifdef REPAIRED
  document.keeps_undo = false;
#endif
  if (document.keeps_undo)
    document.undo.reserve(1000);
  for (int line = 0; line < 1000; line++) {
    document.lines++;
    if (document.keeps_undo)
      remember(document, line);
  }
  document.undo.clear();
  return document.lines == 0;
}
