/* unwind_expression.c - see unwind_expression.h: DWARF 5, 2.5, as far as tables
   of functions use it.  Every step is counted, so that a loop ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/unwind_expression.h"

#define DEPTH 16u
#define STEPS 256u

enum {
  OP_ADDRESS = 0x03,
  OP_DEREF = 0x06,
  OP_CONST1U = 0x08, /* to 0x0f: 1, 2, 4 and 8 bytes, without and with sign */
  OP_CONST8S = 0x0f,
  OP_CONSTU = 0x10,
  OP_CONSTS = 0x11,
  OP_DUP = 0x12,
  OP_DROP = 0x13,
  OP_OVER = 0x14,
  OP_PICK = 0x15,
  OP_SWAP = 0x16,
  OP_ROT = 0x17,
  OP_ABS = 0x19,
  OP_AND = 0x1a,
  OP_DIV = 0x1b,
  OP_MINUS = 0x1c,
  OP_MOD = 0x1d,
  OP_MUL = 0x1e,
  OP_NEG = 0x1f,
  OP_NOT = 0x20,
  OP_OR = 0x21,
  OP_PLUS = 0x22,
  OP_PLUS_UCONST = 0x23,
  OP_SHL = 0x24,
  OP_SHR = 0x25,
  OP_SHRA = 0x26,
  OP_XOR = 0x27,
  OP_BRA = 0x28,
  OP_EQ = 0x29, /* to 0x2e: ==, >=, >, <=, <, != */
  OP_NE = 0x2e,
  OP_SKIP = 0x2f,
  OP_LIT0 = 0x30,
  OP_BREG0 = 0x70,
  OP_BREG31 = 0x8f,
  OP_BREGX = 0x92,
  OP_DEREF_SIZE = 0x94,
  OP_NOP = 0x96
};

struct machine {
  struct hp_expression *expression;
  const uint8_t *at, *end;
  uintptr_t stack[DEPTH];
  unsigned depth;
  bool bad;
};

static void push(struct machine *m, uintptr_t value) {
  if (m->depth == DEPTH)
    m->bad = true;
  else
    m->stack[m->depth++] = value;
}

static uintptr_t pop(struct machine *m) {
  if (!m->depth) {
    m->bad = true;
    return 0;
  }
  return m->stack[--m->depth];
}

static void pick(struct machine *m, unsigned below) {
  if (below >= m->depth)
    m->bad = true;
  else
    push(m, m->stack[m->depth - 1 - below]);
}

static uint64_t take(struct machine *m, size_t size, bool has_sign) {
  if ((size_t)(m->end - m->at) < size) {
    m->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)*m->at++ << 8 * i;
  unsigned spare = (unsigned)(64 - 8 * size);
  /* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): SIZE is 1 to 8 */
  return has_sign ? (uint64_t)((int64_t)(value << spare) >> spare) : value;
}

static uint64_t take_unsigned(struct machine *m) {
  uint64_t value = 0;
  if (!hp_read_unsigned(&m->at, m->end, &value))
    m->bad = true;
  return value;
}

static int64_t take_signed(struct machine *m) {
  int64_t value = 0;
  if (!hp_read_signed(&m->at, m->end, &value))
    m->bad = true;
  return value;
}

static void push_register(struct machine *m, uint64_t number) {
  uint64_t offset = (uint64_t)take_signed(m);
  const struct hp_registers *registers = m->expression->registers;
  if (number >= HP_REGISTERS ||
      !hp_register_is_known(registers, (unsigned)number)) {
    m->expression->needs_more = number < HP_REGISTERS;
    m->bad = true;
    return;
  }
  push(m, registers->value[number] + offset);
}

static void dereference(struct machine *m, size_t size) {
  uintptr_t address = pop(m), word = 0;
  if (m->bad || !size || size > sizeof word ||
      !m->expression->read(m->expression->arg, address, &word)) {
    m->bad = true;
    return;
  }
  if (size < sizeof word)
    word &= ((uintptr_t)1 << 8 * size) - 1;
  push(m, word);
}

static void jump(struct machine *m, bool taken) {
  int64_t by = (int64_t)take(m, 2, true);
  const uint8_t *begin = m->expression->code;
  if (m->bad || !taken)
    return;
  if (by < begin - m->at || by > m->end - m->at)
    m->bad = true;
  else
    m->at += by;
}

static uintptr_t shifted(uint8_t op, uintptr_t value, uintptr_t by) {
  if (by > 63)
    return op == OP_SHRA && (intptr_t)value < 0 ? UINTPTR_MAX : 0;
  if (op == OP_SHL)
    return value << by;
  return op == OP_SHR ? value >> by : (uintptr_t)((intptr_t)value >> by);
}

static void combine(struct machine *m, uint8_t op) {
  uintptr_t b = pop(m), a = pop(m);
  intptr_t sa = (intptr_t)a, sb = (intptr_t)b;
  if ((op == OP_DIV || op == OP_MOD) &&
      (b == 0 || (sb == -1 && sa == INTPTR_MIN)))
    m->bad = true;
  if (m->bad)
    return;
  const uintptr_t compared[] = {sa == sb, sa >= sb, sa > sb,
                                sa <= sb, sa < sb,  sa != sb};
  switch (op) {
  case OP_AND:
    push(m, a & b);
    break;
  case OP_DIV:
    push(m, (uintptr_t)(sa / sb));
    break;
  case OP_MINUS:
    push(m, a - b);
    break;
  case OP_MOD:
    push(m, a % b);
    break;
  case OP_MUL:
    push(m, a * b);
    break;
  case OP_OR:
    push(m, a | b);
    break;
  case OP_PLUS:
    push(m, a + b);
    break;
  case OP_SHL:
  case OP_SHR:
  case OP_SHRA:
    push(m, shifted(op, a, b));
    break;
  case OP_XOR:
    push(m, a ^ b);
    break;
  default:
    push(m, compared[op - OP_EQ]);
  }
}

static void rotate(struct machine *m) {
  uintptr_t first = pop(m), second = pop(m), third = pop(m);
  push(m, first);
  push(m, third);
  push(m, second);
}

static void swap(struct machine *m) {
  uintptr_t first = pop(m), second = pop(m);
  push(m, first);
  push(m, second);
}

static void step(struct machine *m) {
  uint8_t op = (uint8_t)take(m, 1, false);
  uintptr_t value;
  if (op >= OP_LIT0 && op < OP_LIT0 + 32) {
    push(m, op - (uintptr_t)OP_LIT0);
  } else if (op >= OP_BREG0 && op <= OP_BREG31) {
    push_register(m, op - (uint64_t)OP_BREG0);
  } else if (op >= OP_CONST1U && op <= OP_CONST8S) {
    push(m, take(m, (size_t)1 << (op - OP_CONST1U) / 2, op & 1));
  } else {
    switch (op) {
    case OP_ADDRESS:
      push(m, take(m, 8, false));
      break;
    case OP_DEREF:
      dereference(m, sizeof(uintptr_t));
      break;
    case OP_DEREF_SIZE:
      dereference(m, take(m, 1, false));
      break;
    case OP_CONSTU:
      push(m, take_unsigned(m));
      break;
    case OP_CONSTS:
      push(m, (uintptr_t)take_signed(m));
      break;
    case OP_DUP:
      pick(m, 0);
      break;
    case OP_OVER:
      pick(m, 1);
      break;
    case OP_PICK:
      pick(m, (unsigned)take(m, 1, false));
      break;
    case OP_DROP:
      pop(m);
      break;
    case OP_SWAP:
      swap(m);
      break;
    case OP_ROT:
      rotate(m);
      break;
    case OP_ABS:
      value = pop(m);
      push(m, (intptr_t)value < 0 ? 0 - value : value);
      break;
    case OP_NEG:
      push(m, 0 - pop(m));
      break;
    case OP_NOT:
      push(m, ~pop(m));
      break;
    case OP_PLUS_UCONST:
      value = pop(m);
      push(m, value + take_unsigned(m));
      break;
    case OP_BRA:
      value = pop(m);
      jump(m, value != 0);
      break;
    case OP_SKIP:
      jump(m, true);
      break;
    case OP_BREGX:
      push_register(m, take_unsigned(m));
      break;
    case OP_NOP:
      break;
    default:
      if ((op >= OP_AND && op <= OP_XOR) || (op >= OP_EQ && op <= OP_NE))
        combine(m, op);
      else
        m->bad = true;
    }
  }
}

bool hp_expression_value(struct hp_expression *expression,
                         const uintptr_t *initial, uintptr_t *value) {
  struct machine m = {.expression = expression,
                      .at = expression->code,
                      .end = expression->code + expression->size};
  if (initial)
    push(&m, *initial);
  for (unsigned steps = 0; m.at < m.end && !m.bad; steps++) {
    if (steps == STEPS)
      return false;
    step(&m);
  }
  *value = pop(&m);
  return !m.bad;
}
