// library-names.c - a library that is stripped, as those of the system are, has no names for functions of its own: no program is
// stripped for that, in which one run comes there and the other does not.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/a %t.dir/b && cd %t.dir
// RUN: %clang -O1 -s -shared -fPIC -DLIBRARY %s -o libfill.so
// RUN: %clang_heapprof -g -O1 %s -o app ./libfill.so && env HEAPPROF_OPTIONS=dump_dir=a ./app && env HEAPPROF_OPTIONS=dump_dir=b ./app more
// RUN: %heapprof_score --stacks a | not grep '#[0-9]* /.*libfill.so+0x' && %heapprof_score --stacks b | grep '#[0-9]* /.*libfill.so+0x'
// RUN: %heapprof_diff --by place b a | FileCheck %s
// RUN: %heapprof_diff a b | FileCheck %s
// CHECK-NOT: without names
// CHECK: 700B {{.*}}libfill.so
// CHECK-NOT: without names
#include <stdlib.h>

#ifdef LIBRARY
char *volatile made;

static __attribute__((noinline)) void inner(int i) {
  if (i > 1)
    inner(i - 1);
  made = malloc(700);
  free(made);
}

void fill(int times) {
  made = malloc(300);
  free(made);
  if (times > 1)
    inner(times);
}
#else
void fill(int times);

int main(int argc, char **argv) {
  (void)argv;
  fill(argc);
  return 0;
}
#endif
