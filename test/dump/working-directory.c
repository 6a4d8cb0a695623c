/* working-directory.c - a relative dump_dir counts from where the program began.
   The program changes its directory before it ends, as a daemon does.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof %s -o %t
// RUN: rm -rf %t.dir && mkdir -p %t.dir/start
// RUN: cd %t.dir/start && %env_heapprof_opts=dump_dir=here %t
// RUN: %heapprof_score %t.dir/start/here | FileCheck %s
// CHECK: chunks 1, bytes 24B
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  free(malloc(24));
  return chdir("/");
}
