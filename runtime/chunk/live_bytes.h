/* live_bytes.h - requested bytes live in a sampled run, and the most there were:
   counted for each chunk, sampled or not, before and in the window alike.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIVE_BYTES_H
#define HP_LIVE_BYTES_H

#include "chunk/sample.h"
#include "thread/thread_state.h"

/* Each thread keeps what it added and took since it last told the process, its
   delta, as the room that is left below the most this was:

     live bytes = total + sum of all threads' deltas
     delta = live_high - live_room,  -HP_LIVE_SLACK <= delta <= HP_LIVE_SLACK / 2

   so that total tells the peak to HP_LIVE_SLACK for each thread; a lone thread's
   live_high makes it exact.  Only between hp_plain_enter() and hp_plain_leave()
   do these change; who interrupts that changes the total. */
#define HP_LIVE_SLACK ((int64_t)16 << 10) /* bytes */

/* The quick ways of plain.h change the room themselves, where it stays from 0 to
   HP_LIVE_SLACK. */
HP_INLINE bool hp_live_has_room(const struct hp_thread *self, size_t size) {
  return self->live_room >= (int64_t)size;
}

/* A chunk of SIZE bytes begins, or ends: from anywhere, if hp_sampling. */
void hp_live_add(struct hp_thread *self, size_t size);
void hp_live_take(struct hp_thread *self, size_t size);

struct hp_live_bytes {
  uint64_t live, peak; /* bytes */
  uint64_t peak_error; /* bytes by which the true peak may be more or less */
};
struct hp_live_bytes hp_live_bytes(void);

void hp_live_start_window(void); /* the peak begins with what is live */

/* In a forked child: SELF is the only thread. */
void hp_live_after_fork_child(const struct hp_thread *self);

#endif
