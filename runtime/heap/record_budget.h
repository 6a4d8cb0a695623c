/* record_budget.h - how much of limited memory profiled slots and their records
   may take: what is beyond that is for chunks without a profile.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RECORD_BUDGET_H
#define HP_RECORD_BUDGET_H

#include "heap/heap.h"

/* Of what a limit leaves beside the runtime's own memory, all small profiled
   slots may take a third, with their records, and those of 512 bytes and more an
   eighth.  So a program that fills its limit gets three fifths of what it gets
   plainly, in chunks of 24 bytes, or four fifths, from some hundred bytes on:
   profiled it would get one seventh of the former, and two fifths of the
   latter. */
#define HP_BUDGET_OWN ((uint64_t)16 << 20) /* but at most half of the limit */
#define HP_BUDGET_ALL 3u
#define HP_BUDGET_LARGE 8u
#define HP_BUDGET_LARGE_SHIFT 9u

/* The same as numbers: whether slots of 1 << SHIFT bytes may become more, under a
   LIMIT of bytes, when ALL small slots take so many, and the LARGE of them. */
bool hp_record_budget_allows(uint64_t limit, uint64_t all, uint64_t large,
                             unsigned shift);

/* Whether a class of the primary may get more profiled slots, where memory is
   limited.  USED: bytes of slots that each class has. */
bool hp_record_budget_is_left(const uint64_t used[HP_CLASS_COUNT],
                              unsigned size_class);

#endif
