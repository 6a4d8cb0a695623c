/* unwind_rule.c - see unwind_rule.h: makes rules of rows and remembers them.
   Looking up takes no lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/unwind_rule.h"
#include "unwind/unwind_row.h"
#include "unwind/unwind_table.h"

/* Entries that may have the rule of an address: as many at its first one, and as
   many far from there.  Who has more code than entries forgets some rules. */
#define WAYS ((size_t)8)

/* A bit of `filled` for each block of rules: to forget few rules is not to write
   to a MiB. */
#define BLOCK (HP_RULE_COUNT / 64)

struct hp_rule hp_rules[HP_RULE_COUNT];
static uint64_t filled;     /* blocks that have a rule */
static struct hp_lock lock; /* for who adds or forgets */

void hp_rules_lock(void) { hp_lock_take(&lock); }
void hp_rules_unlock(void) { hp_lock_release(&lock); }

/* ---- from row to rule ----------------------------------------------------- */

#define WORD ((int32_t)sizeof(uintptr_t))

static bool is_words(int32_t bytes) { return bytes > 0 && bytes % WORD == 0; }

/* Words below the CFA where bp was saved: 0 = it has the caller's value. */
static bool saved_bp(const struct hp_row *row, uint64_t *words) {
  const struct hp_row_rule *bp = &row->registers[HP_REGISTER_BP];
  *words = 0;
  if (bp->how == HP_ROW_SAME || bp->how == HP_ROW_UNDEFINED)
    return true;
  if (bp->how != HP_ROW_AT || bp->value > -2 * WORD || bp->value % WORD != 0)
    return false;
  *words = (uint64_t)(-(int64_t)bp->value / WORD);
  return *words <= HP_SHAPE_WORDS;
}

/* DW_OP_breg6 OFFSET, then DEREF if that is to be there, and nothing else. */
static bool is_at_bp(const struct hp_fde *fde, const struct hp_row_rule *rule,
                     bool deref, int64_t *offset) {
  enum { OP_BREG6 = 0x76, OP_DEREF = 0x06 };
  size_t size;
  const uint8_t *at = hp_row_expression(fde, rule, &size), *end = at + size;
  return size && *at++ == OP_BREG6 && hp_read_signed(&at, end, offset) &&
         end - at == deref && (!deref || *at == OP_DEREF);
}

static uint64_t aligned_shape(const struct hp_fde *fde,
                              const struct hp_row *row) {
  const struct hp_row_rule *bp = &row->registers[HP_REGISTER_BP];
  int64_t cfa_at, bp_at;
  if (bp->how != HP_ROW_AT_SUM || !is_at_bp(fde, &row->cfa, true, &cfa_at) ||
      !is_at_bp(fde, bp, false, &bp_at) || bp_at != 0 || cfa_at >= 0 ||
      cfa_at % WORD || (uint64_t)-cfa_at / WORD > HP_SHAPE_WORDS)
    return HP_SHAPE_TABLES;
  return HP_SHAPE_SAVED | (uint64_t)-cfa_at / WORD << 3;
}

static uint64_t shape_of(const struct hp_fde *fde, const struct hp_row *row) {
  const struct hp_row_rule *pc = &row->registers[HP_REGISTER_PC];
  if (pc->how == HP_ROW_UNDEFINED)
    return HP_SHAPE_END;
  if (fde->is_signal || hp_table_is_locked_by(fde) || pc->how != HP_ROW_AT ||
      pc->value != -WORD || row->registers[HP_REGISTER_SP].how != HP_ROW_SAME)
    return HP_SHAPE_TABLES;
  if (row->cfa.how == HP_ROW_IS_SUM)
    return aligned_shape(fde, row);
  uint64_t words, saved;
  if (!is_words(row->cfa.value) || !saved_bp(row, &saved))
    return HP_SHAPE_TABLES;
  words = (uint64_t)row->cfa.value / (uint64_t)WORD;
  if (row->cfa.reg == HP_REGISTER_BP)
    return words == 2 && saved == 2 ? (uint64_t)HP_SHAPE_FRAME
                                    : HP_SHAPE_BASE | words << 3 | saved << 33;
  if (row->cfa.reg == HP_REGISTER_SP && saved <= words)
    return HP_SHAPE_STACK | words << 3 | saved << 33;
  return HP_SHAPE_TABLES;
}

static uint64_t ask(uintptr_t pc, bool *stays) {
  struct hp_fde fde;
  struct hp_row row;
  if (hp_table_find(&fde, pc - 1, HP_TABLE_OF_ALL, stays) != HP_TABLE_FOUND ||
      !hp_row_read(&row, &fde, pc - 1))
    return HP_SHAPE_NO_TABLE | (*stays ? 0 : HP_SHAPE_FOR_NOW);
  /* What may be another rule next time must not be in a stack that is kept. */
  return *stays ? shape_of(&fde, &row) : (uint64_t)HP_SHAPE_TABLES;
}

/* ---- the rules that are known --------------------------------------------- */

static size_t far_from(uintptr_t pc) {
  return pc * 0x9e3779b97f4a7c15u >> 32 & (HP_RULE_COUNT - 1);
}

/* Of the entries at FIRST that of PC, or the first empty one, behind which it is not;
   NULL: all are others'. */
static struct hp_rule *entry_at(size_t first, uintptr_t pc) {
  for (size_t way = 0; way < WAYS; way++) {
    struct hp_rule *rule = &hp_rules[first ^ way];
    uint64_t there = __atomic_load_n(&rule->pc, __ATOMIC_ACQUIRE);
    if (there == pc || !there)
      return rule;
  }
  return NULL;
}

static struct hp_rule *entry_of(uintptr_t pc) {
  struct hp_rule *near = entry_at(hp_rule_first(pc), pc);
  return HP_LIKELY(near != NULL) ? near : entry_at(far_from(pc), pc);
}

/* 0 if it is not known. */
static uint64_t look_up(uintptr_t pc) {
  const struct hp_rule *rule = entry_of(pc);
  if (!rule)
    return 0;
  uint64_t shape = __atomic_load_n(&rule->shape, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&rule->pc, __ATOMIC_RELAXED) == pc ? shape : 0;
}

/* Where all are taken one after the other of the far ones is forgotten, where others
   of its page are not. */
static void learn(uintptr_t pc, uint64_t shape) {
  static size_t turn;
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_rule *rule = entry_of(pc);
  if (!rule)
    rule = &hp_rules[far_from(pc) ^ turn++ % WAYS];
  if (rule->pc != pc) {
    filled |= (uint64_t)1 << (size_t)(rule - hp_rules) / BLOCK;
    __atomic_store_n(&rule->shape, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&rule->pc, pc, __ATOMIC_RELEASE);
    __atomic_store_n(&rule->shape, shape, __ATOMIC_RELEASE);
  }
  hp_lock_release_held(&lock, mask);
}

HP_NOINLINE uint64_t hp_rule_search(uintptr_t pc) {
  uint64_t shape = look_up(pc);
  if (HP_LIKELY(shape != 0))
    return shape;
  bool stays;
  shape = ask(pc, &stays);
  if (stays)
    learn(pc, shape);
  return shape;
}

static size_t next_filled(size_t i) {
  while (i % BLOCK == 0 && i < HP_RULE_COUNT && !(filled >> i / BLOCK & 1))
    i += BLOCK;
  return i;
}

void hp_rules_forget(void) {
  uint64_t mask = hp_lock_take_held(&lock);
  for (size_t i = 0; (i = next_filled(i)) < HP_RULE_COUNT; i++)
    __atomic_store_n(&hp_rules[i].shape, 0, __ATOMIC_RELAXED);
  for (size_t i = 0; (i = next_filled(i)) < HP_RULE_COUNT; i++)
    __atomic_store_n(&hp_rules[i].pc, 0, __ATOMIC_RELEASE);
  filled = 0;
  hp_lock_release_held(&lock, mask);
}
