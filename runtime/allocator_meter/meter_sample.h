/* meter_sample.h - where the live chunks lie now: regions, spans, resident pages.
   Reads /proc/self; one caller at a time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_SAMPLE_H
#define HP_METER_SAMPLE_H

#include "allocator_meter/live_table.h"
#include "meter_record.h"

/* To be called by the first thread before the program allocates: what the loader
   mapped for that thread is no region then. */
void hp_meter_look_first(void);

/* Fills in all from PLACED_BYTES on.  False: it cannot be known. */
bool hp_meter_look(struct hp_meter_live_table *table,
                   struct hp_meter_sample *sample);

#endif
