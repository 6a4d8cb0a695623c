/* unwind-no-table.c - a function without unwind tables: its callers are not known, and the stack says that it is cut.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck %s
// RUN: %expect %dump
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
#include <stdlib.h>
static void *volatile sink;
void without_table(void);
__asm__(".text\n.globl without_table\n.type "
        "without_table,@function\nwithout_table:\n"
        "push %rbp\nmov %rsp,%rbp\nmov $0xdead,%ebp\ncall leaf\npop "
        "%rbp\nret\n.size without_table,.-without_table\n");
__attribute__((noinline, used)) void leaf(void) {
  sink = malloc(77);
  free(sink);
}
int main(void) {
  for (int i = 0; i < 3; i++)
    without_table();
  return 0;
}
// EXPECT: sum(p.chunks for p in points("leaf")) == 3
// EXPECT: all([f.function for f in p.stack][-1] == "without_table" for p in points("leaf"))
