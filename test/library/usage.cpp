// What libstdc++ links, balances and fills is counted, however the program is
// compiled: the usage of each container is that of bytes which it has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for flags in -O0 -O1 -O2 '-std=c++98 -O2' '-std=c++20 -O0' \
// RUN:     '-std=c++20 -O2' '-O2 -D_GLIBCXX_DEBUG'; do \
// RUN:   %clangxx_heapprof $flags -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --json --limit 0 %dump/heapprof.* > %t.json && \
// RUN:   case $flags in *DEBUG*) exact= ;; *) exact=exact ;; esac && \
// RUN:   %python %S/Inputs/check_usage.py %s %t.json $exact || \
// RUN:   { echo "with $flags"; exit 1; }; done
#include <list>
#include <map>
#include <set>
#include <string>

// Links and a character, of 24 bytes.
// USAGE 1000 0.71
__attribute__((noinline)) static long listOfChar() {
  std::list<char> L;
  for (int I = 0; I < 1000; I++)
    L.push_back((char)I);
  long Sum = 0;
  while (!L.empty()) {
    Sum += L.back();
    L.pop_back();
  }
  return Sum;
}

// Links and an int, of 24 bytes.
// USAGE 1000 0.83
__attribute__((noinline)) static long listOfInt() {
  std::list<int> L, Other;
  for (int I = 0; I < 1000; I++)
    L.push_front(I * 7 % 1000);
  L.sort();
  L.reverse();
  Other.splice(Other.begin(), L, L.begin());
  L.sort();
  Other.merge(L);
  L.swap(Other);
  L.remove(3);
  long Sum = 0;
  for (std::list<int>::iterator I = L.begin(); I != L.end(); ++I)
    Sum += *I;
  return Sum;
}

// Colour, links and an int, of 40 bytes.
// USAGE 1000 0.90
__attribute__((noinline)) static long setOfInt() {
  std::set<int> S;
  for (int I = 0; I < 1000; I++)
    S.insert(I * 7 % 1000);
  long Sum = 0;
  for (std::set<int>::iterator I = S.begin(); I != S.end(); ++I)
    Sum += *I;
  for (std::set<int>::reverse_iterator I = S.rbegin(); I != S.rend(); ++I)
    Sum += *I;
  return Sum;
}

// USAGE 1000 1.00
__attribute__((noinline)) static long mapOfInt() {
  std::map<int, int> M;
  for (int I = 0; I < 1000; I++)
    M[I] = I;
  for (int I = 0; I < 1000; I += 2)
    M.erase(I);
  long Sum = 0;
  for (std::map<int, int>::iterator I = M.begin(); I != M.end(); ++I)
    Sum += I->second;
  return Sum;
}

// USAGE 1000 1.00
__attribute__((noinline)) static long multimap() {
  std::multimap<int, int> M, Other;
  for (int I = 0; I < 1000; I++)
    M.insert(std::make_pair(I / 10, I));
  M.swap(Other);
  long Sum = 0;
  for (std::multimap<int, int>::iterator I = Other.lower_bound(20);
       I != Other.upper_bound(60); ++I)
    Sum += I->second;
  return Sum;
}

// Each of the three texts was full when the next one was made.
// USAGE 3 1.00
__attribute__((noinline)) static long stringPushed() {
  std::string S;
  for (int I = 0; I < 120; I++) // 31, 61, 121
    S.push_back('x');
  long Sum = 0;
  for (std::string::iterator I = S.begin(); I != S.end(); ++I)
    Sum += *I;
  return Sum + S.c_str()[120];
}

// USAGE 2 1.00
__attribute__((noinline)) static long stringMade() {
  std::string S(100, 'x'), Other(S, 20);
  Other.erase(4, 1);
  Other.insert(3, "y");
  Other.replace(0, 2, "zz");
  return Other.find_last_of("y") + S.find('y') + S.compare(Other) +
         S.c_str()[100];
}

// USAGE 1 1.00
__attribute__((noinline)) static long stringAppended() {
  std::string S;
  S.reserve(80);
  S += "all of these characters go to the end of a string";
  S.append(31, '.');
  S.resize(70);
  S.resize(80, '!');
  return S.find("string") + S.c_str()[80];
}

int main() {
  long Sum = listOfChar() + listOfInt() + setOfInt() + mapOfInt() + multimap() +
             stringPushed() + stringMade() + stringAppended();
  return Sum == 0;
}
