/* leak_record.h - what a dump says of leaks: flags of chunks, what hangs from
   a point's lost ones, how it was found out, and what is not to be told of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LEAK_RECORD_H
#define HP_LEAK_RECORD_H

#include "encode/encode.h"

/* Flags of a live chunk that a struct hp_chunk_reference names. */
uint32_t hp_leak_flags(const void *chunk);

/* Appends a field to the AGGREGATES record of POINT, if there is something to
   say. */
void hp_leak_put_held(struct hp_bytes *record, uint32_t point);

/* Appends the fields of an END record; how many.  ANSWER as in struct
   hp_dump_totals. */
size_t hp_leak_put_end(struct hp_bytes *payload, const char *answer);

#endif
