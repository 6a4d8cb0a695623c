/* stack_walk.c - see stack_walk.h: row by row, from the caller's registers, or
   where those do not say enough from the runtime's own frame.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/stack_walk.h"
#include "unwind/unwind_expression.h"
#include "unwind/unwind_table.h"

/* A frame, as it is when its callee has returned, or was interrupted. */
struct place {
  struct hp_registers registers;
  const struct hp_stack_bounds *own;
  bool was_interrupted; /* its pc is where it goes on, not behind a call */
  bool needs_more;      /* a register is not known that leads on */
  bool has_lock;        /* libgcc's: a callee of this frame was in there */
  unsigned jumps;       /* to lower addresses: another stack */
};

/* Signals on stacks of their own and stacks that were switched by hand; more
   are a table that is wrong. */
#define JUMPS_MAX 8u

enum step { STEP_ON, STEP_END, STEP_LOST };

static bool read_word(void *arg, uintptr_t address, uintptr_t *word) {
  const struct place *place = arg;
  return hp_stack_word(place->own, address, word);
}

static bool sum(struct place *place, const struct hp_fde *fde,
                const struct hp_row_rule *rule, const uintptr_t *cfa,
                uintptr_t *value) {
  struct hp_expression expression = {
      .registers = &place->registers, .read = read_word, .arg = place};
  expression.code = hp_row_expression(fde, rule, &expression.size);
  bool valid = hp_expression_value(&expression, cfa, value);
  place->needs_more |= expression.needs_more;
  return valid;
}

static bool find_cfa(struct place *place, const struct hp_fde *fde,
                     const struct hp_row_rule *rule, uintptr_t *cfa) {
  if (rule->how == HP_ROW_IS_SUM)
    return sum(place, fde, rule, NULL, cfa);
  if (!hp_register_is_known(&place->registers, rule->reg)) {
    place->needs_more = true;
    return false;
  }
  *cfa = place->registers.value[rule->reg] + (uintptr_t)(intptr_t)rule->value;
  return true;
}

/* The caller's register NUMBER; false if that is not known. */
static bool find_register(struct place *place, const struct hp_fde *fde,
                          const struct hp_row_rule *rule, unsigned number,
                          uintptr_t cfa, uintptr_t *value) {
  const struct hp_registers *now = &place->registers;
  uintptr_t at = cfa + (uintptr_t)(intptr_t)rule->value;
  unsigned from = rule->how == HP_ROW_IN ? rule->reg : number;
  switch (rule->how) {
  case HP_ROW_AT:
    return hp_stack_word(place->own, at, value);
  case HP_ROW_IS:
    *value = at;
    return true;
  case HP_ROW_AT_SUM:
    return sum(place, fde, rule, &cfa, &at) &&
           hp_stack_word(place->own, at, value);
  case HP_ROW_IS_SUM:
    return sum(place, fde, rule, &cfa, value);
  default:
    *value = now->value[from];
    return hp_register_is_known(now, from);
  }
}

static enum step step(struct place *place) {
  struct hp_registers *now = &place->registers;
  uintptr_t address = now->value[HP_REGISTER_PC] - !place->was_interrupted;
  struct hp_fde fde;
  struct hp_row row;
  bool stays;
  if (hp_table_find(&fde, address,
                    place->has_lock ? HP_TABLE_OF_MODULES : HP_TABLE_OF_ALL,
                    &stays) != HP_TABLE_FOUND ||
      !hp_row_read(&row, &fde, address))
    return STEP_LOST;
  place->has_lock |= hp_table_is_locked_by(&fde);
  if (row.registers[HP_REGISTER_PC].how == HP_ROW_UNDEFINED)
    return STEP_END;
  uintptr_t cfa;
  if (!find_cfa(place, &fde, &row.cfa, &cfa))
    return STEP_LOST;
  struct hp_registers next = {.known = 0};
  for (unsigned i = 0; i < HP_REGISTERS; i++) {
    const struct hp_row_rule *rule = &row.registers[i];
    bool known = true;
    if (i == HP_REGISTER_SP &&
        (rule->how == HP_ROW_SAME || rule->how == HP_ROW_UNDEFINED))
      next.value[i] = cfa;
    else
      known = find_register(place, &fde, rule, i, cfa, &next.value[i]);
    next.known |= (uint32_t)known << i;
  }
  if (!hp_register_is_known(&next, HP_REGISTER_PC) ||
      !hp_register_is_known(&next, HP_REGISTER_SP))
    return STEP_LOST;
  if (!next.value[HP_REGISTER_PC])
    return STEP_END;
  if (next.value[HP_REGISTER_SP] <= now->value[HP_REGISTER_SP] &&
      place->jumps++ == JUMPS_MAX)
    return STEP_LOST;
  *now = next;
  place->was_interrupted = fde.is_signal;
  return STEP_ON;
}

static void begin_at(struct place *place, const struct hp_caller *caller) {
  struct hp_registers *now = &place->registers;
  now->known =
      1u << HP_REGISTER_BP | 1u << HP_REGISTER_SP | 1u << HP_REGISTER_PC;
  now->value[HP_REGISTER_BP] = caller->bp;
  now->value[HP_REGISTER_SP] = caller->sp;
  now->value[HP_REGISTER_PC] = caller->pc;
}

/* The registers of this very function that its callers may want back. */
HP_INLINE void begin_here(struct place *place) {
  struct hp_registers *now = &place->registers;
  enum { RBX = 3, R12 = 12, R13, R14, R15 };
  now->known = 1u << RBX | 1u << HP_REGISTER_BP | 1u << HP_REGISTER_SP |
               0xfu << R12 | 1u << HP_REGISTER_PC;
  uintptr_t *to = now->value;
  __asm__ volatile("leaq 0f(%%rip), %%rax\n0:\n\t"
                   "movq %%rax, 128(%0)\n\t"
                   "movq %%rbx, 24(%0)\n\tmovq %%rbp, 48(%0)\n\t"
                   "movq %%rsp, 56(%0)\n\tmovq %%r12, 96(%0)\n\t"
                   "movq %%r13, 104(%0)\n\tmovq %%r14, 112(%0)\n\t"
                   "movq %%r15, 120(%0)"
                   :
                   : "r"(to)
                   : "rax", "memory");
  place->was_interrupted = true;
}

#define OWN_FRAMES 64 /* from here to the entry point, and some */

/* Comes to CALLER with all that its own callers may want back. */
static HP_NOINLINE bool climb(struct place *place,
                              const struct hp_caller *caller) {
  begin_here(place);
  for (unsigned i = 0; i < OWN_FRAMES; i++) {
    if (step(place) != STEP_ON)
      return false;
    if (place->registers.value[HP_REGISTER_SP] == caller->sp &&
        place->registers.value[HP_REGISTER_PC] == caller->pc)
      return true;
  }
  return false;
}

static size_t walk(struct place *place, uint64_t *pc, size_t max, bool *cut) {
  size_t count = 0;
  enum step result = STEP_ON;
  while (count < max && result == STEP_ON) {
    pc[count++] = place->registers.value[HP_REGISTER_PC];
    result = step(place);
  }
  *cut = result != STEP_END;
  return count;
}

HP_COLD size_t hp_stack_walk(const struct hp_caller *caller,
                             const struct hp_stack_bounds *own, uint64_t *pc,
                             size_t max, bool *cut) {
  struct place place = {.own = own};
  begin_at(&place, caller);
  size_t count = walk(&place, pc, max, cut);
  if (!place.needs_more)
    return count;
  place = (struct place){.own = own};
  if (!climb(&place, caller))
    return count;
  return walk(&place, pc, max, cut);
}
