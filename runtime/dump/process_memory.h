/* process_memory.h - where the resident memory of the whole process is: now, and
   when most of the heap was live.  Looked at by who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROCESS_MEMORY_H
#define HP_PROCESS_MEMORY_H

#include "encode/encode.h"

/* A window begins: nothing was seen yet. */
void hp_process_memory_start(void);

/* Looks at every page, which takes about 20 ms for each GiB.  HAS_MODULES: the
   load map's lock is held, perhaps by who waits for the caller. */
void hp_process_memory_look(bool has_modules);

/* Appends what was seen to an END record's PAYLOAD; how many fields. */
size_t hp_process_memory_put(struct hp_bytes *payload);

/* From any thread, now and then: notes how much is resident, for the timeline.
   Whether it is so much more than at the peak seen that it should be looked at
   again, now. */
bool hp_process_memory_watch(void);

#endif
