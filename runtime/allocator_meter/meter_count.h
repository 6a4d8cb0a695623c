/* meter_count.h - a call of the allocator as it is counted: timed from entry to return, its chunk remembered.
   What the allocator calls in turn by the same names is not counted again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_COUNT_H
#define HP_METER_COUNT_H

#include "allocator_meter/live_table.h"
#include "meter_record.h"

#include <stdbool.h>
#include <stddef.h>

/* Between hp_count_begin and one of the ends. */
struct hp_count {
  bool counts; /* false: within another one, or nothing is measured here */
  enum hp_meter_function function;
  uint64_t begin; /* ticks */
  bool old_known;
  struct hp_meter_live_chunk old; /* that goes, if it is known */
};

/* OLD is what the call may end, or NULL. */
struct hp_count hp_count_begin(enum hp_meter_function function, void *old);

/* The call returned and made CHUNK of BYTES; NULL: it failed, and OLD lives on. */
void hp_count_made(struct hp_count *count, void *chunk, size_t bytes,
                   void *old);

/* The call returned, and OLD, if it was not NULL, is gone. */
void hp_count_gone(struct hp_count *count, void *old);

/* For __attribute__((cleanup)): the call is over, even by an exception. */
void hp_count_leave(struct hp_count *count);

#endif
