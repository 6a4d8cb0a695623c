/* frame.c - a library for reloaded-library.c: its one function has a frame of FRAME bytes, without a frame pointer.
   Whatever FRAME is, its instructions lie at the same places.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* void *plugin_make(size_t size, void *fake, void **from): sets *FROM to its
   return address, and puts FAKE (NULL: the same again) where a frame of 8 bytes
   has that. */
__asm__(".globl plugin_make\n"
        ".type plugin_make, @function\n"
        "plugin_make:\n"
        ".cfi_startproc\n"
        "sub $" FRAME ", %rsp\n"
        ".cfi_adjust_cfa_offset " FRAME "\n"
        "mov " FRAME "(%rsp), %rax\n"
        "mov %rax, (%rdx)\n"
        "test %rsi, %rsi\n"
        "cmovne %rsi, %rax\n"
        "mov %rax, 8(%rsp)\n"
        "call malloc@PLT\n"
        "add $" FRAME ", %rsp\n"
        ".cfi_adjust_cfa_offset -" FRAME "\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size plugin_make, . - plugin_make\n");
