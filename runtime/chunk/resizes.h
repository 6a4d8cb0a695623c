/* resizes.h - what realloc did to sizes: for each point how often, by how much,
   and the largest jump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RESIZES_H
#define HP_RESIZES_H

#include "resize_measure.h"
#include "system/platform.h"

/* A chunk of BEFORE bytes became one of AFTER at POINT; MOVED bytes were copied
   to elsewhere, or NULL: it stayed.  From any thread and any handler, waits for
   nobody.  Points beyond 2048 are not known. */
void hp_resize_note(uint32_t point, uint64_t before, uint64_t after,
                    const uint64_t *moved);

/* What is known of POINT; calls 0: nothing. */
struct hp_resize_sum hp_resizes_of(uint32_t point);

void hp_resizes_start(void); /* a window begins */

#endif
