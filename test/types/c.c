// Each way to say in C what is allocated; the same types in every build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22, lld
// RUN: %each_build; do \
// RUN:   %clang_heapprof $flags %s -o %t && %run %t && %check_types || \
// RUN:     { echo "with $flags"; exit 1; }; done
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct Q {
  int a, b;
};
struct R {
  double d[3];
};
struct Flexible {
  int n;
  struct Q q[];
};
union U {
  long l;
  double d;
};

#define NEW(T, n) ((T *)malloc(sizeof(T) * (n)))

static void *kept[64];
static int count;

static void keep(void *p) { kept[count++] = p; }

static struct Q *returned(size_t n) { return malloc(n); }

struct Q *global;
struct {
  struct R *member;
} holder;

int main(void) {
  volatile size_t one = 1;
  struct Q *initialised = malloc(101); // TYPE 101 argument Q
  keep(initialised);
  struct R *times = malloc(sizeof(struct R) * 3); // TYPE 72 argument R
  keep(times);
  struct R *sized = malloc(5 * sizeof *sized); // TYPE 120 argument R
  keep(sized);
  keep((struct R *)malloc(102)); // TYPE 102 argument R
  keep(NEW(struct R, 6)); // TYPE 144 argument R
  keep(calloc(2, sizeof(struct Q))); // TYPE 16 argument Q
  keep(realloc(NULL, sizeof(struct R) + 1)); // TYPE 25 argument R
  struct Q *resized = realloc(NULL, 103); // TYPE 103 argument Q
  keep(resized);
  struct Q *array = reallocarray(NULL, 3, 35); // TYPE 105 argument Q
  keep(array);
  keep(aligned_alloc(64, 64 * sizeof(struct R))); // TYPE 1536 argument R
  struct Q *aligned = memalign(32, 106); // TYPE 106 argument Q
  keep(aligned);
  struct Q *page = valloc(107); // TYPE 107 argument Q
  keep(page);
  struct R *out;
  if (posix_memalign((void **)&out, 64, 108) != 0) // TYPE 108 argument R
    return 1;
  keep(out);
  void *nothing;
  if (posix_memalign(&nothing, 64, 109) != 0) // TYPE 109 -
    return 1;
  keep(nothing);
  struct Flexible *flexible =
      malloc(sizeof(struct Flexible) + 4 * sizeof(struct Q)); // TYPE 36 argument Flexible
  keep(flexible);
  keep(returned(110)); // TYPE 110 argument Q
  global = malloc(111); // TYPE 111 argument Q
  keep(global);
  holder.member = malloc(112); // TYPE 112 argument R
  keep(holder.member);
  struct Q *maybe = one ? malloc(113) : NULL; // TYPE 113 argument Q
  keep(maybe);
  keep(malloc(sizeof(struct Q[15]))); // TYPE 120 argument Q[15]
  struct Q **pointers = malloc(7 * sizeof *pointers); // TYPE 56 argument Q *
  keep(pointers);
  union U *either = malloc(115); // TYPE 115 argument U
  keep(either);
  char *text = malloc(116); // TYPE 116 argument char
  keep(text);
  keep(strdup("seventeen letters")); // TYPE 18 argument char
  keep(strndup("seventeen letters", 12)); // TYPE 13 argument char
  void *untyped = malloc(117); // TYPE 117 -
  keep(untyped);
  void *(*volatile pointer)(size_t) = malloc;
  struct Q *indirect = pointer(118); // TYPE 118 -
  keep(indirect);
  // A resized chunk of which nothing is said stays what it was.
  struct R *first = malloc(119); // TYPE 119 argument R
  void *grown = realloc(first, 1190); // TYPE 1190 argument R
  keep(grown);
  for (int i = 0; i < count; i++)
    free(kept[i]);
  return 0;
}
