/* content.h - what the bytes of one chunk are: a hash of them, and how many are
   zero.  Reads no page that was never touched, and none that the program shut.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTENT_H
#define HP_CONTENT_H

#include "contents_measure.h"
#include "heap/chunk.h"

struct hp_content {
  uint64_t hash;   /* of the accessed bytes, their place and the size */
  uint64_t size;   /* requested */
  uint64_t zero;   /* accessed bytes that are 0, in pages with memory */
  bool is_uniform; /* all accessed bytes are one and the same */
  bool is_parts;   /* they are more than HP_CONTENTS_WHOLE: of parts only */
};

/* Once, before any chunk ends: takes a key for the hashes of this run. */
void hp_content_start(void);

/* Fills in *CONTENT of the chunk of this WORD, which ends on this thread.  False:
   nothing of it was accessed, or some of it cannot be read.  From any thread and
   any handler. */
bool hp_content_look(const struct hp_chunk *chunk, uint64_t word,
                     struct hp_content *content);

/* The same of one that lives, whose pages another thread may shut meanwhile; one
   caller at a time. */
bool hp_content_look_live(const struct hp_chunk *chunk, uint64_t word,
                          struct hp_content *content);

/* Adds which bits of it are set to TO, if it is small enough: of one that was just
   looked at. */
void hp_content_add_bits(struct hp_content_bits *to,
                         const struct hp_chunk *chunk, uint64_t word);

#endif
