/* stack_bounds.c - see stack_bounds.h: asks the kernel page by page, and rarely
   for the map of the process.  Nothing is kept of stacks that may be unmapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/stack_bounds.h"
#include "system/memory.h"
#include "system/stack_mapping.h"

#define PAGE ((uintptr_t)4096)
#define PAGES_TRIED 64u /* more are looked up in the map */
#define PAGES_REACHED 16u
/* Who switches stacks all the time must not read the map each time. */
#define REFUSALS 8u

static uintptr_t page_of(uintptr_t address) { return address & ~(PAGE - 1); }

/* Moves LOW down towards the page of SP as far as can be read. */
static uintptr_t read_down(uintptr_t low, uintptr_t sp) {
  while (low > page_of(sp) && hp_sys_readable(low - PAGE))
    low -= PAGE;
  return low;
}

/* The mapping of SP reaches up to LOW: *BOTTOM is where it begins. */
static bool is_mapped_up_to(uintptr_t sp, uintptr_t low, uintptr_t *bottom) {
  uintptr_t top;
  hp_sys_stack_bounds(sp, bottom, &top);
  return *bottom <= sp && top >= low;
}

/* True if SP is in the own stack; then so are all words from there up. */
static bool grow(struct hp_stack_bounds *own, uintptr_t sp) {
  uintptr_t top = own->top ? own->top : hp_sys_stack_top();
  uintptr_t low = own->top ? own->low : page_of(top);
  if (sp >= top)
    return false;
  if (low > sp && low - page_of(sp) <= PAGES_TRIED * PAGE) {
    low = read_down(low, sp);
    if (own->top)
      own->low = low;
  } else if (low > sp && own->refused < REFUSALS) {
    uintptr_t bottom;
    if (is_mapped_up_to(sp, low, &bottom))
      low = bottom;
    else
      own->refused++;
  }
  if (low > sp)
    return false;
  own->low = low;
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler sees both or none */
  own->top = top;
  return true;
}

HP_COLD uintptr_t hp_stack_find(struct hp_stack_bounds *own, uintptr_t sp) {
  if (grow(own, sp))
    return own->top;
  return page_of(sp + PAGE - 1);
}

HP_COLD uintptr_t hp_stack_reach(const struct hp_stack_bounds *own,
                                 uintptr_t top, uintptr_t wanted) {
  if (top == own->top || wanted <= top || wanted - top > PAGES_REACHED * PAGE)
    return top;
  uintptr_t reached = top;
  while (reached < wanted && hp_sys_readable(reached))
    reached += PAGE;
  return reached;
}

bool hp_stack_word(const struct hp_stack_bounds *own, uintptr_t address,
                   uintptr_t *word) {
  bool is_own = own->top - own->low >= sizeof *word &&
                address - own->low <= own->top - own->low - sizeof *word;
  if (!is_own && !hp_sys_readable(address))
    return false;
  __builtin_memcpy(word, (const void *)address, sizeof *word);
  return true;
}
