// --wrap with lld takes its wrapper from an archive, too: pthread_create is a weak symbol of the runtime, and lld left
// the wrapper of one undefined, so that the program called address 0. -fsplit-stack wraps it by itself.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -c -O2 -DWRAPPER %s -o %t/wrapper.o && ar rcs %t/libwrapper.a %t/wrapper.o
// RUN: %clang_heapprof -O2 -fuse-ld=lld -Wl,--wrap=pthread_create %s %t/libwrapper.a -o %t/joined && %run %t/joined | FileCheck %s
// RUN: %clang_heapprof -O2 -fuse-ld=lld -Xlinker --wrap -Xlinker pthread_create %s %t/libwrapper.a -o %t/apart && %run %t/apart | FileCheck %s
// RUN: %clang_heapprof -O2 -fuse-ld=lld -Wl,--wrap=no_such_function %s -o %t/none && %run %t/none | FileCheck --check-prefix=PLAIN %s
// RUN: %clang_heapprof -O2 -fuse-ld=lld -fsplit-stack %s -o %t/split && %run %t/split | FileCheck --check-prefix=PLAIN %s
// RUN: %clang_heapprof -O2 -fuse-ld=bfd -Wl,--wrap=pthread_create -### %s 2>&1 | FileCheck --check-prefix=OTHER %s
// CHECK: wrapped
// CHECK: 42
// PLAIN-NOT: wrapped
// PLAIN: 42
// OTHER-NOT: --undefined=__wrap
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WRAPPER
int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *of) {
  puts("wrapped");
  return __real_pthread_create(thread, attributes, run, of);
}
#else
static void *run(void *of) {
  *(int *)of += 2;
  return NULL;
}

int main(void) {
  int *number = malloc(sizeof *number);
  *number = 40;
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, number) != 0)
    return 1;
  pthread_join(thread, NULL);
  printf("%d\n", *number);
  free(number);
  return 0;
}
#endif
