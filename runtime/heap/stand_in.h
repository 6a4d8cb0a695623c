/* stand_in.h - what hooks take for a record where there is none: one in which no
   access is usual, and one in which every access is (hook_abi.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STAND_IN_H
#define HP_STAND_IN_H

#include "heap/chunk.h"
#include "hook_abi.h"

extern HP_SHARED
    uint8_t hp_no_record[HP_NO_RECORD_SIZE] __asm__(HP_NO_RECORD_SYMBOL);
#define HP_NOT_KNOWN_RECORD ((void *)&hp_no_record[HP_NOT_KNOWN])

/* Where this thread counts what is not in the heap; as long as it has no
   number, HP_NOT_KNOWN_RECORD, so that its hooks call and it is given one. */
extern HP_SHARED HP_THREAD_LOCAL struct hp_chunk *
    hp_outside __asm__(HP_OUTSIDE_SYMBOL);

/* The calling thread has got this NUMBER. */
void hp_outside_begin(uint32_t number);

#endif
