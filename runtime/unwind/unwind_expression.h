/* unwind_expression.h - evaluates the expressions of unwind tables.
   A pure function: memory is read by the caller's function only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNWIND_EXPRESSION_H
#define HP_UNWIND_EXPRESSION_H

#include "unwind/unwind_row.h"

struct hp_registers {
  uintptr_t value[HP_REGISTERS];
  uint32_t known; /* bit n: value[n] is */
};
HP_INLINE bool hp_register_is_known(const struct hp_registers *registers,
                                    unsigned number) {
  return registers->known >> number & 1;
}

struct hp_expression {
  const uint8_t *code;
  size_t size;
  const struct hp_registers *registers;
  /* Reads the word at ADDRESS; false if that may not be read. */
  bool (*read)(void *arg, uintptr_t address, uintptr_t *word);
  void *arg;
  bool needs_more; /* set: a register is not known */
};

/* Its value; INITIAL, if any, is on the stack at the beginning.  False if it
   has none. */
bool hp_expression_value(struct hp_expression *expression,
                         const uintptr_t *initial, uintptr_t *value);

#endif
