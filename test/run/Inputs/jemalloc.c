/* jemalloc.c - the allocator of nested.c with jemalloc's own functions: it counts its calls, and what it is given that is no chunk of its own.
   Of arena 1 the program has given the memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nested.c"

#include <stdio.h>

int jemalloc_calls, jemalloc_strays;

static void look(const void *p) {
  jemalloc_strays += !memory || (uintptr_t)p - (uintptr_t)memory >= BYTES;
}

int jemalloc_has(const void *p) {
  return memory && (uintptr_t)p - (uintptr_t)memory < BYTES;
}

void *mallocx(size_t size, int flags) {
  const size_t alignment = (size_t)1 << (flags & 63);
  const int before = errno;
  jemalloc_calls++;
  void *p = take(size + 1, alignment < 32 ? 32 : alignment);
  errno = before;
  return p && flags & 64 ? memset(p, 0, size) : p;
}

size_t sallocx(const void *p, int flags) {
  (void)flags;
  look(p);
  return *size_of((void *)p);
}

size_t nallocx(size_t size, int flags) {
  (void)flags;
  return (size + 1 + 31) / 32 * 32;
}

void dallocx(void *p, int flags) {
  (void)flags;
  jemalloc_calls++;
  look(p);
  free(p);
}

void sdallocx(void *p, size_t size, int flags) {
  (void)size;
  dallocx(p, flags);
}

/* All that there is of the chunk may be used; none becomes larger or smaller. */
size_t xallocx(void *p, size_t size, size_t extra, int flags) {
  (void)size, (void)extra;
  return sallocx(p, flags);
}

void *rallocx(void *p, size_t size, int flags) {
  const size_t old = sallocx(p, 0);
  void *moved = mallocx(size, flags);
  memcpy(moved, p, old < size ? old : size);
  free(p);
  return moved;
}

int mallctl(const char *name, void *old, size_t *size, void *new,
            size_t bytes) {
  static int hooks[2];
  unsigned arena;
  if (strcmp(name, "arenas.lookup") == 0) {
    look(*(void **)new);
    *(unsigned *)old = 5;
    return bytes == sizeof(void *) ? 0 : EINVAL;
  }
  if (*size != sizeof(void *))
    return EINVAL;
  if (strcmp(name, "version") == 0)
    *(const char **)old = "0.0.0";
  else if (sscanf(name, "arena.%u.extent_hooks", &arena) == 1)
    *(void **)old = &hooks[arena == 1];
  else
    return ENOENT;
  return 0;
}

int mallctlnametomib(const char *name, size_t *mib, size_t *length) {
  mib[0] = (size_t)name[0];
  *length = 1;
  return 0;
}
