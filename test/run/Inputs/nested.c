/* nested.c - an allocator whose calloc calls malloc and whose realloc calls malloc and free, by the names that anybody may have taken.
   A chunk has 32 bytes of head with its size; what is freed is used again for the same size.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAD = 32, BYTES = 16 << 20, SIZES = 1024 };

static char *memory; /* no global itself, so that what is lost in it is lost */
static size_t used;
static void *spare[SIZES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *(*volatile public_malloc)(size_t) = malloc;
static void (*volatile public_free)(void *) = free;

static size_t *size_of(void *p) { return (size_t *)((char *)p - HEAD); }

static void *take(size_t size, size_t alignment) {
  char *p = NULL;
  size = (size + 31) / 32 * 32;
  pthread_mutex_lock(&lock);
  if (!memory)
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alignment <= 32 && size / 32 < SIZES && spare[size / 32]) {
    p = spare[size / 32];
    spare[size / 32] = *(void **)p;
  } else if (size < BYTES - used - 2 * alignment - HEAD) {
    p = memory + (used + HEAD + alignment - 1) / alignment *
                     alignment; /* as memory itself is */
    used = (size_t)(p - memory) + size;
    *size_of(p) = size;
  }
  pthread_mutex_unlock(&lock);
  if (!p)
    errno = ENOMEM;
  return p;
}

void *malloc(size_t size) {
  return size > BYTES ? (errno = ENOMEM, NULL) : take(size + 1, 32);
}
void *memalign(size_t alignment, size_t size) {
  return take(size + 1, alignment < 32 ? 32 : alignment);
}
size_t malloc_usable_size(void *p) { return p ? *size_of(p) : 0; }

int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
    return EINVAL;
  *to = memalign(alignment, size);
  return *to ? 0 : ENOMEM;
}

void free(void *p) {
  if (!p || *size_of(p) / 32 >= SIZES)
    return;
  pthread_mutex_lock(&lock);
  *(void **)p = spare[*size_of(p) / 32];
  spare[*size_of(p) / 32] = p;
  pthread_mutex_unlock(&lock);
}

void *calloc(size_t n, size_t size) {
  void *p = public_malloc(n * size);
  return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *old, size_t size) {
  void *p = public_malloc(size);
  if (!p || !old)
    return p;
  memcpy(p, old, *size_of(old) < size ? *size_of(old) : size);
  public_free(old);
  return p;
}

void *nested_give(size_t size) { return take(size, 32); }
