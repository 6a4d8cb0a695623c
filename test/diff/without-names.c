// A program beside itself built without -g, its stripped copy, and one that is built stripped, with one more allocation at a place: no point is gone or new.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/a %t.dir/b %t.dir/c %t.dir/d && cd %t.dir
// RUN: %clang_heapprof -g -O1 %s -o a/app && env HEAPPROF_OPTIONS=dump_dir=a a/app
// RUN: %clang_heapprof -O1 %s -o b/app && env HEAPPROF_OPTIONS=dump_dir=b b/app more
// RUN: llvm-strip a/app -o c/app && env HEAPPROF_OPTIONS=dump_dir=c c/app more
// RUN: %clang_heapprof -O1 -DLATER -s %s -o d/app && env HEAPPROF_OPTIONS=dump_dir=d d/app
// RUN: for run in b c; do %heapprof_diff --all a $run > out && FileCheck --check-prefix=MORE %s < out && FileCheck --check-prefix=$run %s < out || exit 1; done
// RUN: %heapprof_diff --all b c | FileCheck --check-prefix=SAME %s
// RUN: %heapprof_diff --all d a > out && FileCheck --check-prefix=SAME %s < out && FileCheck --check-prefix=NOTE %s < out
// RUN: %heapprof_diff --by place a b | FileCheck --check-prefix=PLACE %s
// MORE-NOT: {{^(gone|new) }}
// MORE-DAG: {{^}}         800B     880B     +80B +1 {{ *}}0 {{.*}}char
// MORE-DAG: {{^}}         300B     300B {{ *}}0
// MORE-NOT: {{^(gone|new) }}
// b-NOT: note: the
// c: note: the new program has functions without names (is it stripped?)
// SAME-NOT: {{^(gone|new) }}
// SAME: 300B     300B
// SAME-NOT: {{^(gone|new) }}
// NOTE: note: the old program has functions without names (is it stripped?), which the
// PLACE: note: the new program has no lines (was it built without -g?), which the other
// PLACE-NEXT: has: rows are gone and new; give --by function, or leave --by out
#include <stdlib.h>

char *volatile made;

#ifdef LATER // other code ahead
__attribute__((noinline)) int later(int i) {
  return i ? later(i - 1) + *made : 1;
}
#endif

__attribute__((always_inline)) static inline void in_line(size_t size) {
  made = malloc(size);
  free(made);
}

__attribute__((noinline)) void call(int times) {
  for (int i = 0; i < times; i++)
    in_line(80);
}

int main(int argc, char **argv) {
  (void)argv;
  call(10 + argc - 1);
  for (int i = 0; i < 3; i++)
    in_line(100);
#ifdef LATER
  return 0 && later(argc);
#else
  return 0;
#endif
}
