/* mapped_roots.c - see mapped_roots.h: the ranges of /proc/self/maps, less those that are known
   to be somebody else's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/mapped_roots.h"

#include "heap/beside_table.h"
#include "heap/heap_pages.h"
#include "leak/beside_index.h"

#define PAGE ((uintptr_t)4096)
/* What libc keeps of a thread from its pointer on is less. */
#define THREAD_BLOCK ((uintptr_t)4096)
#define STEP ((uintptr_t)1 << 30) /* the walk looks at the clock between two */

struct visit {
  struct hp_readable *readable;
  void (*reach)(uintptr_t begin, uintptr_t end);
  uintptr_t from, end; /* what is left to be reached */
};

static void reach_to(struct visit *visit, uintptr_t to) {
  while (visit->from < to) {
    const uintptr_t step = to - visit->from < STEP ? to : visit->from + STEP;
    visit->reach(visit->from, step);
    visit->from = step;
  }
}

/* The stack that libc made for the thread whose block is at BLOCK: it says where it begins,
   and its size.  It keeps the stacks of threads that ended for others, with all that was in
   them.  False: there is no such block, or the program made the stack. */
static bool stack_of(uintptr_t block, uintptr_t end, uintptr_t *first,
                     uintptr_t *past) {
  const uintptr_t *word = (const uintptr_t *)block;
  if (end - block < 4 * sizeof *word || word[0] != block || word[2] != block)
    return false;
  end = end - block < THREAD_BLOCK ? end : block + THREAD_BLOCK;
  for (word += 3; (uintptr_t)(word + 2) <= end; word++) {
    *first = word[0];
    *past = word[0] + word[1];
    if (!(*first % PAGE) && !(*past % PAGE) && *first && *first < block &&
        block < *past && *past - block <= 2 * THREAD_BLOCK)
      return true;
  }
  return false;
}

static void leave_stacks_out(uintptr_t begin, uintptr_t end, void *arg) {
  struct visit *visit = arg;
  uintptr_t first = 0, past = 0;
  for (uintptr_t at = (begin + 63) & ~(uintptr_t)63; at < end; at += 64) {
    if (at < visit->from || *(const uintptr_t *)at != at ||
        !stack_of(at, visit->end, &first, &past))
      continue;
    reach_to(visit, first);
    visit->from = past < visit->end ? past : visit->end;
  }
}

/* That of the program's own allocator is no root: what is free in it is nobody's. */
static bool has_chunks(const struct hp_sys_mapping *mapping) {
  const struct hp_chunk *last =
      hp_beside ? hp_beside_index_find(mapping->end - 1) : NULL;
  return last && hp_chunk_place(last) >= mapping->begin;
}

void hp_mapped_roots_each(struct hp_readable *readable,
                          void (*reach)(uintptr_t begin, uintptr_t end)) {
  for (size_t i = 0; i < readable->count; i++) {
    const struct hp_sys_mapping *mapping = &readable->mappings[i];
    if (!mapping->is_data || hp_heap_is_data(mapping->begin) ||
        hp_heap_is_kept(mapping->begin) || has_chunks(mapping))
      continue;
    struct visit visit = {readable, reach, mapping->begin, mapping->end};
    hp_readable_each(readable, mapping->begin, mapping->end, leave_stacks_out,
                     &visit);
    reach_to(&visit, mapping->end);
  }
}
