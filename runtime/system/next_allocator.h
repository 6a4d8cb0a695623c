/* next_allocator.h - the allocator that the program would have without us: who has its names next in line.
   Not where the executable has them itself, which then are never ours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NEXT_ALLOCATOR_H
#define HP_NEXT_ALLOCATOR_H

#include <malloc.h>
#include <stdio.h>

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: nobody has it. */
struct hp_next_allocator {
  void *(*malloc)(size_t);
  void (*free)(void *);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t, size_t);
  size_t (*malloc_usable_size)(void *);
  int (*malloc_trim)(size_t);
  int (*mallopt)(int, int);
  struct mallinfo (*mallinfo)(void);
  struct mallinfo2 (*mallinfo2)(void);
  void (*malloc_stats)(void);
  int (*malloc_info)(int, FILE *);
};
extern HP_HIDDEN struct hp_next_allocator hp_next;

/* Looks them up; false: there is no such allocator, as of the first five. */
bool hp_next_find(void);

/* The path of its library; "": not known. */
const char *hp_next_path(void);

#ifdef __cplusplus
}
#endif
#endif
