// joins-inside.cpp - a put that many lines call lets a text grow by s = s + t: it is the place. What a function joins for its callers is theirs.
// Concatenation. The twin appends. Both C++ libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the plain compiler links none with libc++, that is left out.
// RUN: for library in libstdc++ libc++; do \
// RUN:   set -- -stdlib=$library -O2 -g %s && \
// RUN:   if [ $library = libc++ ] && ! %clangxx "$@" -o %t.plain; then continue; fi && \
// RUN:   %clangxx_heapprof "$@" -o %t && %run %t && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s && \
// RUN:   %clangxx_heapprof "$@" -DREPAIRED -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK-DAG: put (joins-inside.cpp:[[#]]) joins texts by +, which makes a new std::string of up to
// CHECK-DAG: use_{{[a-z]*}} (joins-inside.cpp:[[#]]) {{(makes its|allocates) std::string}}
// CHECK-NOT: write (joins-inside.cpp:
// REPAIRED-NOT: put (joins-inside.cpp:{{[0-9]+}}) joins
#include <string>

#define APART __attribute__((noinline))

static std::string out;

APART static void put(const char *text) {
#ifdef REPAIRED
  out += text;
#else
  out = out + text;
#endif
}

APART static void write(const char *name, const char *value) {
  put("{\"");
  put(name);
  put("\": ");
  put(value);
  put("},\n");
}

APART static std::string join(const std::string &left, const char *right) {
  return left + right;
}

static const std::string base = "/usr/share/some/folder/";

APART static size_t use_icons(size_t i) {
  return join(base, "icons").back() + i;
}
APART static size_t use_fonts(size_t i) {
  return join(base, "fonts").back() + i;
}
APART static size_t use_pages(size_t i) {
  return join(base, "pages").back() + i;
}
APART static size_t use_sounds(size_t i) {
  return join(base, "sounds").back() + i;
}

int main() {
  size_t sum = 0;
  for (int i = 0; i < 40; i++) {
    out.clear();
    for (int k = 0; k < 100; k++)
      write("name-of-a-member", "its value, which is a text");
    sum += out.size();
    for (size_t k = 0; k < 50; k++)
      sum += use_icons(k) + use_fonts(k) + use_pages(k) + use_sounds(k);
  }
  return sum == 1;
}
