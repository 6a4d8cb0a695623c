/* library-characters.cpp - texts that only libstdc++.so reads, and a buffer that only it writes: as far as was seen never read, which is no fact.
   Without its functions that do so it is one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// REQUIRES: llvm-22
// RUN: for o in NUMBER COLLATED WIDENED STREAM GIVEN; do \
// RUN:   %clangxx_heapprof -std=c++17 -w -O2 -g -DUSE_$o %s -o %t && %run %t %t.txt && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s < %t.out && FileCheck --check-prefix=NONE %s < %t.out || exit 1; done
// RUN: %clangxx_heapprof -std=c++17 -w -O2 -g %s -o %t && %run %t %t.txt
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=CLOSED %s
// CHECK: Likely: {{[0-9]+ chunks?}} {{.*}} as far as was seen
// NONE-NOT: {{Fact: [0-9]+ chunks}}
// CLOSED: Fact: 1000 chunks {{[^>]*}} from use {{[^>]*}} are written and never read
#include <charconv>
#include <codecvt>
#include <fstream>
#include <locale>
#include <memory>
#include <string>
#include <vector>

static long sum;

__attribute__((noinline)) static void use(int i, const char *name) {
  std::string text(60, static_cast<char>('0' + i % 10));
#if defined USE_NUMBER
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  sum += number > 1;
#elif defined USE_COLLATED
  const auto &order = std::use_facet<std::collate<char>>(std::locale());
  sum += order.hash(text.data(), text.data() + text.size());
#elif defined USE_WIDENED
  std::wstring_convert<std::codecvt_utf8<wchar_t>> convert;
  sum += static_cast<long>(convert.from_bytes(text)[2]);
#elif defined USE_STREAM
  std::vector<char> room(8192);
  std::ifstream stream;
  stream.rdbuf()->pubsetbuf(room.data(), 8192);
  stream.open(name);
  for (char c = 0; stream.get(c);)
    sum += c;
  sum += text[i % 60];
#elif defined USE_GIVEN
  std::unique_ptr<char[]> room(new char[8192]);
  std::ifstream stream(name);
  while (stream.get(room.get(), 8192, ' '))
    sum += stream.get();
  sum += text[i % 60];
#endif
}

int main(int, char **arguments) {
  std::ofstream(arguments[1]) << "some words to be read again";
  for (int i = 0; i < 1000; i++)
    use(i, arguments[1]);
  return sum == 7;
}
