/* block.h - reads one file of a dump block by block.
   A block is handed out only after magic, version, sizes and CRC-32 agree.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BLOCK_H
#define HP_BLOCK_H

#include <stdint.h>
#include <stdio.h>

#include "heapprof.h"
#include "read/record.h"

struct hp_block {
  uint64_t offset; /* of its header in the file, for messages */
  uint32_t items;
  uint16_t kind;
  struct hp_cursor payload; /* inflated; valid until the next block is read */
};

/* {.file = F, .name = "dump/points", .kind = HP_BLOCK_POINTS}, rest 0.  The
   reader owns neither FILE nor NAME. */
struct hp_block_reader {
  FILE *file;
  const char *name;
  uint16_t kind;   /* what the file holds, besides blocks of unknown kinds */
  uint32_t also;   /* 1 << kind of others it may hold */
  uint64_t offset; /* bytes consumed */
  uint8_t *stored, *raw;
  size_t stored_capacity, raw_capacity;
};

/* The next block of a kind that the reader wants, or *FOUND = false at the end
   of the file.  Blocks of kinds this library does not know are passed over. */
hp_status hp_block_next(struct hp_block_reader *reader, struct hp_block *block,
                        bool *found, struct hp_error *error);

void hp_block_reader_free(struct hp_block_reader *reader);

#endif
