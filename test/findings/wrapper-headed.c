// wrapper-headed.c - a function with alloc in its name that puts a record of its own ahead of what it was asked for is no place, nor who calls it by
// such a name: who asks is. A block of a pool, whose size is a power of two, is nobody's but the pool's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json && %python %S/Inputs/places.py %t.json | FileCheck %s
// CHECK-DAG: 10 chunks from open_large
// CHECK-DAG: 20 chunks from open_small
// CHECK-DAG: 30 chunks from open_node
// CHECK-DAG: 4 chunks from area_block_alloc
// CHECK-NOT: {{.}}
#include <stdlib.h>

#define APART __attribute__((noinline))

struct block {
  struct block *next;
  size_t size, used;
};

#define HEAD 24

static struct block *blocks, *areas;

static APART void *block_alloc(size_t size) {
  size_t rounded = (size + 7) & ~(size_t)7;
  size_t bytes = rounded + HEAD;
  struct block *block = (struct block *)malloc(bytes);
  block->next = blocks;
  block->size = bytes;
  blocks = block;
  return block + 1;
}

/* As one of several methods, so that no caller says a type. */
static void *(*volatile method)(size_t) = block_alloc;

static APART void *area_alloc(size_t size) {
  char *bytes = method(size);
  bytes[0] = 0;
  return bytes;
}

static APART void area_block_alloc(size_t size) {
  struct block *block = malloc(size);
  block->next = areas;
  block->size = size;
  areas = block;
}

static APART void open_small(void) { *(char *)area_alloc(100) = 1; }
static APART void open_large(void) { *(char *)area_alloc(9000) = 1; }
static APART void open_node(void) { *(char *)method(40) = 1; }
static APART void begin(size_t size) { area_block_alloc(size); }
static APART void begin_again(size_t size) { area_block_alloc(2 * size); }

static void drop(struct block *block) {
  for (struct block *next; block; block = next) {
    next = block->next;
    free(block);
  }
}

int main(void) {
  for (int i = 0; i < 10; i++) {
    open_large();
    open_small();
    open_small();
    open_node();
    open_node();
    open_node();
  }
  begin(8192);
  begin(1024);
  begin_again(1024);
  begin_again(4096);
  drop(blocks);
  drop(areas);
  return 0;
}
