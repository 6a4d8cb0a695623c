// Strings are made and read by the program's own code; the buffers of streams by
// libstdc++.so, which has no hooks: then its frame is in the stack, whatever the
// program's compiler could have inlined.  The site is the program's line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: for flags in -O0 -O1 -O2 -O3 '-std=c++98 -O2' '-std=c++20 -O0' \
// RUN:     '-std=c++20 -O2'; do \
// RUN:   %clangxx_heapprof $flags -g %s -o %t && %run %t && \
// RUN:   %heapprof_score --json --limit 0 %dump/heapprof.* > %t.json && \
// RUN:   %python %S/Inputs/check_frames.py %s %t.json || \
// RUN:   { echo "with $flags"; exit 1; }; done
#include <cwchar>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

static std::string text(400, 'x');
static std::wstring wide(400, L'x');

static std::string made() {
  std::string s(text, 10); // FRAMES own
  return s;
}

static long pushed() {
  std::string s;
  for (int i = 0; i < 100; i++)
    s.push_back('x'); // FRAMES own
  return (long)s.size();
}

static long edited() {
  std::string s;
  s += text;                       // FRAMES own
  s.replace(2, 3, text);           // FRAMES own
  s.insert(5, text).append("end"); // FRAMES own
  std::string other;
  other = s;                                                     // FRAMES own
  std::string sum = s + other;                                   // FRAMES own
  sum.resize(3000);                                              // FRAMES own
  return (long)(s.size() + other.size() + sum.substr(7).size()); // FRAMES own
}

static long widened() {
  std::wstring s;
  s += wide;         // FRAMES own
  s.insert(5, wide); // FRAMES own
  return (long)s.size();
}

static long mapped() {
  std::map<std::string, std::string> m;
  m[text] = text; // FRAMES own
  return (long)m.size();
}

static long inputs() {
  const std::string all = text + "\n" + text + "\n7"; // FRAMES own
  std::stringstream in;
  in.str(all); // FRAMES library
  std::string line, word;
  std::getline(in, line); // FRAMES own
  in >> word;             // FRAMES own
  int n = 0;
  in >> n;
  return n + (long)(line.size() + word.size());
}

static long outputs() {
  std::ostringstream out;
  for (int i = 0; i < 1000; i++)
    out << i; // FRAMES library
  return (long)out.tellp();
}

static long constructed() {
  std::istringstream in(text); // FRAMES library
  int n = 0;
  in >> n;
  return n;
}

static long file() {
  std::ifstream in("/proc/self/maps"); // FRAMES library
  return in.get();
}

int main() {
  long sum = (long)made().size() + pushed() + edited() + widened() + mapped() +
             inputs() + outputs() + constructed() + file();
  return sum == 0;
}
