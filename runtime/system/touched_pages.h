/* touched_pages.h - how much of a range the system has given memory to.
   mincore says it; what is missing there may be swapped, so pagemap is asked.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TOUCHED_PAGES_H
#define HP_TOUCHED_PAGES_H

#include "system/platform.h"

/* Bytes of a range in pages that were ever given memory and not taken it again,
   and of these in pages that are in memory now. */
struct hp_touched_bytes {
  uint64_t touched, resident;
};

/* Of [BEGIN, END), which is mapped.  False: the system does not say.  One call
   of the system for every 512 pages, and one more if some are not in memory; where
   there is swap, as many as it takes to read a word for each page. */
bool hp_look_at_pages(uintptr_t begin, uintptr_t end,
                      struct hp_touched_bytes *bytes);

#endif
