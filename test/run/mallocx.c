/* mallocx.c - jemalloc's own functions under heapprof run: what they give are chunks as malloc's are, and nothing of ours reaches jemalloc.
   Who calls them by dlsym gets them too, but only where jemalloc is; what an arena is to have from memory of the program's own is jemalloc's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -fno-builtin -shared -fPIC %S/Inputs/jemalloc.c -o libje.so && %clang -O1 -g -fno-builtin %s -o app ./libje.so
// RUN: cd %t.d && ./app > plain && FileCheck --check-prefix=PLAIN %s < plain
// RUN: cd %t.d && %heapprof_run -q -o own ./app > out && FileCheck --check-prefix=OURS %s < out
// RUN: cd %t.d && %heapprof_score --json --limit 0 own/* > json && %python %S/Inputs/mallocx.py json
// With hooks in the process chunks lie elsewhere, and in a run of samples those that are none.
// RUN: cd %t.d && echo 'int x;' > plugin.c && %clang_heapprof -shared -fPIC plugin.c -o plugin.so && %heapprof_run -q -o hooked sh -c 'LD_PRELOAD="$LD_PRELOAD:./plugin.so" exec ./app' > out && FileCheck --check-prefix=OURS %s < out
// RUN: cd %t.d && %heapprof_run -q -o sampled --sample 2000 ./app > out && FileCheck --check-prefix=OURS %s < out
// The program's own allocator, watched: all is as without heapprof.
// RUN: cd %t.d && %heapprof_run -q -o beside --allocator=program ./app > out && diff plain out
// RUN: cd %t.d && %heapprof_score --json --limit 0 beside/* > json && %python %S/Inputs/mallocx.py json
// Without jemalloc the names are not there by dlsym, and a weak reference may be used.
// RUN: cd %t.d && %clang -O1 -g -fno-builtin -DWEAK %s -o weak && ./weak | FileCheck --check-prefix=NONE %s && %heapprof_run -q -o weak.d ./weak > out && FileCheck --check-prefix=WEAK %s < out
// What was built with heapprof calls jemalloc as it does without us.
// RUN: cd %t.d && %clang_heapprof -O1 -g -fno-builtin -DBUILT %s -o built ./libje.so && ./built > plain && %heapprof_run -q -o built.d ./built > out && diff plain out && FileCheck --check-prefix=BUILT %s < out
// Which a note tells, and of no other: not of it under heapprof run, even with hooks in a plug-in, nor where jemalloc is called by malloc.
// RUN: cd %t.d && %heapprof_score built.d/* | tr -s '\n ' ' ' | FileCheck --check-prefix=NOTE %s && for d in own hooked beside; do %heapprof_score $d/* > table && not grep "by mallocx" table || exit 1; done
// RUN: cd %t.d && echo 'void *mallocx(unsigned long, int); void *make(void) { return mallocx(9, 0); }' > lib.c && %clang -shared -fPIC lib.c -o libmake.so ./libje.so
// RUN: cd %t.d && echo 'int main(void) { return 0; }' > none.c && %clang_heapprof none.c -Wl,--no-as-needed -o none ./libmake.so ./libje.so && HEAPPROF_OPTIONS=dump_dir=none.d ./none && %heapprof_score none.d/* | tr -s '\n ' ' ' | FileCheck --check-prefix=LIBRARY %s
// RUN: cd %t.d && %clang_heapprof none.c -Wl,--no-as-needed -o only ./libje.so && HEAPPROF_OPTIONS=dump_dir=only.d ./only && %heapprof_score only.d/* > table && not grep "by mallocx" table
// Of a process that wrote dumps before its last one it is told once.
// RUN: cd %t.d && echo 'void *mallocx(unsigned long, int); int __heapprof_dump(void); int main(void) { __heapprof_dump(); __heapprof_dump(); return !mallocx(9, 0); }' > dumps.c && %clang_heapprof dumps.c -o dumps ./libje.so && HEAPPROF_OPTIONS=dump_dir=dumps.d ./dumps
// RUN: cd %t.d && %heapprof_score --json dumps.d > json && grep -o "by mallocx" json | wc -l | grep -x 1
// PLAIN: 0.0.0: 1 1 1 1 1 1 1 1 1 1
// PLAIN-NEXT: of jemalloc's: yes, by dlsym yes
// PLAIN-NEXT: looked for: 0 5, 0
// PLAIN-NEXT: placed: yes, yes
// PLAIN-NEXT: strays 0
// OURS: 0.0.0: 1 1 1 1 1 1 1 1 1 1
// OURS-NEXT: of jemalloc's: no, by dlsym no
// OURS-NEXT: looked for: 22 0, 2
// OURS-NEXT: placed: yes, yes
// OURS-NEXT: strays 0, calls 3
// NONE: weak: no, by dlsym no
// WEAK: weak: yes, by dlsym no
// WEAK-NEXT: 1 1 1
// NOTE: note: built.d/heapprof.built.{{[0-9]+}}: what {{[^ ]*}}/built gets by mallocx and its kin, functions of {{.*}}libje.so, is not profiled; heapprof run profiles it, where neither was built with heapprof
// LIBRARY: what {{.*}}libmake.so gets by mallocx
// BUILT: of jemalloc's: yes
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WEAK
#define OF_JEMALLOC __attribute__((weak))
#else
#define OF_JEMALLOC
#endif
OF_JEMALLOC void *mallocx(size_t size, int flags);
OF_JEMALLOC void *rallocx(void *p, size_t size, int flags);
OF_JEMALLOC size_t xallocx(void *p, size_t size, size_t extra, int flags);
OF_JEMALLOC size_t sallocx(const void *p, int flags);
OF_JEMALLOC void dallocx(void *p, int flags);
OF_JEMALLOC void sdallocx(void *p, size_t size, int flags);
OF_JEMALLOC size_t nallocx(size_t size, int flags);
OF_JEMALLOC int mallctl(const char *name, void *old, size_t *size, void *new,
                        size_t bytes);

#define PAGE 12 /* of an alignment, the power of two */
#define ZERO 0x40
#define ARENA(number) (((number) + 1) << 20)
#define NO_CACHE (1 << 8)

typedef void *mallocx_function(size_t size, int flags);

static const char *yes(int it) { return it ? "yes" : "no"; }

#ifdef WEAK
int main(void) {
  printf("weak: %s, by dlsym %s\n", yes(mallocx != NULL),
         yes(dlsym(RTLD_DEFAULT, "mallocx") != NULL));
  if (!mallocx)
    return 0;
  char *p = mallocx(100, ZERO);
  printf("%d ", sallocx(p, 0) >= 100 && nallocx(100, 0) >= 100 && !p[99]);
  const char *version = p;
  size_t size = sizeof version;
  printf("%d ",
         mallctl("version", &version, &size, NULL, 0) == ENOENT && !version);
  p = rallocx(p, 200, ZERO);
  printf("%d\n", !p[199] && xallocx(p, 200, 0, 0) >= 200);
  sdallocx(mallocx(10, 0), 10, 0);
  dallocx(p, 0);
  return 0;
}
#else
int mallctlnametomib(const char *name, size_t *mib, size_t *length);
extern int jemalloc_calls, jemalloc_strays;
int jemalloc_has(const void *p);

enum { CHUNKS = 100 };
static char *kept[CHUNKS];

__attribute__((noinline)) static void make(void) {
  for (size_t i = 0; i < CHUNKS; i++)
    kept[i] = mallocx(100 + i, NO_CACHE | ARENA(2));
}

__attribute__((noinline)) static int grow(void) {
  int good = 1;
  for (size_t i = 0; i < CHUNKS; i++) {
    memset(kept[i], 1, 100);
    kept[i] = rallocx(kept[i], 300 + i, i % 2 ? ZERO : 0);
    good = good && kept[i][99] == 1 && (i % 2 == 0 || !kept[i][299 + i]);
  }
  return good;
}

__attribute__((noinline)) static void drop(void) {
  for (size_t i = 0; i < CHUNKS / 2; i++)
    i % 2 ? sdallocx(kept[i], 300 + i, 0) : dallocx(kept[i], NO_CACHE);
}

static int is_zero(const char *p, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (p[i])
      return 0;
  return 1;
}

__attribute__((noinline)) static int aligned(void) {
  char *p = mallocx(5000, PAGE | ZERO);
  int good = (uintptr_t)p % 4096 == 0 && is_zero(p, 5000);
  memset(p, 2, 5000);
  p = rallocx(p, 20000, PAGE | ZERO);
  good = good && (uintptr_t)p % 4096 == 0 && p[4999] == 2 &&
         is_zero(p + 16384, 20000 - 16384);
  dallocx(p, PAGE);
  return good;
}

__attribute__((noinline)) static int large(void) {
  char *p = mallocx(200000, ZERO);
  const int good = is_zero(p, 200000) && sallocx(p, 0) >= 200000;
  sdallocx(p, 200000, ZERO);
  return good;
}

/* What one gives, the other takes. */
__attribute__((noinline)) static int mixed(void) {
  free(mallocx(10, 0));
  dallocx(malloc(11), 0);
  sdallocx(calloc(1, 12), 12, 0);
  char *p = realloc(mallocx(13, 0), 500);
  p = rallocx(p, 600, 0);
  const int good = malloc_usable_size(p) == sallocx(p, 0);
  free(p);
  return good;
}

__attribute__((noinline)) static int stays(void) {
  char *p = mallocx(1000, 0);
  const size_t size = sallocx(p, 0);
  const int good = size >= 1000 && size == nallocx(1000, 0) &&
                   xallocx(p, 1 << 20, 0, 0) == size &&
                   xallocx(p, size, 100, ZERO) == size;
  dallocx(p, 0);
  return good;
}

__attribute__((noinline)) static int refused(void) {
  errno = 7;
  return mallocx((size_t)1 << 60, 0) == NULL &&
         mallocx(SIZE_MAX / 2, ZERO) == NULL && errno == 7;
}

int main(void) {
  const char *version = "";
  size_t size = sizeof version;
  mallctl("version", &version, &size, NULL, 0);
  printf("%s: ", version);
  mallocx_function *found = (mallocx_function *)dlsym(RTLD_DEFAULT, "mallocx");
  jemalloc_calls = 0;
#ifndef BUILT /* there malloc is the runtime's, and mallocx is not */
  make();
  printf("1 %d ", grow());
  drop();
  printf("%d %d ", aligned(), large());
  printf("%d %d %d ", mixed(), stays(), refused());
  printf("%d %d ", nallocx(77, 0) >= 77,
         mallctl("no", &version, &size, NULL, 0) == ENOENT);
  void *next = dlsym(RTLD_NEXT, "dallocx");
  printf("%d\n", next != NULL);
#endif
  void *here = mallocx(20, 0), *there = found(21, 0);
  printf("of jemalloc's: %s, by dlsym %s\n", yes(jemalloc_has(here)),
         yes(jemalloc_has(there)));
  unsigned arena = 0;
  size_t mib[3], length = 3;
  size = sizeof arena;
  const int asked = mallctl("arenas.lookup", &arena, &size, &here, sizeof here);
  printf("looked for: %d %u, %d\n", asked, arena,
         mallctlnametomib("arenas.lookup", mib, &length));
  dallocx(here, 0);
  dallocx(there, 0);
  void *placed = mallocx(30, ARENA(1));
  printf("placed: %s, ", yes(jemalloc_has(placed)));
  placed = rallocx(placed, 300, ARENA(1));
  printf("%s\n", yes(jemalloc_has(placed) && sallocx(placed, 0) >= 300));
  dallocx(placed, 0);
  printf("strays %d, calls %d\n", jemalloc_strays, jemalloc_calls);
  return 0;
}
#endif
