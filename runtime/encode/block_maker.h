/* block_maker.h - makes checksummed blocks of a dump, compressed in memory.
   Writes nothing; what it takes to compress is mapped when it is needed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BLOCK_MAKER_H
#define HP_BLOCK_MAKER_H

#include "encode/encode.h"
#include "heapprof_format.h"

/* All zero: blocks are stored as they are. */
struct hp_block_maker {
  int level;                                /* libdeflate's; 0: none */
  struct libdeflate_compressor *compressor; /* NULL: none at the moment */
};

void hp_block_maker_start(struct hp_block_maker *maker, int level);

/* Appends a block to TO, stored as it is where there is no memory to compress it.
   Returns 0 or a negative errno. */
int hp_block_make(struct hp_block_maker *maker, enum hp_block_kind kind,
                  size_t items, const struct hp_bytes *payload,
                  struct hp_bytes *to);

/* What a block says of itself; nothing aligns it where it lies. */
HP_INLINE struct hp_block_header hp_block_head(const uint8_t *block) {
  struct hp_block_header header;
  __builtin_memcpy(&header, block, sizeof header);
  return header;
}
HP_INLINE size_t hp_block_size(const uint8_t *block) {
  return sizeof(struct hp_block_header) + hp_block_head(block).stored_size;
}

/* Gives back what it takes to compress, some 150 KB, until the next block is made.
   Also in a forked child, whatever the maker was doing. */
void hp_block_maker_rest(struct hp_block_maker *maker);

/* Whether that is kept for the maker that comes next, as five do at the end of a
   process, to each of which it would be 50 page faults. */
void hp_block_makers_keep(bool on);

#endif
