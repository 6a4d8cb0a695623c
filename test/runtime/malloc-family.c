// malloc-family.c - every rule of malloc and its kin, checked without and with
// heapprof: both runs must agree, so each rule is glibc's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -w -fno-builtin %s -o %t.plain && %t.plain > %t.expected
// RUN: for level in -O0 -O2; do \
// RUN:   %clang_heapprof -w -fno-builtin $level %s -o %t && \
// RUN:   %run %t > %t.actual 2> %t.errors && \
// RUN:   diff %t.expected %t.actual && count 0 < %t.errors || exit 1; done
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Not asserted but printed, so that what differs is seen.
#define SHOW(...) printf(#__VA_ARGS__ " = %d\n", (int)(__VA_ARGS__))
// The value of an expression and the errno it leaves, of which 0 is none set.
#define SHOW_ERRNO(...)                                                        \
  do {                                                                         \
    errno = 0;                                                                 \
    int value = (int)(__VA_ARGS__);                                            \
    int reason = errno;                                                        \
    printf(#__VA_ARGS__ " = %d, errno %d\n", value, reason);                   \
  } while (0)

static const size_t most = PTRDIFF_MAX;

static int is_aligned(void *p, size_t alignment) {
  return p && (uintptr_t)p % alignment == 0;
}

static int is_zero(const char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (p[i])
      return 0;
  return 1;
}

static void basic(void) {
  void *a = malloc(0), *b = malloc(0);
  SHOW(a != NULL && b != NULL && a != b);
  SHOW(malloc_usable_size(a) < 100);
  free(a);
  free(b);
  free(NULL);
  for (size_t n = 1; n < 300000; n = n * 3 + 1) {
    char *p = malloc(n);
    memset(p, 0x5a, n);
    SHOW(is_aligned(p, 16) && malloc_usable_size(p) >= n);
    free(p);
  }
  SHOW(malloc_usable_size(NULL));
  SHOW_ERRNO(malloc(most) != NULL);
  SHOW_ERRNO(malloc(most + 1) != NULL);
  SHOW_ERRNO(malloc(SIZE_MAX) != NULL);
}

static void zeroed(void) {
  // Dirty memory first, so that what is handed out again must be cleared.
  for (size_t n = 8; n <= (size_t)1 << 20; n *= 4) {
    char *p = malloc(n);
    memset(p, 0xff, n);
    free(p);
    p = calloc(n / 8, 8);
    SHOW(is_zero(p, n));
    free(p);
  }
  void *none = calloc(0, 8), *other = calloc(8, 0);
  SHOW(none != NULL && other != NULL && none != other);
  free(none);
  free(other);
  SHOW_ERRNO(calloc(SIZE_MAX, 2) != NULL);
  SHOW_ERRNO(calloc((size_t)1 << 32, (size_t)1 << 32) != NULL);
  SHOW_ERRNO(calloc(SIZE_MAX / 2, 2) != NULL);
}

static void resized(void) {
  char *p = realloc(NULL, 10);
  memcpy(p, "012345678", 10);
  for (size_t n = 10; n < (size_t)1 << 22; n *= 3)
    p = realloc(p, n);
  SHOW(strcmp(p, "012345678"));
  p = realloc(p, 5);
  SHOW(memcmp(p, "01234", 5));
  SHOW_ERRNO(realloc(p, SIZE_MAX) != NULL);
  SHOW_ERRNO(realloc(p, most + 1) != NULL);
  SHOW(memcmp(p, "01234", 5));       // as it was
  SHOW_ERRNO(realloc(p, 0) != NULL); // frees it
  void *q = realloc(NULL, 0);
  SHOW(q != NULL);
  SHOW_ERRNO(reallocarray(NULL, SIZE_MAX, 2) != NULL);
  q = reallocarray(q, 10, 10);
  SHOW(q != NULL && malloc_usable_size(q) >= 100);
  SHOW_ERRNO(reallocarray(q, SIZE_MAX / 4, 8) != NULL);
  SHOW_ERRNO(reallocarray(q, 0, 8) != NULL);
}

static void aligned(void) {
  static const size_t sizes[] = {0, 1, 100, 5000, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t alignment = 1; alignment <= (size_t)1 << 21; alignment *= 4) {
      void *p = memalign(alignment, sizes[i]);
      void *q = aligned_alloc(alignment, sizes[i]);
      void *r = NULL;
      int result = posix_memalign(&r, alignment, sizes[i]);
      printf("%zu at %zu: %d %d %d %d\n", sizes[i], alignment,
             is_aligned(p, alignment), is_aligned(q, alignment), result,
             result || is_aligned(r, alignment));
      free(p);
      free(q);
      free(r);
    }
  // Not powers of two: glibc takes the next one.
  SHOW(is_aligned(memalign(24, 10), 32));
  SHOW(is_aligned(aligned_alloc(48, 10), 64));
  SHOW(is_aligned(aligned_alloc(0, 10), 16));
  SHOW_ERRNO(memalign(SIZE_MAX / 2 + 2, 1) != NULL);
  SHOW_ERRNO(aligned_alloc(SIZE_MAX, 1) != NULL);
  SHOW_ERRNO(aligned_alloc(64, SIZE_MAX - 32) != NULL);
  SHOW_ERRNO(memalign(4096, most) != NULL);
  SHOW_ERRNO(memalign((size_t)1 << 62, 1) != NULL);
  SHOW_ERRNO(aligned_alloc((size_t)1 << 50, 1) != NULL);
  void *kept = &kept;
  SHOW(posix_memalign(&kept, 0, 1) == EINVAL && kept == &kept);
  SHOW(posix_memalign(&kept, 4, 1) == EINVAL && kept == &kept);
  SHOW(posix_memalign(&kept, 24, 1) == EINVAL && kept == &kept);
  SHOW(posix_memalign(&kept, 64, SIZE_MAX) == ENOMEM && kept == &kept);
  SHOW(is_aligned(valloc(1), 4096));
  SHOW(is_aligned(pvalloc(1), 4096));
  SHOW(malloc_usable_size(pvalloc(4097)) >= 8192);
  SHOW_ERRNO(pvalloc(SIZE_MAX) != NULL);
  SHOW_ERRNO(valloc(SIZE_MAX) != NULL);
}

static void keeps_errno(void) {
  errno = 77;
  void *p = malloc(100);
  p = realloc(p, 100000);
  free(p);
  free(calloc(10, 10));
  free(aligned_alloc(64, 64));
  free(strdup("text"));
  SHOW(errno);
}

static void tuning(void) {
  SHOW(mallopt(M_MMAP_THRESHOLD, 1 << 16));
  SHOW(mallopt(M_TRIM_THRESHOLD, 1 << 16));
  malloc_trim(0);
  (void)mallinfo();
  (void)mallinfo2();
  SHOW(malloc_info(1, stdout) == EINVAL);
  FILE *null = fopen("/dev/null", "w");
  SHOW(malloc_info(0, null));
  fclose(null);
}

int main(void) {
  basic();
  zeroed();
  resized();
  aligned();
  keeps_errno();
  tuning();
  return 0;
}
