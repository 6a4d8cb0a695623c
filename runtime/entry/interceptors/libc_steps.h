// libc_steps.h - what a function of libc reads and writes, as data: up to
// HP_STEPS steps of 32 bits in the row of each function of libc_calls.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_LIBC_STEPS_H
#define HP_LIBC_STEPS_H

#include <stdint.h>

// One step, from the lowest bit on:
//
//   bits  16     3        3      1       1      1    2     3        2
//        [size][pointer][count][narrow][least][plus][of][moment][access]
//
// pointer and count are numbers of arguments, or r, the result.
#define HP_STEPS 4

enum hp_argument : uint32_t { a, b, c, d, e, f, r, none };

enum hp_step_moment : uint32_t {
  MOMENT_BEFORE,
  MOMENT_AFTER,
  MOMENT_DONE,     // after, if the int is 0
  MOMENT_NOT,      // if the int is not
  MOMENT_MADE,     // if the pointer or size is not
  MOMENT_HELD,     // if the int is not negative
  MOMENT_SOME,     // if the number is positive
  MOMENT_SOME_INT, // if the int is
};

enum hp_step_of : uint32_t {
  OF_BYTES, // COUNT objects of SIZE bytes
  OF_TEXT,  // with its end; at most COUNT characters
  OF_WIDE,
};

// A count: an argument as it is, an int, at most the result, the result and 1,
// up to where the argument points.
enum : uint32_t {
  STEP_NARROW = 8,
  STEP_LEAST = 16,
  STEP_PLUS = 32,
  STEP_UNTIL = STEP_LEAST | STEP_PLUS
};

constexpr uint32_t hp_step(uint32_t access, hp_step_of of, uint32_t pointer,
                           uint32_t count, uint32_t size) {
  return size | pointer << 16 | (count & 7) << 19 | (count >> 3 & 7) << 22 |
         (uint32_t)of << 25 | access << 30;
}
constexpr uint32_t hp_step_at(hp_step_moment moment, uint32_t step) {
  return step | (uint32_t)moment << 27;
}

struct hp_step_fields {
  uint32_t size, pointer, count, moment, access;
  hp_step_of of;
  bool narrow, least, plus;
};
constexpr hp_step_fields hp_step_read(uint32_t step) {
  return {step & 0xffff,
          step >> 16 & 7,
          step >> 19 & 7,
          step >> 27 & 7,
          step >> 30,
          (hp_step_of)(step >> 25 & 3),
          (step >> 22 & 1) != 0,
          (step >> 23 & 1) != 0,
          (step >> 24 & 1) != 0};
}
static_assert(hp_step_read(hp_step_at(MOMENT_SOME_INT,
                                      hp_step(3, OF_WIDE, r, STEP_PLUS | f,
                                              0xffff)))
                      .moment == MOMENT_SOME_INT,
              "a step holds its fields");

#endif
