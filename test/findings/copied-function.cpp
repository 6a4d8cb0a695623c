// copied-function.cpp - a std::function that is copied has a copy of its lambda, and of what that captures: one finding, where it is copied and not where the lambda is.
// The twin takes it by reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: env -u COLUMNS %heapprof_score --by function %dump/heapprof.* | FileCheck --check-prefix=TABLE %s
// TABLE: {{^}}call 4000
// RUN: %clangxx_heapprof -O1 -g -DINLINED %s -o %t.inlined && %run %t.inlined
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK-NOT: $_
// CHECK: call (copied-function.cpp:[[#CALL:]]) copies its std::function<long (long)> again and again, {{[^ ]*}} KiB in all, it seems only to read it: 4000 allocations
// CHECK-SAME: [copied_to_read] points
// CHECK-NOT: [deep_copy]
// CHECK-NOT: [write_only]
// REPAIRED-NOT: copies
#include <functional>
#include <string>

#ifdef REPAIRED
#define COPIED const auto &
#else
#define COPIED auto
#endif

#ifdef INLINED
#define OWN inline
#else
#define OWN static
#endif

struct Work {
  std::function<long(long)> todo;
};

OWN std::function<long(long)> named(const std::string &name) {
  return [name](long n) { return n + name[n % 30]; };
}

__attribute__((noinline)) static long call(const Work &work, long n) {
  COPIED copy = work.todo;
  return copy(n);
}

int main() {
  const Work work = {named(std::string(40, 'x'))};
  long sum = 0;
  for (long i = 0; i < 2000; i++)
    sum += call(work, i);
  return sum == 7;
}
