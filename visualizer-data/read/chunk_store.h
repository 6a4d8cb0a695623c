/* chunk_store.h - the logged chunks of one allocation point, packed.
   A chunk takes some 30 bytes instead of 160; it is read from first to last.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_STORE_H
#define HP_CHUNK_STORE_H

#include "base/spill.h"
#include "heapprof.h"
#include "heapprof_format.h"

/* Chunks that went to a file; a chunk lies in one part. */
struct hp_chunk_part {
  struct hp_chunk_part *next;
  size_t size;
  uint8_t bytes[];
};

/* {0} is empty, and so is one of which only SPILL is set. */
struct hp_chunks {
  struct hp_spill *spill;                  /* where parts go; NULL: nowhere */
  struct hp_chunk_part *parts, *last_part; /* a list, in order */
  uint8_t
      *bytes; /* behind them, chunk after chunk, as chunk_store.c draws them */
  size_t size, capacity;
  size_t count;
  uint64_t first_t0; /* of the chunk that comes first */
  struct hp_chunk_before {
    uint64_t t0, free_pc, address;
    uint32_t thread, step;
  } last;
  bool is_unsorted;
  bool is_thinned; /* a chunk stands for more than itself */
};

/* A place among the chunks, and what is needed of the chunk before it. */
struct hp_chunk_reader {
  const uint8_t *at, *end;
  struct hp_chunk_before before;
  const struct hp_chunk_part *next; /* NULL: the bytes behind the parts */
  const struct hp_chunks *chunks;   /* NULL: nothing comes behind END */
};

/* All of CHUNK but its point.  False: no memory. */
bool hp_chunks_add(struct hp_chunks *chunks, const struct hp_chunk_log *chunk);

/* Sorts by (t0, thread), equal ones stay in the order they were added, and
   gives back what room is left. */
hp_status hp_chunks_sort(struct hp_chunks *chunks, struct hp_error *error);

static inline struct hp_chunk_reader
hp_chunks_read(const struct hp_chunks *chunks) {
  if (chunks->parts)
    return (struct hp_chunk_reader){.next = chunks->parts, .chunks = chunks};
  return (struct hp_chunk_reader){
      chunks->bytes, chunks->bytes + chunks->size, {0}, NULL, NULL};
}

/* The next chunk; false past the last. */
bool hp_chunks_next(struct hp_chunk_reader *reader, struct hp_chunk_log *chunk);

/* The same, but of CHUNK only t0, t1, size, weight and flags are set.  A reader
   is asked for one or the other. */
bool hp_chunks_next_life(struct hp_chunk_reader *reader,
                         struct hp_chunk_log *chunk);

/* Puts the bytes into a part, if SPILL has room for one. */
void hp_chunks_spill(struct hp_chunks *chunks);

/* Empty afterwards; SPILL stays. */
void hp_chunks_free(struct hp_chunks *chunks);

#endif
