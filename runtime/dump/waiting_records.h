/* waiting_records.h - records that wait in memory to be written, cut into blocks.
   What a dump says of a moment is taken down while threads wait.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WAITING_RECORDS_H
#define HP_WAITING_RECORDS_H

#include "dump/block_writer.h"
#include "encode/encode.h"

#define HP_PAYLOAD_MAX ((size_t)1 << 20) /* bytes of a block being filled */

struct hp_records {
  struct hp_bytes bytes;
  struct hp_bytes cuts; /* where blocks end */
  size_t begin, items;  /* of the block that is being filled */
  uint64_t count;       /* of all */
};

/* Appends the record PART, which is empty then. */
void hp_records_add(struct hp_records *records, struct hp_bytes *part);
void hp_records_end_block(struct hp_records *records); /* behind the last one */
bool hp_records_are_lost(
    const struct hp_records *records); /* some; no memory */
void hp_records_write(struct hp_block_writer *writer, enum hp_block_kind kind,
                      const struct hp_records *records);
void hp_records_free(struct hp_records *records);

#endif
