/* sample.h - which allocations are profiled: all of them, one in N by chance,
   or in proportion to their bytes; and for how many each of these stands.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SAMPLE_H
#define HP_SAMPLE_H

#include "chunk/request.h"
#include "heap/chunk.h"
#include "thread/thread_state.h"

/* Each thread counts down to its next sample: allocations (sample_every) or
   bytes (sample_bytes), by random distances that make every allocation, or
   every byte, equally likely to be hit whatever came before it. */

/* False: all are profiled. */
extern HP_SHARED bool hp_sampling __asm__(HP_SAMPLING_SYMBOL);

/* Once, after the options were read; ends the process if they contradict each
   other. */
void hp_sample_start(void);

/* SELF is the thread of NUMBER from now on: its distances begin. */
void hp_sample_begin_thread(struct hp_thread *self, uint32_t number);

void hp_sample_next(struct hp_thread *self); /* how far the next one is */

/* A request's size and this mask, one AND the other, is what the request is
   counted as: its size, or 0, which becomes 1. */
extern uint64_t hp_sample_mask;

/* Counts an allocation of SIZE bytes, unless it is a sample: then nothing is
   done.  While nothing is recorded, all pass uncounted.  Only if
   hp_sampling. */
HP_INLINE bool hp_sample_passes(struct hp_thread *self, size_t size) {
  if (HP_UNLIKELY(!hp_recording))
    return true;
  int64_t step = (int64_t)(size & hp_sample_mask);
  step += step == 0;
  if (HP_UNLIKELY(self->until_sample <= step))
    return false;
  self->until_sample -= step;
  self->requests++;
  self->request_bytes += size;
  return true;
}

/* Counts an allocation of SIZE bytes, and whether it is a sample. */
HP_INLINE bool hp_sample_hit(struct hp_thread *self, size_t size) {
  if (HP_LIKELY(hp_sample_passes(self, size)))
    return false;
  self->requests++;
  self->request_bytes += size;
  hp_sample_next(self);
  return true;
}

/* The request that was counted last was not met. */
HP_INLINE void hp_sample_undo(struct hp_thread *self, size_t size) {
  if (hp_sampling && hp_recording) {
    self->requests--;
    self->request_bytes -= size;
  }
}

/* A weight is a whole number: that below or above 1 / probability, at random so
   that it is right on average.  HP_RECORD_HEAVIER if it is to be that above,
   for a sample of SIZE bytes; else 0. */
uint64_t hp_sample_rounding(struct hp_thread *self, size_t size);

/* For how many chunks that of a record with such a WORD stands. */
uint32_t hp_sample_weigh(uint64_t word);
HP_INLINE uint32_t hp_sample_weight(uint64_t word) {
  return HP_LIKELY(!hp_sampling) ? 1 : hp_sample_weigh(word);
}

#endif
