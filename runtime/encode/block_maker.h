/* block_maker.h - makes checksummed blocks of a dump, compressed in memory.
   Writes nothing; what it needs is mapped at its start and never again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BLOCK_MAKER_H
#define HP_BLOCK_MAKER_H

#include "encode/encode.h"
#include "heapprof_format.h"

struct hp_block_maker {
  struct libdeflate_compressor *compressor; /* NULL: blocks are stored raw */
};

/* MAKER is all zero; LEVEL is libdeflate's, 0: do not compress.  Returns 0 or a
   negative errno, as hp_block_make(). */
int hp_block_maker_start(struct hp_block_maker *maker, int level);

/* Appends a block to TO. */
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

/* Also in a forked child, whatever the maker was doing. */
void hp_block_maker_end(struct hp_block_maker *maker);

#endif
