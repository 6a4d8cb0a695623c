/* usual.c - the access that instrumented code writes inline, for where it calls.
   In assembly, since only two registers are free; else it is __heapprof_slow's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/chunk.h"
#include "heap/owner.h"
#include "hook_abi.h"

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

/* From entry to return, no call and no lock among them: at most 25 instructions. */
#define BEGIN(name)                                                            \
  "  .p2align 4\n  .globl " name "\n  .type " name ", @function\n" name ":\n"  \
  "  .cfi_startproc\n"                                                         \
  "  movq %rdi, %rax\n"                                                        \
  "  sarq $" TEXT(                                                             \
      HP_REGION_SHIFT) ", %rax\n"                                              \
                       "  leaq hp_heap_masks+" TEXT(                           \
                           HP_MASK_COUNT) "*4(%rip), %r11\n"                   \
                                          "  movq (%r11,%rax,8), %rax\n"       \
                                          "  andq %rdi, %rax\n"                \
                                          "  je 2f\n"                          \
                                          "  cmpl %edi, " TEXT(                \
                                              HP_CHUNK_LO) "(%rax)\n"          \
                                                           "  ja 1f\n"
/* The last byte is in r11d. */
#define MIDDLE                                                                 \
  "  cmpl %r11d, " TEXT(                                                       \
      HP_CHUNK_HI) "(%rax)\n"                                                  \
                   "  jb 1f\n"                                                 \
                   "  movq " HP_THREAD_SYMBOL "@gottpoff(%rip), %r11\n"        \
                   "  movzwl %fs:(%r11), %r11d\n"                              \
                   "  cmpw %r11w, " TEXT(                                      \
                       HP_CHUNK_THREAD) "(%rax)\n"                             \
                                        "  jne 1f\n"                           \
                                        "  movq " HP_CLOCK_SYMBOL              \
                                        "(%rip), %r11\n"                       \
                                        "  movq %r11, " TEXT(                  \
                                            HP_CHUNK_LAST) "(%rax)\n"
/* An address that is not in the heap: NULL. */
#define OUTSIDE "2:\n  ret\n"
#define END(name) "  .cfi_endproc\n  .size " name ", .-" name "\n"

#define ONE(name, bytes, counter, one, accesses)                               \
  BEGIN(name)                                                                  \
  "  leal " #bytes "-1(%rdi), %r11d\n" MIDDLE "  addq $" #one                  \
  ", " TEXT(counter) "(%rax)\n"                                                \
                     "  ret\n" OUTSIDE "1:\n"                                  \
                     "  movl $" #bytes "|" #accesses ", %r11d\n"               \
                     "  jmp hp_slow_kept\n" END(name)
#define READ(bytes)                                                            \
  ONE(HP_HOOK_USUAL_READ #bytes, bytes, HP_CHUNK_READS, 1, 0x1000000)
#define WRITE(bytes)                                                           \
  ONE(HP_HOOK_USUAL_WRITE #bytes, bytes, HP_CHUNK_WRITES, 0x10000, 0x10000)

_Static_assert(HP_ONE_READ == 1 && HP_ONE_WRITE == 0x10000 &&
                   HP_SLOW_ACCESSES(0, 1, 0) == 0x1000000 &&
                   HP_SLOW_ACCESSES(0, 0, 1) == 0x10000,
               "as above");

/* Bits 16 to 23 of an i32 of hook_abi.h are what is added for writes. */
__asm__(
    ".pushsection .text.usual,\"ax\",@progbits\n" READ(1) READ(2) READ(4)
        READ(8) READ(16) WRITE(1) WRITE(2) WRITE(4) WRITE(8) WRITE(16) BEGIN(
            HP_HOOK_USUAL) "  movzwl %si, %r11d\n"
                           "  leal -1(%rdi,%r11), %r11d\n" MIDDLE
                           "  movl %esi, %r11d\n"
                           "  andl $0xff0000, %r11d\n"
                           "  addq %r11, " TEXT(
                               HP_CHUNK_WRITES) "(%rax)\n"
                                                "  movl %esi, %r11d\n"
                                                "  shrl $24, %r11d\n"
                                                "  addq %r11, " TEXT(
                                                    HP_CHUNK_READS) "(%rax)\n"
                                                                    "  "
                                                                    "ret"
                                                                    "\n" OUTSIDE
                                                                    "1:\n"
                                                                    "  "
                                                                    "jmp"
                                                                    " " HP_HOOK_SLOW
                                                                    "\n" END(
                                                                        HP_HOOK_USUAL) ".popsection\n");
