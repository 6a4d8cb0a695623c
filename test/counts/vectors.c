// Vectors: one access each; masked, over the span of the lanes enabled; gathers
// and scatters one access for each chunk they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: avx2
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %clang_heapprof -g $level -mavx2 %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <immintrin.h>
#include <stdlib.h>

typedef int v4 __attribute__((vector_size(16)));

static volatile int zero; // the compiler cannot know it

static void whole(void) {
  // Element by element would be 3*4 accesses.
  // POINT chunks=1 bytes=3*16 reads=2 writes=1 accessed=48
  volatile v4 *p = aligned_alloc(16, 3 * sizeof *p);
  p[2] = p[0] + p[1];
  free((void *)p);
}

static void masked(void) {
  // Lanes 2 and 5 of 8 at byte 32: bytes 40 to 56.
  // POINT chunks=1 bytes=96 reads=1 writes=0 accessed=56-40
  int *from = calloc(24, sizeof *from);
  // POINT chunks=1 bytes=96 reads=0 writes=1 accessed=56-40
  int *to = malloc(24 * sizeof *to);
  __m256i mask = _mm256_set_epi32(0, 0, zero - 1, 0, 0, zero - 1, 0, 0);
  __m256i lanes = _mm256_maskload_epi32(from + 8, mask);
  _mm256_maskstore_epi32(to + 8, mask, lanes);
  // No lane: no access.
  __m256i none = _mm256_set1_epi32(zero);
  _mm256_maskstore_epi32(to, none, lanes);
  __asm__ volatile("" : : "r"(to) : "memory");
  free(from);
  free(to);
}

static void gather(void) {
  // Elements 9, 3, 7, 5: bytes 12 to 40.
  // POINT chunks=1 bytes=20*4 reads=1 writes=0 accessed=40-12
  int *from = calloc(20, sizeof *from);
  // POINT chunks=1 bytes=16 reads=0 writes=1 accessed=16
  __m128i *to = malloc(sizeof *to);
  __m128i index = _mm_set_epi32(9 + zero, 3, 7, 5);
  _mm_storeu_si128(to, _mm_i32gather_epi32(from, index, 4));
  __asm__ volatile("" : : "r"(to) : "memory");
  free(from);
  free(to);
}

static void gather_from_two(void) {
  // One access of each chunk: elements 1 and 2 of the first, 4 of the second.
  // POINT chunks=1 bytes=64 reads=1 writes=0 accessed=8
  int *first = calloc(16, sizeof *first);
  // POINT chunks=1 bytes=64 reads=1 writes=0 accessed=4
  int *second = calloc(16, sizeof *second);
  long long distance = second - first;
  __m256i index = _mm256_set_epi64x(1, distance + 4, 2, distance + 4);
  __m128i lanes = _mm256_i64gather_epi32(first, index, 4);
  volatile int sum = _mm_extract_epi32(lanes, 0) + _mm_extract_epi32(lanes, 3);
  (void)sum;
  free(first);
  free(second);
}

int main(void) {
  whole();
  masked();
  gather();
  gather_from_two();
  return 0;
}
