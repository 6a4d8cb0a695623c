// Memoro's picture: the four patterns of its figures get the scores that the
// definitions in docs/metrics.md give them, and the worst comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds hold by definition if the program was not held up for long at a few
// places, which it finds out itself; else it exits with 75, and is run again.
// A busy machine holds it up each time: then for longer, in a longer run.
// RUN: %clangxx_heapprof -g -O1 %s -o %t
// RUN: tries=0; until %env_heapprof_opts=exact_time=1 %run %t $((1 << tries / 10)); do \
// RUN:   [ $? = 75 ] && [ $((tries += 1)) -lt 100 ] || exit 1; done
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %python %S/check_patterns.py %t.json
//
// clang-format off
// RUN: %heapprof_score --filter 'file=*patterns.cpp' %dump > %t.table
// RUN: FileCheck %s < %t.table
// CHECK: place type chunks bytes peak life usage useful flags
// CHECK-NEXT: {{.*}}::loop patterns.cpp:{{[0-9]+}} {{char|-}} 1000 {{.*}} 0.00 1.00 {{[01].}}
// CHECK-NEXT: :growth patterns.cpp:{{[0-9]+}} {{int|-}} 12 {{.*}} 0.{{[01].}} 0.75 {{.*}}G
// CHECK-NEXT: :early patterns.cpp:{{[0-9]+}} {{char|-}} 1 {{.*}} 1.00 1.00 0.{{[12].}}
// CHECK-NEXT: :whole patterns.cpp:{{[0-9]+}} {{char|-}} 1 {{.*}} 1.00 1.00 {{0.9.|1.00}}
// clang-format on
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

constexpr double Millisecond = 1e6;
// How long it may be held up.  Groups part at 0.001 of the window, which is
// longer than 1000 of these.
double Gap;

double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return 1e9 * static_cast<double>(T.tv_sec) + static_cast<double>(T.tv_nsec);
}

void require(bool Quiet) {
  if (!Quiet)
    exit(75);
}

// A chunk in each round, used and freed before the next: they could have been
// one.  n = 1000 lives that do not overlap fill at most the group's time, so
// that the lifetime score is at most 1/1000.  Usage is 1.
void loop() {
  double Before = now();
  for (int I = 0; I < 1000; I++) {
    volatile char *P = static_cast<char *>(malloc(8));
    double Begun = now();
    require(Begun - Before < Gap);
    Before = Begun;
    for (int J = 0; J < 8; J++)
      P[J] = 1;
    for (int J = 0; J < 8; J++)
      (void)P[J];
    free(const_cast<char *>(P));
  }
}

// Nobody said how many there would be: 12 chunks of 4, 8, ..., 8192 bytes.  One
// or two of them live at any time, so that the lifetime score lies in 1/12 to
// 2/12.  All bytes are used but those of the last chunk, with 1025 elements:
// usage is (4*2047 + 4*1025) / (4*4095).
int growth() {
  std::vector<int> V;
  double Begun = now();
  for (int I = 0; I < 1025; I++)
    V.push_back(I);
  require(now() - Begun < Gap);
  int Sum = 0;
  for (volatile int &Element : V)
    Sum += Element;
  return Sum;
}

// Used for a quarter of its life: useful lifetime is at most 0.25, and no less
// than half of that unless something holds up the program.  The rest is 1.
void early() {
  double Before = now();
  volatile char *P = static_cast<char *>(malloc(4096));
  double Used;
  do {
    for (int I = 0; I < 4096; I++) {
      P[I] = 1;
      (void)P[I];
    }
    Used = now() - Before;
  } while (Used < 20 * Millisecond);
  while (now() - Before < 4 * Used)
    ;
  free(const_cast<char *>(P));
  require(now() - Before < 8 * Used);
}

// Used as soon as it is there, until it goes.
void whole() {
  double Before = now();
  volatile char *P = static_cast<char *>(malloc(4096));
  double First, Last;
  P[0] = 1;
  First = now();
  do {
    for (int I = 0; I < 4096; I++) {
      P[I] = 1;
      (void)P[I];
    }
    Last = now();
  } while (Last - First < 20 * Millisecond);
  (void)P[0];
  free(const_cast<char *>(P));
  require(Last - First > 0.95 * (now() - Before));
}

} // namespace

int main(int, char **Arguments) {
  Gap = atof(Arguments[1]) * Millisecond;
  double Begun = now();
  loop();
  int Sum = growth();
  early();
  whole();
  while (now() - Begun < 1200 * Gap)
    ;
  return Sum == 1025 * 512 ? 0 : 1;
}
