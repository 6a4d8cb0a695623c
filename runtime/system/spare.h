/* spare.h - memory that is kept for the dump where memory is limited, so that a
   program which takes all there is does not cost it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SPARE_H
#define HP_SPARE_H

#include "system/platform.h"

/* A quarter of the limit, but no more than this. */
#define HP_SPARE_MOST ((size_t)8 << 20)
#define HP_SPARE_LEAST ((size_t)256 << 10)
/* So much of it is for the dump alone, and so much for the dump and its log, whose
   batches are a part of that. */
#define HP_SPARE_FLOOR ((size_t)4 << 20)
#define HP_SPARE_LOG_FLOOR ((size_t)6 << 20)

/* At the start, when the program limits its memory, and now and then: what could
   not be kept for want of memory is, if there is some now. */
void hp_spare_keep(void);

/* Between these, by any number of threads, the system has it to give away. Then
   it is kept again, as far as there is memory. */
void hp_spare_give(void);
void hp_spare_take(void);

/* The system has SIZE bytes of it to give away, for good: the runtime has no
   memory for what it keeps while the program goes on, and without that the dump
   would be of little use.  False: there would be less than FLOOR. */
bool hp_spare_yield(size_t size, size_t floor);

/* There is as much beside it, so that something may be written while the program
   goes on, and nothing that is kept is taken for it. */
bool hp_spare_is_untouched(void);

void hp_spare_after_fork_child(void);

#endif
