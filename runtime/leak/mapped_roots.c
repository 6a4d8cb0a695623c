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
#define HEAP_SIZE ((uintptr_t)64 << 20) /* of a thread, in glibc */
/* In the word of a chunk's size. */
#define MAPPED ((uintptr_t)2)
#define FLAGS ((uintptr_t)7)
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

static void reach_part(struct hp_readable *readable,
                       void (*reach)(uintptr_t begin, uintptr_t end),
                       uintptr_t begin, uintptr_t end) {
  struct visit visit = {readable, reach, begin, end};
  if (begin >= end)
    return;
  hp_readable_each(readable, begin, end, leave_stacks_out, &visit);
  reach_to(&visit, end);
}

/* ---- beside chunks of the program's own allocator -------------------------- */

#ifdef HEAPPROF_PRELOADED

/* Whether glibc mapped the chunk at PLACE for itself: its head says so, how far behind the begin
   of its pages it is, and how far from their end. */
static bool is_alone(const struct hp_sys_mapping *mapping, uintptr_t place,
                     uintptr_t *begin, uintptr_t *end) {
  const uintptr_t *head = (const uintptr_t *)place - 2;
  if (place - mapping->begin < 2 * sizeof *head || !(head[1] & MAPPED))
    return false;
  *begin = (uintptr_t)head - head[0];
  *end = (uintptr_t)head + (head[1] & ~FLAGS);
  return !(*begin % PAGE) && !(*end % PAGE) && mapping->begin <= *begin &&
         *begin < place && place < *end && *end <= mapping->end;
}

/* The system makes one range of a mapping of the program and a large chunk that lie side by
   side.  What is free in a heap, of which glibc's begin at multiples of their size, is nobody's. */
static void reach_beside(struct hp_readable *readable,
                         void (*reach)(uintptr_t begin, uintptr_t end),
                         const struct hp_sys_mapping *mapping) {
  uintptr_t from = mapping->begin, begin = 0, end = 0;
  size_t next = hp_beside ? hp_beside_index_first(from) : SIZE_MAX;
  for (uintptr_t place; (place = hp_beside_index_place(next)) < mapping->end;
       next++) {
    const bool alone = is_alone(mapping, place, &begin, &end);
    if (from)
      reach_part(readable, reach, from,
                 alone ? begin : place & ~(HEAP_SIZE - 1));
    from = alone ? end : 0;
  }
  if (from)
    reach_part(readable, reach, from, mapping->end);
}

#else

static void reach_beside(struct hp_readable *readable,
                         void (*reach)(uintptr_t begin, uintptr_t end),
                         const struct hp_sys_mapping *mapping) {
  reach_part(readable, reach, mapping->begin, mapping->end);
}

#endif

void hp_mapped_roots_each(struct hp_readable *readable,
                          void (*reach)(uintptr_t begin, uintptr_t end)) {
  for (size_t i = 0; i < readable->count; i++) {
    const struct hp_sys_mapping *mapping = &readable->mappings[i];
    if (!mapping->is_data || hp_heap_is_data(mapping->begin) ||
        hp_heap_is_kept(mapping->begin))
      continue;
    struct hp_sys_mapping rest = *mapping;
    if (readable->own_frame - rest.begin < rest.end - rest.begin)
      rest.begin = readable->own_frame;
    reach_beside(readable, reach, &rest);
  }
}
