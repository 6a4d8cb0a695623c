/* kept.c - the ways to __heapprof_slow where all registers are kept: of usual.c, and
   of hooks that a module has made for itself.  What another thread allocated goes no further.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/pieces.h"
#include "heap/chunk.h"
#include "heap/share.h"
#include "hook_abi.h"

/* clang-format off */
/* Ahead of it, as in not_extending(): an access to what another thread allocated,
   within what this one has accessed before.  A pool's workers and a server's threads
   consist of these, on what main() has made.  No thread has a share in a chunk of its
   own: those of a slot end with its chunk.  The i32 is in edx; IS_HEAP puts it there,
   and goes to 8 if p, whose region is in ecx, is not in the heap.
   From entry to return, no call and no lock among them: at most 38 instructions. */
#define COUNT_IN_SHARE(save, is_heap, restore, leave)                          \
  "  movq hp_share_own_area@gottpoff(%rip), %rax\n"                            \
  "  movq %fs:(%rax), %rax\n"                                                  \
  "  testq %rax, %rax\n"                                                       \
  "  je 9f\n" PUSH("q %rcx") PUSH("q %r11") save                               \
  "  movq %r10, %rcx\n"                                                        \
  "  movq %r10, %r11\n"                                                        \
  "  shrq $" TEXT(HP_REGION_SHIFT) ", %rcx\n" is_heap                          \
  "  shrq %cl, %r11\n"                                                         \
  "  shlq $5, %r11\n"                                                          \
  "  addq %r11, %rax\n"                                                        \
  "  cmpw $1, " TEXT(HP_CHUNK_THREAD) "(%rax)\n"                               \
  "  jne 8f\n"                                                                 \
  "  cmpl %r10d, " TEXT(HP_CHUNK_LO) "(%rax)\n"                                \
  "  ja 8f\n"                                                                  \
  "  movzwl %dx, %ecx\n"                                                       \
  "  leal -1(%r10,%rcx), %ecx\n"                                               \
  "  cmpl %ecx, " TEXT(HP_CHUNK_HI) "(%rax)\n"                                 \
  "  jb 8f\n"                                                                  \
  "  movl %edx, %ecx\n"                                                        \
  "  andl $0xff0000, %ecx\n"                                                   \
  "  addq %rcx, " TEXT(HP_CHUNK_WRITES) "(%rax)\n"                             \
  "  movl %edx, %ecx\n"                                                        \
  "  shrl $24, %ecx\n"                                                         \
  "  addq %rcx, " TEXT(HP_CHUNK_READS) "(%rax)\n"                              \
  "  movq " HP_CLOCK_SYMBOL "(%rip), %rcx\n"                                   \
  "  movq %rcx, " TEXT(HP_CHUNK_LAST) "(%rax)\n"                               \
  "  .cfi_remember_state\n" restore POP("popq %r11") POP("popq %rcx") leave    \
  "  ret\n  .cfi_restore_state\n"                                             \
  "8:\n" restore POP("popq %r11") POP("popq %rcx")                             \
  "9:\n"
_Static_assert(HP_SHARE_CLAIMED == 1 && sizeof(struct hp_chunk) == 1 << 5 &&
                   HP_ONE_READ == 1 && HP_ONE_WRITE == 0x10000,
               "as above");
/* What it does not count goes on to hooks.c as it came. */
#define KEEPING_ALL(name, otherwise, begin, count)                             \
  __asm__(".pushsection .text." #name ",\"ax\",@progbits\n"                     \
          "  .p2align 4\n  .globl " #name "\n"                                 \
          "  .type " #name ", @function\n" #name ":\n"                         \
          "  .cfi_startproc\n" begin count "  jmp " #otherwise                 \
          "\n" END(#name) ".popsection\n")
KEEPING_ALL(__heapprof_slow_kept, hp_slow_kept, "",
            COUNT_IN_SHARE("", "", "", ""));
#define IS_IN_HEAP                                                             \
  "  leal -" TEXT(HP_REGION_FIRST) "(%rcx), %edx\n"                            \
  "  cmpl $" TEXT(HP_REGION_COUNT) "-" TEXT(HP_REGION_FIRST) ", %edx\n"        \
  "  jae 8f\n"                                                                 \
  "  movl 24(%rsp), %edx\n"
KEEPING_ALL(__heapprof_slow_pushed, hp_slow_pushed,
            "  .cfi_adjust_cfa_offset 8\n",
            COUNT_IN_SHARE(PUSH("q %rdx"), IS_IN_HEAP, POP("popq %rdx"),
                           POP("addq $8, %rsp")));
/* clang-format on */
