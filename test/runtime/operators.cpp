// operators.cpp - all forms of C++17's operators new and delete: alignment,
// zero size, overflow, new_handler, bad_alloc, nothrow; as without heapprof.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -std=c++17 -w -fno-builtin %s -o %t.plain && \
// RUN:   %t.plain > %t.expected
// RUN: for level in -O0 -O2; do \
// RUN:   %clangxx_heapprof -std=c++17 -w -fno-builtin $level %s -o %t && \
// RUN:   %run %t > %t.actual 2> %t.errors && \
// RUN:   diff %t.expected %t.actual && count 0 < %t.errors || exit 1; done
// RUN: %heapprof_score --json %dump > %t.json
// RUN: FileCheck --check-prefix=DUMP %s < %t.json
// DUMP-DAG: "ended": "exit"
// DUMP-DAG: "live_bytes_at_end": {{[0-9]+}}
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

static volatile size_t huge = (size_t)1 << 62;
static volatile size_t zero = 0;

#define SHOW(...) printf(#__VA_ARGS__ " = %d\n", (int)(__VA_ARGS__))

static bool aligned(void *p, size_t alignment) {
  return p && reinterpret_cast<uintptr_t>(p) % alignment == 0;
}

template <typename Call> static const char *outcome(Call call) {
  try {
    return call() ? "pointer" : "null";
  } catch (const std::bad_array_new_length &) {
    return "bad_array_new_length";
  } catch (const std::bad_alloc &) {
    return "bad_alloc";
  } catch (const std::runtime_error &) {
    return "runtime_error";
  }
}

static int calls;
static void give_up_at_third_call() {
  if (++calls == 3)
    std::set_new_handler(nullptr);
}
static void throw_other() { throw std::runtime_error("from the handler"); }

static void every_form() {
  const std::align_val_t at = std::align_val_t(64);
  ::operator delete(::operator new(10));
  ::operator delete(::operator new(10), 10);
  ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](10));
  ::operator delete[](::operator new[](10), 10);
  ::operator delete[](::operator new[](10, std::nothrow), std::nothrow);
  void *p[8];
  SHOW(aligned(p[0] = ::operator new(10, at), 64));
  SHOW(aligned(p[1] = ::operator new(10, at, std::nothrow), 64));
  SHOW(aligned(p[2] = ::operator new[](10, at), 64));
  SHOW(aligned(p[3] = ::operator new[](10, at, std::nothrow), 64));
  SHOW(aligned(p[4] = ::operator new(100000, std::align_val_t(1 << 17)),
               1 << 17));
  SHOW(aligned(p[5] = ::operator new(1, std::align_val_t(1)), 1));
  SHOW(aligned(p[6] = ::operator new(0, at), 64));
  SHOW(aligned(p[7] = ::operator new[](0, at), 64));
  ::operator delete(p[0], at);
  ::operator delete(p[1], at, std::nothrow);
  ::operator delete[](p[2], at);
  ::operator delete[](p[3], at, std::nothrow);
  ::operator delete(p[4], 100000, std::align_val_t(1 << 17));
  ::operator delete(p[5], std::align_val_t(1));
  ::operator delete(p[6], 0, at);
  ::operator delete[](p[7], 0, at);
  ::operator delete(nullptr);
  ::operator delete[](nullptr);
  ::operator delete(nullptr, at);
  void *a = ::operator new(0), *b = ::operator new(0);
  SHOW(a && b && a != b);
  ::operator delete(a);
  ::operator delete(b);
  char *c = new char[zero], *d = new char[zero];
  SHOW(c && d && c != d);
  delete[] c;
  delete[] d;
}

static void failures() {
  const std::align_val_t at = std::align_val_t(64);
  puts(outcome([] { return ::operator new(huge); }));
  puts(outcome([] { return ::operator new[](huge); }));
  puts(outcome([&] { return ::operator new(huge, at); }));
  puts(outcome([&] { return ::operator new[](huge, at); }));
  puts(outcome([] { return ::operator new(huge, std::nothrow); }));
  puts(outcome([] { return ::operator new[](huge, std::nothrow); }));
  puts(outcome([&] { return ::operator new(huge, at, std::nothrow); }));
  puts(outcome([&] { return ::operator new[](huge, at, std::nothrow); }));
  puts(outcome([] { return ::operator new(SIZE_MAX); }));
  puts(outcome([] { return new long[huge]; })); // 8 * 2^62 overflows
  puts(outcome([] { return new (std::nothrow) long[huge]; }));
}

static void handlers() {
  std::set_new_handler(give_up_at_third_call);
  puts(outcome([] { return ::operator new(huge); }));
  SHOW(calls);
  calls = 0;
  std::set_new_handler(give_up_at_third_call);
  puts(outcome([] { return ::operator new(huge, std::nothrow); }));
  SHOW(calls);
  std::set_new_handler(throw_other);
  puts(outcome([] { return ::operator new(huge); }));
  puts(outcome([] { return ::operator new[](huge); }));
  // A form that may not throw ends the handler's exception.
  puts(outcome([] { return ::operator new(huge, std::nothrow); }));
  puts(outcome([] { return ::operator new[](huge, std::nothrow); }));
  puts(outcome(
      [] { return ::operator new(huge, std::align_val_t(64), std::nothrow); }));
  std::set_new_handler(nullptr);
}

struct Throwing {
  Throwing() { throw std::runtime_error("from the constructor"); }
  char data[100];
};

int main() {
  every_form();
  failures();
  handlers();
  // The memory of an object whose constructor throws is given back.
  puts(outcome([] { return new Throwing; }));
  puts(outcome([] { return new Throwing[3]; }));
  return 0;
}
