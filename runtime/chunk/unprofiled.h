/* unprofiled.h - small chunks for whose records limited memory has no room: as
   those that are no samples (plain.h), and counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_UNPROFILED_H
#define HP_UNPROFILED_H

#include "chunk/request.h"
#include "thread/thread_state.h"

/* What hp_allocate() promises, where there was no slot for a record.  NULL: it
   is counted as failed. */
void *hp_unprofiled_allocate(struct hp_thread *self,
                             const struct hp_request *request);

/* A chunk of SIZE bytes began so. */
void hp_unprofiled_count(struct hp_thread *self, size_t size);

#endif
