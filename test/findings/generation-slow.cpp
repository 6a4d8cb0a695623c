// generation-slow.cpp - lines of a picture that each turn makes anew and works with for longer than chunks are timed exactly:
// its turns are told as those of a quick one; and its twin, which keeps them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clangxx_heapprof -O2 -g -DREPAIRED %s -o %t.repaired && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck --check-prefix=REPAIRED %s
// CHECK: Likely: Each turn of (anonymous namespace)::draw (generation-slow.cpp:[[#]]) makes anew what is gone by the next: chunks of 2 points, such as
// CHECK-SAME: at least 12 turns of it,
// CHECK-SAME: 120 allocations (
// CHECK-SAME: [generation]
// REPAIRED: no findings
#include <chrono>
#include <memory>

namespace {

using Clock = std::chrono::steady_clock;
constexpr int TURNS = 12, LINES = 5, WIDTH = 600;
/* More than 32 periods of the coarse clock, of half a millisecond each. */
constexpr auto TURN = std::chrono::milliseconds(40);

struct Picture {
  std::unique_ptr<float[]> light[LINES];
  std::unique_ptr<int[]> colour[LINES];

  __attribute__((noinline)) void make_light(int lines) {
    for (int i = 0; i < lines; i++)
      light[i] = std::make_unique<float[]>(WIDTH);
  }
  __attribute__((noinline)) void make_colour(int lines) {
    for (int i = 0; i < lines; i++)
      colour[i] = std::make_unique<int[]>(WIDTH);
  }
  __attribute__((noinline)) int work(int turn) {
    int sum = 0;
    for (auto until = Clock::now() + TURN; Clock::now() < until;)
      for (int i = 0; i < LINES; i++)
        for (int x = 0; x < WIDTH; x++) {
          light[i][x] += static_cast<float>(turn);
          colour[i][x] += light[i][x] > 10;
          sum += colour[i][x] & 1;
        }
    return sum;
  }
};

#ifdef REPAIRED
Picture kept;
#endif

__attribute__((noinline)) int draw(int turn, int lines) {
#ifdef REPAIRED
  Picture &picture = kept;
  if (!turn) {
#else
  Picture picture;
  {
#endif
    picture.make_light(lines);
    picture.make_colour(lines);
  }
  return picture.work(turn);
}

} // namespace

/* One argument: what the compiler knows the number of it may unroll. */
int main(int count, char **) {
  int sum = 0;
  for (int turn = 0; turn < count * TURNS; turn++)
    sum += draw(turn, count * LINES);
  return sum == 1;
}
