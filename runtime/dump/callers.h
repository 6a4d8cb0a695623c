/* callers.h - who called the allocator how often: threads, and by which function.
   Taken down with the collector's lock, as lists of the end record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CALLERS_H
#define HP_CALLERS_H

#include "encode/encode.h"

/* The moment begins: no point was counted yet. */
void hp_callers_start(void);

/* Counts the chunks of POINT for the function that allocated them. */
void hp_callers_count(uint32_t point);

/* Makes the lists; ENDS: chunks that ended. */
void hp_callers_take(uint64_t ends);

/* Appends the lists to an END record's PAYLOAD; how many fields. */
size_t hp_callers_put(struct hp_bytes *payload);
void hp_callers_free(void);

#endif
