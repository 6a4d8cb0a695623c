/* quick_chunk.c - see quick_chunk.h: what few of these calls need, kept apart so that
   no register is saved for it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/quick_chunk.h"

#include "chunk/sample.h"
#include "system/real_libc.h"

static bool may_be_quick;

static bool begins_quickly(void) {
  return may_be_quick && hp_recording && !hp_sampling &&
         !hp_options.exact_time && !hp_options.check_stacks && hp_clock_is_tsc;
}

static bool ends_quickly(void) {
  return may_be_quick && hp_events_wanted && !hp_access_began_unhooked &&
         !hp_sampling && !hp_clock_is_exact && hp_clock_is_tsc;
}

/* As it is to be now, but for `closed`. */
static union hp_gate wanted(void) {
  const bool begins = begins_quickly();
  return (union hp_gate){
      {.begins_slowly = !begins || !hp_access_hooked || hp_allocate_asks,
       .ends_slowly = !ends_quickly(),
       .bare_slowly = !begins || !hp_bare_is_on}};
}

/* Whoever stores last has looked again since, so that what is stored is right
   although several threads may be here. */
void hp_quick_look(void) {
  union hp_gate gate;
  do {
    gate = wanted();
    __atomic_store_n(&hp_gate.begins_slowly, gate.begins_slowly,
                     __ATOMIC_SEQ_CST);
    __atomic_store_n(&hp_gate.ends_slowly, gate.ends_slowly, __ATOMIC_SEQ_CST);
    __atomic_store_n(&hp_gate.bare_slowly, gate.bare_slowly, __ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } while (gate.all != wanted().all);
}

void hp_quick_start(void) {
  may_be_quick = true;
  hp_quick_look();
}

HP_PRESERVE_MOST void hp_quick_step(uint64_t now) { hp_clock_step(now); }

HP_PRESERVE_MOST void hp_quick_zero(void *p, size_t size) {
  hp_real_memset(p, 0, size);
}

HP_PRESERVE_MOST void hp_quick_grown(struct hp_thread *self,
                                     const struct hp_chunk *chunk,
                                     const struct hp_cold *cold, uintptr_t sp) {
  hp_growth_end(&self->growth, chunk, cold, sp);
}

HP_PRESERVE_MOST uint32_t hp_quick_stack(struct hp_thread *self,
                                         const struct hp_chunk *chunk,
                                         const struct hp_cold *cold,
                                         uintptr_t pc, uintptr_t bp,
                                         uintptr_t sp) {
  const struct hp_caller caller = {.pc = pc, .bp = bp, .sp = sp};
  return hp_free_stack_of_some(self, chunk, cold, &caller, false);
}

/* Where the end of CHUNK, whose record said WORD, is to be written: of a chain it says
   so already. */
HP_PRESERVE_MOST struct hp_chunk_log *
hp_quick_event(struct hp_thread *self, const struct hp_chunk *chunk,
               uint64_t word) {
  struct hp_chunk_log *event = hp_events_end(&self->events);
  if (word & HP_RECORD_GROWN)
    hp_growth_describe(event, chunk);
  return event;
}

HP_PRESERVE_MOST uint32_t hp_quick_intern(uint32_t stack, enum hp_entry entry,
                                          const struct hp_type *type) {
  const struct hp_alloc_point *point = hp_point_intern(stack, entry, type);
  return point ? hp_point_id(point) : 0;
}
