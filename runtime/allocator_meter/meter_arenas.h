/* meter_arenas.h - what glibc's allocator says of itself: mallinfo2 and malloc_info.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_ARENAS_H
#define HP_METER_ARENAS_H

#include "meter_record.h"

/* Fills in *ARENAS where the allocator beneath is glibc's; else nothing.  No thread that is stopped may be within the
   allocator, nor this one. */
void hp_meter_look_at_arenas(struct hp_meter_arenas *arenas);

#endif
