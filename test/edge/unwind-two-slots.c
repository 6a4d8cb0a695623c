/* unwind-two-slots.c - a function saves two registers that may hold the same: which one is the frame pointer's?
   The tables say it; what the words hold does not.  No stack loses main.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=check_stacks=1 %run %t 2>&1 | FileCheck %s
// RUN: %expect %dump
// RUN: %env_heapprof_opts=fast_unwind_on_malloc=0 %run %t && %expect %dump
// CHECK: {{[1-9][0-9]*}} stacks compared, 0 differ
#include <stdlib.h>
void *callee(void);
__asm__(
    ".text\n.globl callee\n.type callee,@function\ncallee:\n.cfi_startproc\n"
    "push %r12\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r12,0\n"
    "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp,0\n"
    "sub $8,%rsp\n.cfi_adjust_cfa_offset 8\n"
    "mov $7,%ebp\n"
    "mov $24,%edi\ncall malloc@PLT\n"
    "add $8,%rsp\n.cfi_adjust_cfa_offset -8\n"
    "pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbp\n"
    "pop %r12\n.cfi_adjust_cfa_offset -8\n.cfi_restore "
    "%r12\nret\n.cfi_endproc\n.size callee,.-callee\n");
#define CALL_WITH_R12(source)                                                  \
  void *p;                                                                     \
  __asm__ volatile(                                                            \
      "mov " source                                                            \
      ",%%r12\nmov %%rsp,%%r13\nsub $128,%%rsp\nand $-16,%%rsp\ncall callee\n" \
      "mov %%r13,%%rsp\n"                                                      \
      : "=a"(p)                                                                \
      :                                                                        \
      : "r12", "r13", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11",    \
        "memory", "cc");                                                       \
  return p
__attribute__((noinline)) static void *same(void) { CALL_WITH_R12("%%rbp"); }
__attribute__((noinline)) static void *number(void) { CALL_WITH_R12("$5"); }
__attribute__((noinline)) static void *outer(void) { CALL_WITH_R12("(%%rbp)"); }
int main(void) {
  free(same());
  for (int i = 0; i < 4; i++) {
    free(number());
    free(outer());
  }
  return 0;
}
// EXPECT: sum(p.chunks for p in points("callee")) == 9
// EXPECT: all("main" in [f.function for f in p.stack] for p in points("callee"))
