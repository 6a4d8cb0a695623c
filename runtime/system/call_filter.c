/* call_filter.c - see call_filter.h: a filter only jumps forward, so one pass
   over it finds what may be known at each instruction.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

struct word {
  uint32_t value;
  bool known;
};

static const struct word unknown = {0, false};

/* The caller's data as the filter reads it. */
static struct word load(const struct hp_filtered_call *call, uint32_t offset) {
  if (offset == offsetof(struct seccomp_data, nr))
    return (struct word){call->number, true};
  if (offset == offsetof(struct seccomp_data, arch))
    return (struct word){AUDIT_ARCH_X86_64, true};
  const uint32_t first = offsetof(struct seccomp_data, args);
  const uint32_t argument = (offset - first) / sizeof(uint64_t);
  if (offset < first || argument >= 6 || !(call->known & 1u << argument))
    return unknown;
  const uint64_t value = call->argument[argument];
  return (struct word){
      (uint32_t)(offset % sizeof(uint64_t) ? value >> 32 : value), true};
}

static struct word compute(uint16_t operation, struct word a, struct word b) {
  if (!a.known || !b.known)
    return unknown;
  switch (operation) {
  case BPF_ADD:
    return (struct word){a.value + b.value, true};
  case BPF_SUB:
    return (struct word){a.value - b.value, true};
  case BPF_AND:
    return (struct word){a.value & b.value, true};
  case BPF_OR:
    return (struct word){a.value | b.value, true};
  case BPF_XOR:
    return (struct word){a.value ^ b.value, true};
  case BPF_LSH:
    return (struct word){b.value < 32 ? a.value << b.value : 0, true};
  case BPF_RSH:
    return (struct word){b.value < 32 ? a.value >> b.value : 0, true};
  case BPF_NEG:
    return (struct word){0 - a.value, true};
  default:
    return unknown;
  }
}

static bool holds(uint16_t comparison, uint32_t a, uint32_t b) {
  switch (comparison) {
  case BPF_JEQ:
    return a == b;
  case BPF_JGT:
    return a > b;
  case BPF_JGE:
    return a >= b;
  default: /* BPF_JSET */
    return a & b;
  }
}

static void merge(uint32_t *value, bool *known, struct word word, bool first) {
  *known = word.known && (first || (*known && *value == word.value));
  *value = word.value;
}

static void reach(struct hp_filter_state *state, struct word a, struct word x) {
  merge(&state->a, &state->a_known, a, !state->reached);
  merge(&state->x, &state->x_known, x, !state->reached);
  state->reached = true;
}

/* A tracer or a supervisor may do anything; what is not known harms. */
static bool harms(struct word action, const struct hp_filtered_call *call) {
  if (!action.known)
    return true;
  switch (action.value & SECCOMP_RET_ACTION_FULL) {
  case SECCOMP_RET_ALLOW:
  case SECCOMP_RET_LOG:
    return false;
  case SECCOMP_RET_ERRNO:
    return call->known & HP_MUST_PASS;
  default:
    return true;
  }
}

bool hp_filter_harms(const struct hp_filter_step *steps, uint32_t count,
                     const struct hp_filtered_call *call,
                     struct hp_filter_state *states) {
  for (uint32_t i = 0; i < count; i++)
    states[i] = (struct hp_filter_state){0};
  if (count)
    reach(&states[0], (struct word){0, true}, (struct word){0, true});
  for (uint32_t i = 0; i < count; i++) {
    const struct hp_filter_step *step = &steps[i];
    if (!states[i].reached)
      continue;
    struct word a = {states[i].a, states[i].a_known};
    struct word x = {states[i].x, states[i].x_known};
    const struct word k = {step->k, true};
    const struct word operand = BPF_SRC(step->code) == BPF_X ? x : k;
    uint64_t next = i + 1;
    uint64_t other = next; /* where it may go, too */
    switch (BPF_CLASS(step->code)) {
    case BPF_RET:
      if (harms(BPF_RVAL(step->code) == BPF_A ? a : k, call))
        return true;
      continue;
    case BPF_LD:
      a = BPF_MODE(step->code) == BPF_ABS   ? load(call, step->k)
          : BPF_MODE(step->code) == BPF_IMM ? k
                                            : unknown;
      break;
    case BPF_LDX:
      x = BPF_MODE(step->code) == BPF_IMM ? k : unknown;
      break;
    case BPF_ALU:
      a = compute(BPF_OP(step->code), a,
                  BPF_OP(step->code) == BPF_NEG ? a : operand);
      break;
    case BPF_JMP:
      if (BPF_OP(step->code) == BPF_JA) {
        next = other = next + step->k;
      } else if (a.known && operand.known) {
        next = other = next + (holds(BPF_OP(step->code), a.value, operand.value)
                                   ? step->if_true
                                   : step->if_false);
      } else {
        other = next + step->if_false;
        next = next + step->if_true;
      }
      break;
    case BPF_MISC:
      if (BPF_MISCOP(step->code) == BPF_TAX)
        x = a;
      else
        a = x;
      break;
    default: /* to the filter's own memory */
      break;
    }
    if (next >= count || other >= count) /* the kernel refuses it */
      return false;
    reach(&states[next], a, x);
    if (other != next)
      reach(&states[other], a, x);
  }
  return false;
}
