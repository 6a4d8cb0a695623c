/* content_share.c - see content_share.h: chunks that were chosen at random stand for those that
   were not looked at; a content that is in one of them only, for as many contents.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/content_share.h"

#include "base/saturate.h"

/* Chunks that were looked at, and some of them that have a property; of both, how
   many were chosen at random; or their bytes. */
struct part {
  uint64_t looked, chosen, with, chosen_with;
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Of ALL those with the property.  Where none was chosen nobody speaks for those
   that were not looked at: OTHERWISE all of these have it, or none. */
static uint64_t scaled(struct part p, uint64_t all, bool otherwise) {
  const uint64_t alone = p.looked - p.chosen;
  const uint64_t rest = all > alone ? all - alone : 0;
  if (!p.chosen)
    return least(all, hp_add(p.with, otherwise ? rest : 0));
  const uint64_t more = hp_clamp128((hp_u128)p.chosen_with * rest / p.chosen);
  return least(all, hp_add(p.with - p.chosen_with, more));
}

void hp_contents_measure(struct hp_tally *tally,
                         const struct hp_contents_sum *s) {
  const uint64_t chunks = tally->chunks, bytes = tally->bytes;
  if (!s->chunks)
    return;
#define OF_CHUNKS(with, chosen)                                                \
  (struct part){s->chunks, s->chosen_chunks, s->with, s->chosen}
#define OF_BYTES(with, chosen)                                                 \
  (struct part){s->bytes, s->chosen_bytes, s->with, s->chosen}
  tally->contents = (struct hp_contents){
      .chunks = s->chunks,
      .bytes = s->bytes,
      .parts_chunks = s->parts_chunks,
      .zero_bytes = s->zero,
      .uniform_chunks = s->uniform_chunks,
      .uniform_bytes = s->uniform_bytes,
      .sparse_chunks = s->sparse_chunks,
      .sparse_bytes = s->sparse_bytes,
      .different = s->different,
      .different_bytes = s->different_bytes,
      .unkept = s->unkept,
      .all_different =
          scaled(OF_CHUNKS(different, chosen_single), chunks, true),
      .all_different_bytes =
          scaled(OF_BYTES(different_bytes, chosen_single_bytes), bytes, true),
      .all_sparse_chunks =
          scaled(OF_CHUNKS(sparse_chunks, chosen_sparse_chunks), chunks, false),
      .all_sparse_bytes =
          scaled(OF_BYTES(sparse_bytes, chosen_sparse_bytes), bytes, false),
      .all_sparse_zero_bytes =
          scaled(OF_BYTES(sparse_zero, chosen_sparse_zero), bytes, false)};
#undef OF_CHUNKS
#undef OF_BYTES
}

void hp_contents_add(struct hp_contents *sum, const struct hp_contents *more) {
  enum { MEMBERS = sizeof *sum / sizeof(uint64_t) };
  uint64_t *to = &sum->chunks;
  const uint64_t *from = &more->chunks;
  for (size_t i = 0; i < MEMBERS; i++)
    to[i] = hp_add(to[i], from[i]);
}
