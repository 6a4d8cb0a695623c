/* allocator-program.c - heapprof run --allocator=program: chunks are those of the allocator that the program has, their records lie elsewhere.
   glibc's, one that is linked with, one that is preloaded; the latter two call malloc and free themselves, which is no call of the program's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O1 -g -fno-builtin -pthread %s -o app && %clang -O1 -fno-builtin -shared -fPIC %S/Inputs/nested.c -o libnested.so
// RUN: cd %t.d && %clang -O1 -g -fno-builtin -pthread -DNESTED %s -o linked ./libnested.so
// What the program sees is what it sees by itself: addresses, usable sizes, mallinfo2, errno, a moved or unmoved realloc.
// RUN: cd %t.d && ./app > plain && %heapprof_run --allocator=program ./app > out 2> err && diff plain out && FileCheck --check-prefix=LINE %s < err
// RUN: cd %t.d && %heapprof_score --json --limit 0 heapprof.app.* > json && %python %S/Inputs/allocator_program.py json libc.so.6 && %heapprof_score heapprof.app.* | tr -s ' \n' ' ' | FileCheck --check-prefix=NOTE %s
// RUN: cd %t.d && %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json json
// The same chunks as with heapprof's own, which has no such note.
// RUN: cd %t.d && %heapprof_run -q -o own --allocator=heapprof ./app > out && %heapprof_score --json --limit 0 own/heapprof.app.* > json && %python %S/Inputs/allocator_program.py json None && not grep -q "own allocator" json
// RUN: cd %t.d && ./linked > plain && %heapprof_run -q -o nested --allocator=program ./linked > out && diff plain out && %heapprof_score --json --limit 0 nested/heapprof.linked.* > json && %python %S/Inputs/allocator_program.py json libnested.so
// RUN: cd %t.d && env LD_PRELOAD=./libnested.so ./app > plain && %heapprof_run -q -o loaded --allocator=program sh -c 'LD_PRELOAD="$LD_PRELOAD:./libnested.so" exec ./app' > out && diff plain out && %heapprof_score --json --limit 0 loaded/heapprof.app.* > json && %python %S/Inputs/allocator_program.py json libnested.so
// One that is made of libc's, by the names that libc alone has.
// RUN: cd %t.d && printf '#include <stddef.h>\nextern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t), __libc_free(void *);\nvoid *malloc(size_t n) { return __libc_malloc(n); }\nvoid *calloc(size_t n, size_t m) { return __libc_calloc(n, m); }\nvoid *realloc(void *p, size_t n) { return __libc_realloc(p, n); }\nvoid *memalign(size_t a, size_t n) { return __libc_memalign(a, n); }\nvoid free(void *p) { __libc_free(p); }\n' > made.c && %clang -O1 -fno-builtin -shared -fPIC made.c -o libmade.so
// RUN: cd %t.d && env LD_PRELOAD=./libmade.so ./app > plain && LD_PRELOAD=./libmade.so %heapprof_run -q --only app -o made --allocator=program ./app > out && diff plain out && %heapprof_score --json --limit 0 made/heapprof.app.* > json && %python %S/Inputs/allocator_program.py json libmade.so
// A merged dump names the allocator of each process.
// RUN: cd %t.d && %heapprof_merge -o merged own nested loaded && %heapprof_score --json merged > json && test "$(grep -o '"allocator": "[^"]*libnested.so"' json | wc -l)" -ge 2 && grep -q '"allocator": null' json
// A word that is none, and what does not go with it.
// RUN: cd %t.d && %heapprof_run --allocator=glibc ./app > out 2> err; test $? = 2 && count 0 < out && FileCheck --check-prefix=REFUSED %s < err
// RUN: cd %t.d && HEAPPROF_OPTIONS=allocator=glibc %heapprof_run ./app > out 2> err; test $? = 1 && count 0 < out && FileCheck --check-prefix=WORD %s < err
// RUN: cd %t.d && %heapprof_run --allocator=program --sample 4096 ./app > out 2> err; test $? = 1 && count 0 < out && FileCheck --check-prefix=SAMPLE %s < err
// RUN: cd %t.d && %heapprof_run --allocator=program --addresses ./app > out 2> err; test $? = 1 && count 0 < out && FileCheck --check-prefix=MAP %s < err
// RUN: cd %t.d && not %heapprof_score --map heapprof.app.* 2>&1 | FileCheck --check-prefix=UNMAPPED %s
// RUN: cd %t.d && %clang_heapprof -O1 -g -fno-builtin -pthread %s -o built && %heapprof_run -o built.d --allocator=program ./built 2> err > out && FileCheck --check-prefix=BUILT %s < err && not grep -q "own allocator" <(%heapprof_score built.d/*)
// LINE: heapprof-run: 2 profiles, the program's in heapprof.app.
// NOTE: note: heapprof.app.{{[0-9]+}}: chunks are those of the program's own allocator, {{[^ ]*}}libc.so.6; what heapprof keeps of them lies elsewhere
// REFUSED: heapprof-run: --allocator 'glibc': must be one of heapprof, program
// WORD: heapprof: ERROR: HEAPPROF_OPTIONS: allocator=glibc: not one of heapprof, program
// SAMPLE: heapprof: ERROR: allocator=program profiles all chunks: leave sample_every and sample_bytes out
// MAP: heapprof: ERROR: allocator=program: its regions are not known, so that no map can be drawn: leave addresses out
// UNMAPPED: its chunks are those of the program's own allocator, whose regions are not known: run it without --allocator=program, and with --addresses
// BUILT: heapprof: allocator=program: the program was built with heapprof, which is its allocator
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *nested_give(size_t size);

enum { CHUNKS = 100 };
static char *kept[CHUNKS];
static void *volatile hidden;

__attribute__((noinline)) static void make(void) {
  for (size_t i = 0; i < CHUNKS; i++)
    kept[i] = malloc(100 + i);
}

__attribute__((noinline)) static void grow(void) {
  for (size_t i = 0; i < CHUNKS; i++) {
    char *before = kept[i];
    kept[i] = realloc(kept[i], 300);
    if (i % 10 == 0)
      printf("%d ", kept[i] == before);
  }
}

/* Nothing points to the outer one afterwards; of the stack, where it was, nothing is left. */
__attribute__((noinline)) static void *lose(void *argument) {
  void **outer = calloc(1, 64);
  outer[1] = malloc(48);
  hidden = outer;
  hidden = NULL;
  return argument;
}

__attribute__((noinline)) static void *work(void *argument) {
  for (int i = 0; i < 1000; i++)
    free(malloc(500));
  return argument;
}

__attribute__((noinline)) static void aligned(void) {
  void *p = NULL;
  errno = 77;
  if (posix_memalign(&p, 4096, 10) != 0)
    abort();
  memset(p, 0, 10);
  printf("%d ", (int)((uintptr_t)p % 4096));
  free(p);
  printf("%d %d\n", errno, posix_memalign(&p, 3, 10));
}

__attribute__((noinline)) static void fail(void) {
  volatile size_t much = SIZE_MAX / 2;
  errno = 0;
  void *none = malloc(much);
  printf("%d %d ", none == NULL, errno == ENOMEM);
  none = realloc(kept[0], much);
  printf("%d %d %s\n", none == NULL, errno == ENOMEM, kept[0]);
}

static void child(void) {
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < CHUNKS; i++)
      free(kept[i]);
    free(malloc(10));
    _exit(3);
  }
  if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 3)
    abort();
}

int main(void) {
  pthread_t threads[3];
  setvbuf(stdout, NULL, _IONBF, 0);
  make();
  grow();
  strcpy(kept[0], "text");
  printf("usable %zu and %zu\n", malloc_usable_size(kept[1]),
         malloc_usable_size(NULL));
  fail();
  aligned();
  printf("%zu\n", mallinfo2().uordblks);
  pthread_create(&threads[0], NULL, lose, NULL);
  pthread_join(threads[0], NULL);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
#ifdef NESTED
  free(nested_give(20)); /* made by no function that is known */
#endif
  child();
  for (int i = 0; i < CHUNKS / 2; i++)
    free(kept[i]);
  return 0;
}
