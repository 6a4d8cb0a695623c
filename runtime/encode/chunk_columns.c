/* chunk_columns.c - one pass over the chunks for each column.
   A delta begins anew with each run, so that runs can be read apart.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/chunk_columns.h"

#include "options/options.h"

static bool is_accessed(const struct hp_chunk_log *chunk) {
  return chunk->reads || chunk->writes;
}

/* What column COLUMN says of CHUNK before it is coded. */
HP_INLINE uint64_t value_of(const struct hp_chunk_log *chunk,
                            enum hp_chunk_column column) {
  switch (column) {
  case HP_COLUMN_t0:
    return chunk->t0;
  case HP_COLUMN_life:
    return chunk->t1 - chunk->t0;
  case HP_COLUMN_first:
    return is_accessed(chunk) ? chunk->first - chunk->t0 : 0;
  case HP_COLUMN_last:
    return is_accessed(chunk) ? chunk->last - chunk->first : 0;
  case HP_COLUMN_size:
    return chunk->size;
  case HP_COLUMN_lo:
    return chunk->lo;
  case HP_COLUMN_span:
    return chunk->hi > chunk->lo ? chunk->hi - chunk->lo : 0;
  case HP_COLUMN_reads:
    return chunk->reads;
  case HP_COLUMN_writes:
    return chunk->writes;
  case HP_COLUMN_flags:
    return chunk->flags;
  case HP_COLUMN_thread:
    return chunk->thread;
  case HP_COLUMN_free_thread:
    return chunk->free_thread;
  case HP_COLUMN_free_pc:
    return chunk->free_pc;
  case HP_COLUMN_step:
    return chunk->step;
  case HP_COLUMN_address:
    return chunk->address;
  default:
    break;
  }
  if (!(chunk->flags & HP_CHUNK_GROWN))
    return 0;
  switch (column) {
  case HP_COLUMN_chain:
    return (uint64_t)4 * chunk->chain_length + chunk->chain_kind;
  case HP_COLUMN_chain_first:
    return chunk->chain_first;
  case HP_COLUMN_chain_bytes:
    return chunk->chain_bytes;
  case HP_COLUMN_chain_copied:
    return chunk->chain_copied;
  case HP_COLUMN_copied:
    return chunk->copied;
  default:
    break;
  }
  return 0;
}

/* The letters of heapprof_format.def, by the value and the one before it. */
#define CODE_U(value, before) (value)
#define CODE_D(value, before) hp_zigzag((value) - (before))
#define CODE_Z(value, before) hp_zigzag(value)

/* A function for each column, so that nothing is asked for each chunk. */
#define HP_CHUNK_COLUMN(name, code, text)                                      \
  static uint8_t *put_##name(uint8_t *p, const struct hp_chunk_log *chunk,     \
                             size_t count) {                                   \
    uint64_t before = 0;                                                       \
    for (; count; count--, chunk++) {                                          \
      uint64_t value = value_of(chunk, HP_COLUMN_##name);                      \
      p = hp_varint_at(p, CODE_##code(value, before));                         \
      before = value;                                                          \
    }                                                                          \
    (void)before;                                                              \
    return p;                                                                  \
  }
#include "heapprof_format.def"

typedef uint8_t *put_column(uint8_t *p, const struct hp_chunk_log *chunk,
                            size_t count);
static put_column *const put_columns[HP_COLUMN_COUNT] = {
#define HP_CHUNK_COLUMN(name, code, text) put_##name,
#include "heapprof_format.def"
};

/* Where nothing grew, the columns that say how are left out, and those behind
   them where nobody asks for addresses. */
static size_t columns_of(const struct hp_chunk_log *chunks, size_t count) {
  uint32_t flags = 0;
  if (hp_options.addresses)
    return HP_COLUMN_COUNT;
  for (size_t i = 0; i < count; i++)
    flags |= chunks[i].flags;
  return flags & HP_CHUNK_GROWN ? HP_COLUMNS_GROWN : HP_COLUMNS_LEAST;
}

void hp_put_chunk_columns(struct hp_bytes *to, const struct hp_chunk_run *runs,
                          size_t run_count, const struct hp_chunk_log *chunks) {
  size_t count = 0;
  for (size_t i = 0; i < run_count; i++)
    count += runs[i].count;
  if (!hp_bytes_reserve(to, (size_t)2 * HP_VARINT_MAX +
                                run_count * HP_RUN_ENCODED_MAX +
                                count * HP_CHUNK_ENCODED_MAX))
    return;
  const size_t columns = columns_of(chunks, count);
  uint8_t *p = to->data + to->size;
  p = hp_varint_at(p, columns);
  p = hp_varint_at(p, run_count);
  for (size_t i = 0; i < run_count; i++) {
    p = hp_varint_at(p, runs[i].point);
    p = hp_varint_at(p, runs[i].count);
    p = hp_varint_at(p, runs[i].weight);
  }
  for (size_t column = 0; column < columns; column++) {
    const struct hp_chunk_log *chunk = chunks;
    for (size_t i = 0; i < run_count; chunk += runs[i++].count)
      p = put_columns[column](p, chunk, runs[i].count);
  }
  to->size = (size_t)(p - to->data);
}
