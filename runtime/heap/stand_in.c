/* stand_in.c - see stand_in.h.  The records lie here for ever, not in the
   thread: a fiber may take the address of one along to another thread.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/stand_in.h"

#define NO_BYTES (HP_NOT_KNOWN + HP_CHUNK_LO)
_Alignas(HP_NO_RECORD_SIZE) uint8_t hp_no_record[HP_NO_RECORD_SIZE] = {
    [NO_BYTES] = 0xff,
    [NO_BYTES + 1] = 0xff,
    [NO_BYTES + 2] = 0xff,
    [NO_BYTES + 3] = 0xff};
_Static_assert(HP_NOT_KNOWN + sizeof(struct hp_chunk) <= HP_NO_RECORD_SIZE,
               "looks like a record");
_Static_assert((HP_NOT_KNOWN & 31) == HP_NOT_KNOWN_BIT, "says what it is");

/* More threads than these share lines. */
#define OUTSIDES 64u

struct outside {
  _Alignas(HP_CACHE_LINE) struct hp_chunk record;
};
static struct outside outsides[OUTSIDES] = {
    [0 ... OUTSIDES - 1] = {.record = {.hi = UINT32_MAX}}};

HP_THREAD_LOCAL struct hp_chunk *hp_outside = HP_NOT_KNOWN_RECORD;

void hp_outside_begin(uint32_t number) {
  hp_outside = &outsides[number % OUTSIDES].record;
}
