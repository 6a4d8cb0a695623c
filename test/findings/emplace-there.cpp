// emplace-there.cpp - words are counted in a map by emplace, which makes a node for each, and drops it where the word is there; the twin calls try_emplace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for map in map unordered_map; do \
// RUN:   %clangxx_heapprof -std=c++17 -O1 -g -DMAP=std::$map %s -o %t && %run %t && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck -DMAP=$map %s && \
// RUN:   %clangxx_heapprof -std=c++17 -O1 -g -DMAP=std::$map -DREPAIRED %s -o %t.repaired && %run %t.repaired && \
// RUN:   %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s || exit 1; done
// CHECK: Likely: count (emplace-there.cpp:[[#]]) emplaces keys that are there, for each of which it makes a std::[[MAP]]<std::string, long> node of [[#]] B, and drops it{{[^>]*}}-> Call try_emplace, which makes a node for a key alone that is not there; or look for it first.
// CHECK-SAME: [short_lived]
// REPAIRED-NOT: node
// Of numbers nobody reads what is made in vain: that is told, with the same remedy.
// RUN: %clangxx_heapprof -std=c++17 -O1 -g -DMAP=std::unordered_map -DNUMBERS %s -o %t && %run %t && %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=NUMBERS %s
// NUMBERS: Fact: [[#]] chunks of 24 B (std::unordered_map<long, long> node) from count (emplace-there.cpp:[[#]]) are written and never read: {{[^>]*}}-> Call try_emplace
#include <map>
#include <string>
#include <unordered_map>

#ifdef NUMBERS
using Key = long;
#else
using Key = std::string;
#endif
using Counts = MAP<Key, long>;

__attribute__((noinline)) static void count(Counts &counts, const Key &word) {
#ifdef REPAIRED
  counts.try_emplace(word, 0).first->second++;
#elif defined(NUMBERS)
  counts.emplace(word, 0).first->second++;
#else
  counts.emplace(std::make_pair(word, 0)).first->second++;
#endif
}

int main() {
  Counts counts;
  long sum = 0;
#ifdef NUMBERS
  for (long i = 0; i < 2000; i++)
    count(counts, i * 7919 % 16);
#else
  const Key words[] = {"one", "two", "three", "four", "five", "six", "seven"};
  for (long i = 0; i < 2000; i++)
    count(counts, words[i * 7919 % 7]);
#endif
  for (const auto &one : counts)
    sum += one.second;
  return sum == 7;
}
