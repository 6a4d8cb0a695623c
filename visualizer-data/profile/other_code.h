/* other_code.h - whether a module with hooks holds code without any, too: an
   object of another compiler, an assembler file, functions that opted out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OTHER_CODE_H
#define HP_OTHER_CODE_H

#include "read/raw_dump.h"

#include <gelf.h>

/* ELF is the file of MODULE.  What starts a program, the helpers of compilers
   and the runtime are not meant. */
bool hp_has_other_code(Elf *elf, const struct hp_dump_module *module);

#endif
