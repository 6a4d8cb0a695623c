/* usual.c - the access that instrumented code writes inline, for where it calls.
   In assembly, since only two registers are free; else it is __heapprof_slow's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/pieces.h"
#include "heap/chunk.h"
#include "heap/owner.h"
#include "hook_abi.h"

/* clang-format off */
/* From entry to return, no call and no lock among them: at most 24 instructions. */
#define BEGIN(name, save)                                                      \
  "  .p2align 4\n  .globl " name "\n  .type " name ", @function\n" name ":\n"  \
  "  .cfi_startproc\n" save

/* The record of P into rax, or 0. */
#define LOOK_UP(p, scratch)                                                    \
  "  movq %" p ", %rax\n"                                                      \
  "  sarq $" TEXT(HP_REGION_SHIFT) ", %rax\n"                                  \
  "  leaq hp_heap_masks+" TEXT(HP_MASK_COUNT) "*4(%rip), %" scratch "\n"       \
  "  movq (%" scratch ",%rax,8), %rax\n"                                       \
  "  andq %" p ", %rax\n"                                                      \
  "  je 2f\n"
/* FIRST and LAST: the bytes' addresses. */
#define IS_COVERED(first, last)                                                \
  "  cmpl %" first ", " TEXT(HP_CHUNK_LO) "(%rax)\n"                           \
  "  ja 1f\n"                                                                  \
  "  cmpl %" last ", " TEXT(HP_CHUNK_HI) "(%rax)\n"                            \
  "  jb 1f\n"
/* SCRATCH, LOW and WORD are one register. */
#define IS_OWN(scratch, low, word)                                             \
  "  movq hp_thread_self_tag@gottpoff(%rip), %" scratch "\n"                   \
  "  movzwl %fs:(%" scratch "), %" low "\n"                                    \
  "  cmpw %" word ", " TEXT(HP_CHUNK_THREAD) "(%rax)\n"                        \
  "  jne 1f\n"
#define SET_TIME(scratch)                                                      \
  "  movq " HP_CLOCK_SYMBOL "(%rip), %" scratch "\n"                           \
  "  movq %" scratch ", " TEXT(HP_CHUNK_LAST) "(%rax)\n"

/* LAST_OF puts the last byte's address into the register LAST.  An address that is
   not in the heap: NULL. */
#define ONE(name, bytes, last_of, last, counter, one, accesses)                \
  BEGIN(name, "")                                                              \
  LOOK_UP("r10", "rdx")                                                        \
  last_of IS_COVERED("r10d", last)                                             \
  IS_OWN("rdx", "edx", "dx")                                                   \
  SET_TIME("rdx")                                                              \
  "  addq $" #one ", " TEXT(counter) "(%rax)\n"                                \
  "2:\n"                                                                       \
  "  ret\n"                                                                    \
  "1:\n"                                                                       \
  "  movl $" #bytes "|" #accesses ", %edx\n"                                   \
  "  jmp " HP_HOOK_SLOW_KEPT "\n" END(name)
#define READ(bytes, last_of, last)                                             \
  ONE(HP_HOOK_KEEPING_READ #bytes, bytes, last_of, last, HP_CHUNK_READS, 1,    \
      0x1000000)
#define WRITE(bytes, last_of, last)                                            \
  ONE(HP_HOOK_KEEPING_WRITE #bytes, bytes, last_of, last, HP_CHUNK_WRITES,     \
      0x10000, 0x10000)
#define BOTH(bytes, last_of, last)                                             \
  READ(bytes, last_of, last) WRITE(bytes, last_of, last)
#define OF_SEVERAL(bytes) BOTH(bytes, "  leal " #bytes "-1(%r10), %edx\n", "edx")

_Static_assert(HP_ONE_READ == 1 && HP_ONE_WRITE == 0x10000 &&
                   HP_SLOW_ACCESSES(0, 1, 0) == 0x1000000 &&
                   HP_SLOW_ACCESSES(0, 0, 1) == 0x10000,
               "as above");

/* Bits 16 to 23 of an i32 of hook_abi.h are what is added for writes. */
#define ANY(name, p, from, word, half, save, restore, slow)                    \
  BEGIN(name, save)                                                            \
  LOOK_UP(p, "r11")                                                            \
  "  movzwl %" half ", %r11d\n"                                                \
  "  leal -1(%" p ",%r11), %r11d\n"                                            \
  IS_COVERED(from, "r11d")                                                     \
  IS_OWN("r11", "r11d", "r11w")                                                \
  SET_TIME("r11")                                                              \
  "  movl %" word ", %r11d\n"                                                  \
  "  andl $0xff0000, %r11d\n"                                                  \
  "  addq %r11, " TEXT(HP_CHUNK_WRITES) "(%rax)\n"                             \
  "  movl %" word ", %r11d\n"                                                  \
  "  shrl $24, %r11d\n"                                                        \
  "  addq %r11, " TEXT(HP_CHUNK_READS) "(%rax)\n"                              \
  "2:\n"                                                                       \
  "  .cfi_remember_state\n" restore                                            \
  "  ret\n"                                                                    \
  "1:\n"                                                                       \
  "  .cfi_restore_state\n" restore                                             \
  "  jmp " slow "\n" END(name)
#define SAVE "  pushq %r11\n  .cfi_adjust_cfa_offset 8\n"
#define RESTORE "  popq %r11\n  .cfi_adjust_cfa_offset -8\n"
/* clang-format on */

__asm__(".pushsection .text.usual,\"ax\",@progbits\n" BOTH(1, "", "r10d")
            OF_SEVERAL(2) OF_SEVERAL(4) OF_SEVERAL(8) OF_SEVERAL(16)
                ANY(HP_HOOK_KEEPING, "r10", "r10d", "edx", "dx", SAVE, RESTORE,
                    HP_HOOK_SLOW_KEPT)
                    ANY(HP_HOOK_USUAL, "rdi", "edi", "esi", "si", "", "",
                        HP_HOOK_SLOW) ".popsection\n");
