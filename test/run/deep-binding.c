/* deep-binding.c - a library that is loaded with RTLD_DEEPBIND has its own functions ahead of the program's of the same names, as PHP's
   extensions do. Its chunks are of the one heap, by whatever name it calls malloc, and how it ends and forks is seen.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: cd %t.d && %clang -O1 -g -fno-builtin -fsemantic-interposition -fPIC -shared -DLIBRARY %s -o library.so && %clang -O1 -g -fno-builtin -rdynamic %s -o program
// RUN: cd %t.d && ./program > plain.out; test $? = 7
// RUN: cd %t.d && %heapprof_run ./program > out 2> err; test $? = 7 && cmp plain.out out && FileCheck --check-prefix=LINE %s < err
// RUN: cd %t.d && %heapprof_score --csv --limit 0 heapprof.program.* | FileCheck %s
// RUN: cd %t.d && %heapprof_run -q -o beside --allocator=program ./program > out 2> err; test $? = 7 && cmp plain.out out && count 0 < err
// RUN: cd %t.d && %heapprof_run -q -o all --sample 4096 ./program > out 2> err; test $? = 7 && cmp plain.out out && count 0 < err
// LINE-NOT: ==
// LINE: heapprof-run: 2 profiles,
// CHECK-DAG: ,make,{{.*}}library.so,100,
// CHECK-DAG: ,__vasprintf_internal,
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY
const char *who(void) { return "the library"; }
__attribute__((noinline)) void *make(size_t size) {
  void *p = malloc(size);
  memset(p, 1, size);
  return p;
}
__attribute__((noinline)) char *text(int value) {
  char *made = NULL;
  return asprintf(&made, "%d of %s", value, who()) < 0 ? NULL : made;
}
void give_back(void *p) { free(p); }
void *longer(void *p, size_t size) { return realloc(p, size); }
void end(void) {
  pid_t child = fork();
  if (child == 0) {
    free(make(1000));
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child: %d\n", WEXITSTATUS(status));
  fflush(stdout);
  _exit(7);
}
#else
const char *who(void) { return "the program"; }

int main(void) {
  void *library = dlopen("./library.so", RTLD_NOW | RTLD_DEEPBIND);
  void *(*make)(size_t) = (void *(*)(size_t))dlsym(library, "make");
  char *(*text)(int) = (char *(*)(int))dlsym(library, "text");
  void (*give_back)(void *) = (void (*)(void *))dlsym(library, "give_back");
  void *(*longer)(void *, size_t) =
      (void *(*)(void *, size_t))dlsym(library, "longer");
  void (*end)(void) = (void (*)(void))dlsym(library, "end");
  for (int i = 0; i < 100; i++) {
    free(make(100));
    free(realloc(make(100), 100000));
    give_back(malloc(100));
    give_back(strdup("text"));
    free(longer(malloc(10), 1000));
    char *made = text(i);
    puts(made);
    free(longer(made, 100));
  }
  void *libc = dlopen("libc.so.6", RTLD_NOW);
  void *(*libcs)(size_t) = (void *(*)(size_t))dlsym(libc, "__libc_malloc");
  free(libcs(10));
  puts(who());
  end();
}
#endif
