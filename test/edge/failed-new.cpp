// failed-new.cpp - operator new that cannot be met throws, or returns NULL if nothrow; new_handler is asked first.
// Each attempt is a failed request; clang asks for SIZE_MAX bytes where new[] overflows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O0 -g %s -o %t && %run %t && %expect %dump
#include <cstdlib>
#include <new>

static int asked;
static void give_up() {
  if (++asked == 2)
    std::set_new_handler(nullptr);
}

int main() {
  volatile std::size_t much = std::size_t(1) << 60, count = std::size_t(-1) / 4;
  int caught = 0;
  if (::operator new(much, std::nothrow)) // 1 failed request
    return 1;
  std::set_new_handler(give_up);
  try {
    (void)::operator new(much); // 3: two handlers' answers, then none
  } catch (const std::bad_alloc &) {
    caught++;
  }
  if (asked != 2 || caught != 1)
    return 2;
  try {
    long *volatile p = new long[count]; // 1
    (void)p;
  } catch (const std::bad_alloc &) {
    caught++;
  }
  return caught == 2 ? 0 : 3;
}
// EXPECT: process.failed_requests == 5 and process.failed_bytes == MAX
// EXPECT: points("main") == []
