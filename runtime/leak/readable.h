/* readable.h - which of the program's memory can be read, and was ever touched.
   A program may have taken any page's permissions away, also of its heap, or made a guard of it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_READABLE_H
#define HP_READABLE_H

#include "system/stopped_world.h"

struct hp_readable {
  struct hp_sys_mapping *mappings; /* ascending, those that can be read */
  size_t count, room;
  const struct hp_sys_mapping *last;       /* that was asked for */
  const struct hp_sys_mapping *main_stack; /* NULL: not known */
  uintptr_t
      own_frame; /* of the thread that looks, on a stack of the runtime's; 0: of the program's */
  int pages; /* descriptor of /proc/self/pagemap; negative: not to be had */
};

/* The memory for hp_readable_fill(); false: there is none. */
bool hp_readable_start(struct hp_readable *readable);
/* Takes down what can be read now; false: it is not known, or too much. */
bool hp_readable_fill(struct hp_readable *readable);
void hp_readable_end(struct hp_readable *readable);

/* The mapping that ADDRESS lies in; NULL: it cannot be read. */
const struct hp_sys_mapping *hp_readable_at(const struct hp_readable *readable,
                                            uintptr_t address);

/* Calls EACH for all parts of [BEGIN, END) that can be read, but not for pages
   of a range of a page or more that hold nothing yet, or are guards. */
void hp_readable_each(struct hp_readable *readable, uintptr_t begin,
                      uintptr_t end,
                      void (*each)(uintptr_t begin, uintptr_t end, void *arg),
                      void *arg);

#endif
