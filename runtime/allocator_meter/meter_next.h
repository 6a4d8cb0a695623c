/* meter_next.h - the allocator beneath: who has the names next in line.
   Looking it up may allocate; until it is found there is a little memory of our own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_NEXT_H
#define HP_METER_NEXT_H

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef void *hp_next_new(size_t size);
typedef void *hp_next_aligned_new(size_t size, size_t alignment);
typedef void *hp_next_nothrow_new(size_t size, const void *nothrow);
typedef void *hp_next_aligned_nothrow_new(size_t size, size_t alignment,
                                          const void *nothrow);

/* NULL: nobody has it. */
struct hp_next {
  void *(*malloc)(size_t);
  void (*free)(void *);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*reallocarray)(void *, size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
  size_t (*malloc_usable_size)(void *);
  struct mallinfo2 (*mallinfo2)(void);
  int (*malloc_info)(int, FILE *);
  /* By number of form, see meter_new.c; of [] the second. */
  hp_next_new *new_plain[2];
  hp_next_nothrow_new *new_nothrow[2];
  hp_next_aligned_new *new_aligned[2];
  hp_next_aligned_nothrow_new *new_aligned_nothrow[2];
  void (*delete_plain[2])(void *);
  void (*delete_sized[2])(void *, size_t);
  void (*delete_nothrow[2])(void *, const void *);
  void (*delete_aligned[2])(void *, size_t);
  void (*delete_sized_aligned[2])(void *, size_t, size_t);
  void (*delete_aligned_nothrow[2])(void *, size_t, const void *);
};

extern struct hp_next hp_next;

/* True once all are looked up; the first call does it.  False within that. */
bool hp_next_ready(void);

/* Whose malloc it is, a path; "" if that is not known. */
const char *hp_next_library(void);

/* Memory for while hp_next_ready() is false: never given back, all zero. */
void *hp_early_take(size_t size, size_t alignment);
bool hp_early_has(const void *chunk);
size_t hp_early_size(const void *chunk);

#endif
