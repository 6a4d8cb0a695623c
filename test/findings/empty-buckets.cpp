// empty-buckets.cpp - tables of words with room for 100,000, of which each has 300; or with buckets for a hundredth of an element.
// REPAIRED lets them grow by themselves, FILLED has as many words as there is room for, EMPTIED had them before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefixes=CHECK,RESERVED %s
// RUN: %clangxx_heapprof -O2 -g -DLOAD %s -o %t.load && %run %t.load
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DFILLED %s -o %t.filled && %run %t.filled
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// RUN: %clangxx_heapprof -O2 -g -DEMPTIED %s -o %t.emptied && %run %t.emptied
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=NONE %s
// CHECK: 1. Likely: {{[0-9]+}} chunks {{.*}}(std::unordered_map<long, long>) from count (empty-buckets.cpp:[[#]])
// RESERVED-SAME: are too large: at most {{[0-9]+}} of {{[0-9.]+}}M buckets were ever used: {{[0-9.]+}} MiB for nobody
// CHECK-SAME: -> Reserve for as many elements as there are, or let the table grow by itself
// CHECK-SAME: [empty_buckets]
// NONE: points
// NONE-NOT: [empty_buckets]
#include <unordered_map>
#include <vector>

using counts = std::unordered_map<long, long>;

#if defined(FILLED) || defined(EMPTIED)
enum { WORDS = 100000 };
#else
enum { WORDS = 300 };
#endif

__attribute__((noinline)) static counts count(long text) {
  counts words;
#if defined(LOAD)
  words.max_load_factor(0.01F);
#elif !defined(REPAIRED)
  words.reserve(100000);
#endif
  for (long i = 0; i < 3L * WORDS; i++)
    words[(i * 7 + text) % WORDS * 13]++;
#ifdef EMPTIED
  while (words.size() > 300)
    words.erase(words.begin());
#endif
  return words;
}

int main() {
  std::vector<counts> texts;
  texts.reserve(10);
  for (long text = 0; text < 10; text++)
    texts.push_back(count(text));
  long sum = 0;
  for (const counts &words : texts)
    for (const auto &word : words)
      sum += word.second + (words.count(word.first + 1) ? 1 : 0);
  return sum == 7;
}
