/* malloc_family.c - malloc and its kin under the names that programs call.
   Weak, as libc's own are: a program's definition of them takes precedence.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "entry/entry.h"

#include <stdlib.h>

#include "chunk/plain.h"

/* Every function below is a frame of its own, for HP_CALLER(); the names that
   programs use are weak aliases. */
#define HP_WEAK(target) __attribute__((weak, alias(#target), nothrow)) HP_EXPORT

/* ---- malloc, calloc, free ------------------------------------------------ */

void *hp_malloc(size_t size);
void *hp_calloc(size_t count, size_t size);
void hp_free(void *p);

/* The quick case of malloc and free builds no frame: all others are functions of
   their own, to which it jumps. */
static HP_NOINLINE HP_ALIGNS_STACK void *malloc_profiled(size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_malloc(size, HP_ENTRY_MALLOC, &caller);
}

void *hp_malloc(size_t size) {
  void *p = hp_plain_quick_allocate(size, NULL);
  if (p)
    return p;
  __attribute__((musttail)) return malloc_profiled(size);
}

HP_ALIGNS_STACK void *hp_calloc(size_t count, size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_calloc(count, size, &caller);
}

static HP_NOINLINE HP_ALIGNS_STACK void free_profiled(void *p) {
  struct hp_caller caller = HP_CALLER();
  hp_entry_free(p, &caller);
}

void hp_free(void *p) {
  if (HP_UNLIKELY(hp_sampling) && hp_plain_quick_free(p))
    return;
  __attribute__((musttail)) return free_profiled(p);
}

HP_WEAK(hp_malloc) void *malloc(size_t size);
HP_WEAK(hp_malloc) void *__libc_malloc(size_t size);
HP_WEAK(hp_calloc) void *calloc(size_t count, size_t size);
HP_WEAK(hp_calloc) void *__libc_calloc(size_t count, size_t size);
HP_WEAK(hp_free) void free(void *p);
HP_WEAK(hp_free) void cfree(void *p);
HP_WEAK(hp_free) void __libc_free(void *p);

/* ---- realloc ------------------------------------------------------------- */

void *hp_realloc(void *p, size_t size);
void *hp_reallocarray(void *p, size_t count, size_t size);

HP_ALIGNS_STACK void *hp_realloc(void *p, size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_realloc(p, size, &caller);
}

HP_ALIGNS_STACK void *hp_reallocarray(void *p, size_t count, size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_reallocarray(p, count, size, &caller);
}

HP_WEAK(hp_realloc) void *realloc(void *p, size_t size);
HP_WEAK(hp_realloc) void *__libc_realloc(void *p, size_t size);
HP_WEAK(hp_reallocarray) void *reallocarray(void *p, size_t count, size_t size);
HP_WEAK(hp_reallocarray)
void *__libc_reallocarray(void *p, size_t count, size_t size);

/* ---- aligned ------------------------------------------------------------- */

void *hp_memalign(size_t alignment, size_t size);
int hp_posix_memalign(void **out, size_t alignment, size_t size);
void *hp_valloc(size_t size);
void *hp_pvalloc(size_t size);

HP_ALIGNS_STACK void *hp_memalign(size_t alignment, size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_memalign(alignment, size, &caller);
}

HP_ALIGNS_STACK int hp_posix_memalign(void **out, size_t alignment,
                                      size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_posix_memalign(out, alignment, size, &caller);
}

HP_ALIGNS_STACK void *hp_valloc(size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_valloc(size, &caller);
}

HP_ALIGNS_STACK void *hp_pvalloc(size_t size) {
  struct hp_caller caller = HP_CALLER();
  return hp_entry_pvalloc(size, &caller);
}

HP_WEAK(hp_memalign) void *memalign(size_t alignment, size_t size);
HP_WEAK(hp_memalign) void *__libc_memalign(size_t alignment, size_t size);
HP_WEAK(hp_memalign) void *aligned_alloc(size_t alignment, size_t size);
HP_WEAK(hp_posix_memalign)
int posix_memalign(void **out, size_t alignment, size_t size);
HP_WEAK(hp_posix_memalign)
int __posix_memalign(void **out, size_t alignment, size_t size);
HP_WEAK(hp_valloc) void *valloc(size_t size);
HP_WEAK(hp_valloc) void *__libc_valloc(size_t size);
HP_WEAK(hp_pvalloc) void *pvalloc(size_t size);
HP_WEAK(hp_pvalloc) void *__libc_pvalloc(size_t size);
