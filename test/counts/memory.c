// memcpy, memmove, memset and their like: one read of the source and one write
// of the target, however they are compiled; 0 bytes are no access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: for level in -O0 -O1 -O2 -O3 -Os -Oz; do \
// RUN:   %clang_heapprof -g $level %s -o %t && %run %t && \
// RUN:   %check_counts || { echo "at $level"; exit 1; }; done
// OTHER chunks=0
#include <stdlib.h>
#include <string.h>

static volatile size_t runtime_size;

// The compiler must take it that P's bytes are read and written here.
static void escape(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

static void constant_sizes(void) {
  // Read: 1, 2, 4, 8, 16, 48 bytes.
  // POINT chunks=1 bytes=64 reads=6 writes=0 accessed=48
  char *from = malloc(64);
  // POINT chunks=1 bytes=64 reads=0 writes=6 accessed=48
  char *to = malloc(64);
  escape(from);
  memcpy(to, from, 1);
  escape(to);
  memcpy(to, from, 2);
  escape(to);
  memcpy(to, from, 4);
  escape(to);
  memcpy(to, from, 8);
  escape(to);
  memcpy(to, from, 16);
  escape(to);
  memcpy(to, from, 48);
  escape(to);
  free(from);
  free(to);
}

static void runtime_sizes(void) {
  // Read: 33 bytes from 3, 20 from 10; written: 20 from 12.
  // POINT chunks=1 bytes=64 reads=2 writes=1 accessed=36-3
  char *from = malloc(64);
  // POINT chunks=1 bytes=64 reads=0 writes=1 accessed=33
  char *to = malloc(64);
  escape(from);
  runtime_size = 33;
  memcpy(to, from + 3, runtime_size);
  escape(to);
  runtime_size = 20;
  memmove(from + 12, from + 10, runtime_size);
  escape(from);
  runtime_size = 0;
  memcpy(to + 40, from + 40, runtime_size);
  memmove(to + 40, from + 40, runtime_size);
  memset(to + 40, 1, runtime_size);
  escape(to);
  free(from);
  free(to);
}

static void fills(void) {
  // POINT chunks=1 bytes=100 reads=0 writes=3 accessed=100
  char *p = malloc(100);
  escape(p);
  memset(p, 7, 100);
  escape(p);
  memset(p + 10, 7, 8);
  escape(p);
  runtime_size = 50;
  memset(p + 50, 7, runtime_size);
  escape(p);
  free(p);
}

static void called_by_pointer(void) {
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
  void *(*volatile move)(void *, const void *, size_t) = memmove;
  void *(*volatile fill)(void *, int, size_t) = memset;
  // POINT chunks=1 bytes=64 reads=2 writes=1 accessed=32
  char *from = malloc(64);
  // POINT chunks=1 bytes=64 reads=0 writes=2 accessed=32
  char *to = malloc(64);
  fill(from, 1, 32);
  copy(to, from, 32);
  move(to, from, 16);
  escape(to);
  free(from);
  free(to);
}

static void from_and_to_stack(void) {
  // Only the chunk's side counts.
  // POINT chunks=1 bytes=40 reads=1 writes=1 accessed=40
  char *p = malloc(40);
  char on_stack[40];
  escape(on_stack);
  memcpy(p, on_stack, 40);
  escape(p);
  memcpy(on_stack, p, 40);
  escape(on_stack);
  free(p);
}

static void within_one_chunk(void) {
  // One read and one write each.
  // POINT chunks=1 bytes=80 reads=2 writes=2 accessed=80
  char *p = malloc(80);
  escape(p);
  memcpy(p, p + 40, 40);
  escape(p);
  memmove(p + 4, p, 40);
  escape(p);
  free(p);
}

int main(void) {
  constant_sizes();
  runtime_sizes();
  fills();
  called_by_pointer();
  from_and_to_stack();
  within_one_chunk();
  return 0;
}
