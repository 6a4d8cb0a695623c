/* removed.c - the dump's directory goes while the program runs: one line on stderr, and the program's own result.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O0 -g %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump
// RUN: (HEAPPROF_OPTIONS="dump_dir='%t.dump':chunk_log=all:checkpoint_ms=1" \
// RUN:   %t %t.dump; echo "status $?") > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not ls %t.dump
// CHECK-NOT: heapprof
// CHECK: heapprof: cannot write the dump: {{.*}}: No such file or directory; set HEAPPROF_OPTIONS=dump_dir=
// CHECK-NOT: heapprof
// CHECK: status 7
#include <stdio.h>
#include <stdlib.h>

static void allocate(int count) {
  for (int i = 0; i < count; i++)
    free(malloc((size_t)i % 77));
}

int main(int argc, char **argv) {
  char command[4096];
  if (argc < 2)
    return 1;
  allocate(10000); /* two blocks of the log */
  snprintf(
      command, sizeof command,
      "until ls '%s'/*/chunks/* > '%s.ls' 2>&1; do sleep 0.01; done; "
      "while test -e '%s'; do rm -rf '%s' 2> /dev/null; done", /* again, if a checkpoint came between */
      argv[1], argv[1], argv[1], argv[1]);
  unsetenv("HEAPPROF_OPTIONS");
  if (system(command))
    return 2;
  allocate(10000);
  return 7;
}
