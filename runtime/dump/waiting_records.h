/* waiting_records.h - records that wait in memory to be written, as blocks, compressed.
   What a dump says of a moment is taken down while threads wait.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WAITING_RECORDS_H
#define HP_WAITING_RECORDS_H

#include "dump/block_writer.h"
#include "encode/encode.h"

#define HP_AHEAD_MIN ((size_t)1 << 20)   /* bytes of blocks that are many */
#define HP_PAYLOAD_MAX ((size_t)1 << 20) /* bytes of a block being filled */

/* All zero: none.  They belong to who has the writer's lock. */
struct hp_records {
  struct hp_bytes payload; /* of the block that is being filled */
  size_t items;            /* in it */
  struct hp_bytes blocks;  /* made */
  uint64_t count;          /* of all records */
  /* Is given `blocks` when they are many, and may write and empty them; or NULL. */
  void (*ahead)(struct hp_bytes *blocks);
  bool failed;
};

/* Appends the record PART, which is empty then. */
void hp_records_add(struct hp_records *records, enum hp_block_kind kind,
                    struct hp_bytes *part);
/* Behind the last one. */
void hp_records_end_block(struct hp_records *records, enum hp_block_kind kind);
bool hp_records_are_lost(
    const struct hp_records *records); /* some; no memory */
void hp_records_write(struct hp_block_writer *writer,
                      const struct hp_records *records);
void hp_records_free(struct hp_records *records);

/* Gives back what it takes to make blocks, until the next one is made. */
void hp_records_rest(void);

#endif
