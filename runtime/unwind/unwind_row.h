/* unwind_row.h - what the unwind tables say of one place in the code: where the
   caller's registers are.  A pure function over bytes, each of them checked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNWIND_ROW_H
#define HP_UNWIND_ROW_H

#include "system/platform.h"

/* Registers by their DWARF numbers. */
enum { HP_REGISTER_BP = 6, HP_REGISTER_SP = 7, HP_REGISTER_PC = 16 };
#define HP_REGISTERS 17u

/* The entry of one function (FDE) and what it shares with others (CIE). */
struct hp_fde {
  uintptr_t start, end;   /* of the code */
  const uint8_t *origin;  /* of the entry; expressions count from it */
  const uint8_t *code[2]; /* instructions: the shared ones, its own */
  const uint8_t *code_end[2];
  uint64_t code_factor;
  int64_t data_factor;
  uint8_t encoding; /* of addresses */
  bool is_signal;   /* its caller was interrupted and has called nothing */
};

/* How a register of the caller, or the CFA, is had: the CFA is what the stack
   pointer will be when the function has returned.
     +0  u8   how
     +1  u8   reg    HP_ROW_IN, HP_ROW_REGISTER
     +4  i32  value  bytes from the CFA or from REG; or from hp_fde.origin to an
                     expression, which begins with its length */
enum hp_row_how {
  HP_ROW_SAME, /* or nothing is said */
  HP_ROW_UNDEFINED,
  HP_ROW_AT,      /* saved at CFA + value */
  HP_ROW_IS,      /* CFA + value */
  HP_ROW_IN,      /* another register */
  HP_ROW_AT_SUM,  /* saved where the expression says */
  HP_ROW_IS_SUM,  /* what the expression says */
  HP_ROW_REGISTER /* of the CFA: REG + value */
};
struct hp_row_rule {
  uint8_t how, reg;
  int32_t value;
};
struct hp_row {
  struct hp_row_rule cfa; /* HP_ROW_REGISTER, HP_ROW_IS_SUM; else none */
  struct hp_row_rule registers[HP_REGISTERS];
};
_Static_assert(sizeof(struct hp_row) == (size_t)8 * (HP_REGISTERS + 1),
               "layout");

/* Reads the entry at AT; it and what it names lie in [BEGIN, END).  False if it
   is none that can be used. */
bool hp_fde_read(struct hp_fde *fde, const uint8_t *at, const uint8_t *begin,
                 const uint8_t *end);

/* The row that holds at ADDRESS, which is in the function.  False if the
   instructions mean nothing. */
bool hp_row_read(struct hp_row *row, const struct hp_fde *fde,
                 uintptr_t address);

/* The expression of RULE; its length is *SIZE. */
const uint8_t *hp_row_expression(const struct hp_fde *fde,
                                 const struct hp_row_rule *rule, size_t *size);

/* Numbers of variable length, for who reads expressions.  *AT moves on; false
   beyond END. */
bool hp_read_unsigned(const uint8_t **at, const uint8_t *end, uint64_t *value);
bool hp_read_signed(const uint8_t **at, const uint8_t *end, int64_t *value);

#endif
