/* pieces.h - of the assembly in usual.c, kept.c and hooks.c.
   What is pushed and popped is told to unwinders, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PIECES_H
#define HP_PIECES_H

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define PUSH(what) "  push" what "\n  .cfi_adjust_cfa_offset 8\n"
#define POP(what) "  " what "\n  .cfi_adjust_cfa_offset -8\n"
#define END(name) "  .cfi_endproc\n  .size " name ", .-" name "\n"

#endif
