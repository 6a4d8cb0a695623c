// growth-sites.cpp - a buffer that stage after stage makes larger, and a stream that functions fill in turn: each
// chain is one finding, wherever it grows.  Their twins begin large enough.  With APART defined each function has a buffer of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// RUN: %clangxx_heapprof -O2 -g -DAPART %s -o %t.apart && %run %t.apart
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=APART %s
// CHECK-DAG: Likely: 200 buffers in encrypt (growth-sites.cpp:{{[0-9]+}}) grow 6 times each, from 64 B to 64.0 KiB, at {{[456]}} places or more, {{[a-z]+}} (growth-sites.cpp:{{[0-9]+}}) among the first, and are copied each time: 1200 allocations
// CHECK-DAG: Likely: std::stringbuf in notes (growth-sites.cpp:{{[0-9]+}}) grows 1{{[0-9]}} times, from 513 B to 1.00 MiB, at {{[2-9]}} places or more, {{head|body}} (growth-sites.cpp:{{[0-9]+}}) among the first, and is copied each time: {{1[0-9]}} allocations
// REPAIRED-NOT: [growing]
// APART-DAG: Fact: 100 buffers in one (growth-sites.cpp:{{[0-9]+}}) grow 10 times each, from 64 B to 64.0 KiB, and are copied each time: 1000 allocations
// APART-DAG: Fact: 100 buffers in other (growth-sites.cpp:{{[0-9]+}}) grow 10 times each, from 64 B to 64.0 KiB, and are copied each time: 1000 allocations
// APART-NOT: or more,
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#define NOINLINE __attribute__((noinline))

struct Buffer {
  char *bytes;
  size_t size, room;
};

#ifdef REPAIRED
#define FIRST 65536
#else
#define FIRST 64
#endif

NOINLINE void fill(Buffer &b, size_t more) {
  for (size_t i = b.size; i < more; i++)
    b.bytes[i] = static_cast<char>(b.bytes[i - b.size] + 1);
  b.size = more;
}

#define STAGE(name, times)                                                     \
  NOINLINE void name(Buffer &b) {                                              \
    const size_t more = b.size * times;                                        \
    if (b.room < more) {                                                       \
      char *bytes = static_cast<char *>(malloc(more));                         \
      memcpy(bytes, b.bytes, b.size);                                          \
      free(b.bytes);                                                           \
      b.bytes = bytes;                                                         \
      b.room = more;                                                           \
    }                                                                          \
    fill(b, more);                                                             \
  }

#ifdef APART
STAGE(one, 2)
STAGE(other, 2)
#else
STAGE(header, 2)
STAGE(quote, 4)
STAGE(encode, 4)
STAGE(sign, 4)
STAGE(pad, 4)
STAGE(encrypt, 2)
#endif

NOINLINE Buffer first() {
  Buffer b = {static_cast<char *>(malloc(FIRST)), 64, FIRST};
  memset(b.bytes, 1, b.size);
  return b;
}

NOINLINE long finish(Buffer &b) {
  long sum = 0;
  for (size_t i = 0; i < b.size; i++)
    sum += b.bytes[i];
  free(b.bytes);
  return sum;
}

#ifndef APART
NOINLINE void head(std::ostream &out) {
  for (int i = 0; i < 100; i++)
    out << "head " << i << '\n';
}
NOINLINE void body(std::ostream &out) {
  for (int i = 0; i < 3000; i++)
    out << "a line of the body " << i << '\n';
}
NOINLINE void notes(std::ostream &out) {
  for (int i = 0; i < 30000; i++)
    out << "note " << i << " of many\n";
}
#endif

int main() {
  long sum = 0;
  for (int turn = 0; turn < 200; turn++) {
    Buffer b = first();
#ifdef APART
    for (int i = 0; i < 10; i++)
      if (turn % 2)
        one(b);
      else
        other(b);
#else
    header(b);
    quote(b);
    encode(b);
    sign(b);
    pad(b);
    encrypt(b);
#endif
    sum += finish(b);
  }
#if !defined(APART) && !defined(REPAIRED)
  std::ostringstream out;
  head(out);
  body(out);
  notes(out);
  sum += static_cast<long>(out.tellp());
#endif
  printf("%ld\n", sum);
}
