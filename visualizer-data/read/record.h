/* record.h - varints, tagged fields and records inside a block's payload.
   Every read is bounded by the cursor; false means the bytes are malformed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RECORD_H
#define HP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chunk_measure.h"

struct hp_cursor {
  const uint8_t *at, *end;
};

static inline size_t hp_left(const struct hp_cursor *cursor) {
  return (size_t)(cursor->end - cursor->at);
}

static inline bool hp_is_at_end(const struct hp_cursor *cursor) {
  return cursor->at == cursor->end;
}

static inline int64_t hp_unzigzag(uint64_t value) {
  return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

/* LEB128 of at most 10 bytes that fits 64 bits. */
bool hp_take_varint(struct hp_cursor *cursor, uint64_t *value);

/* COUNT of them, one after the other. */
static inline bool hp_take_varints(struct hp_cursor *cursor, uint64_t *values,
                                   size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!hp_take_varint(cursor, &values[i]))
      return false;
  return true;
}

/* A number of 128 bits: its low ones as a varint, then its high ones. */
bool hp_take_wide(struct hp_cursor *cursor, hp_wide *value);

/* The next record: a varint length, then that many bytes. */
bool hp_take_record(struct hp_cursor *cursor, struct hp_cursor *record);

struct hp_field {
  uint64_t tag;
  struct hp_cursor contents;
};

/* The next tagged field of a record. */
bool hp_take_field(struct hp_cursor *record, struct hp_field *field);

/* The contents of a U64 field: one varint and nothing behind it. */
bool hp_field_u64(const struct hp_field *field, uint64_t *value);

/* The same of one wide number. */
bool hp_field_wide(const struct hp_field *field, hp_wide *value);

/* All of AT is varints; the first COUNT of them, as far as there are so many,
   to NUMBERS. */
bool hp_take_numbers(struct hp_cursor at, uint64_t *numbers, size_t count);

/* The frames of a STACK field.  ADDRESSES has room for as many as the field
   has bytes; *COUNT is what was found. */
bool hp_field_stack(const struct hp_field *field, uint64_t *addresses,
                    size_t *count);

#endif
