/* spill.h - memory beyond a bound, in a file without a name that the kernel writes out.
   For what is written once and read now and then, such as the chunks of a log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SPILL_H
#define HP_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So much ordinary memory each kind of user takes before there is a file, and about
   so much of the file is in memory of the process at a time. */
#define HP_SPILL_BOUND ((size_t)32 << 20)

/* Things that are used before pages are let go. */
#define HP_SPILL_THINGS 1024u

/* {0}: nothing is held, and no file is open. */
struct hp_spill {
  size_t slabs, tails;          /* ordinary memory of stores, of chunks */
  size_t bound;                 /* 0: HP_SPILL_BOUND */
  struct hp_spill_part *newest; /* of the file */
  uint64_t file_size, used;     /* used: since pages were let go */
  uint32_t things;
  int file; /* valid if is_open */
  bool is_open, has_failed;
};

static inline bool hp_spill_is_due(const struct hp_spill *spill, size_t held) {
  return held >= (spill->bound ? spill->bound : HP_SPILL_BOUND);
}

/* SIZE zeroed bytes of the file, aligned to 16, until it is closed.  NULL: there is
   no room for a file, ordinary memory has to do. */
void *hp_spill_take(struct hp_spill *spill, size_t size);

/* BYTES of the file were or will be used: now and then its pages leave the memory
   of the process.  Pointers stay valid. */
void hp_spill_use(struct hp_spill *spill, size_t bytes);

/* One of many small things was used, which may lie in pages of their own: readers
   of many blocks go side by side. */
static inline void hp_spill_use_one(struct hp_spill *spill) {
  if (++spill->things % HP_SPILL_THINGS == 0)
    hp_spill_use(spill, HP_SPILL_BOUND);
}

void hp_spill_close(struct hp_spill *spill);

#endif
