/* encode.h - varints, zigzag and tagged fields in a growing buffer.
   A buffer that cannot grow remembers it; callers look once, at the end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ENCODE_H
#define HP_ENCODE_H

#include "system/platform.h"

#define HP_VARINT_MAX 10 /* bytes of the longest varint */

/* Bytes in pages of their own; all zero is an empty buffer. */
struct hp_bytes {
  uint8_t *data;
  size_t size;
  size_t capacity;
  bool failed; /* an append was lost for want of memory; stays set */
};

/* Makes room for MORE bytes after `size`; false (and failed) if refused. */
bool hp_bytes_grow(struct hp_bytes *bytes, size_t more);
void hp_bytes_free(struct hp_bytes *bytes);

/* Around fork, the last lock of all: in the child no buffer is half moved, nor
   one that a thread of its parent was filling. */
void hp_bytes_lock(void);
void hp_bytes_unlock(void);

HP_INLINE bool hp_bytes_reserve(struct hp_bytes *bytes, size_t more) {
  if (HP_LIKELY(bytes->capacity - bytes->size >= more))
    return true;
  return hp_bytes_grow(bytes, more);
}

/* Of any address, without a call. */
HP_INLINE uint32_t hp_word_at(const uint8_t *at) {
  struct word {
    uint32_t value;
  } __attribute__((packed, may_alias));
  return ((const struct word *)at)->value;
}

HP_INLINE uint64_t hp_zigzag(uint64_t value) {
  return (value << 1) ^ (0 - (value >> 63));
}

/* Writes VALUE at P, where HP_VARINT_MAX bytes are free; one past its end. */
HP_INLINE uint8_t *hp_varint_at(uint8_t *p, uint64_t value) {
  while (value >= 0x80) {
    *p++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *p++ = (uint8_t)value;
  return p;
}

/* A byte for each seven binary digits. */
HP_INLINE size_t hp_varint_size(uint64_t value) {
  return (70 - (size_t)__builtin_clzll(value | 1)) / 7;
}

size_t hp_text_size(const char *text);           /* strlen */
const char *hp_text_base_name(const char *path); /* behind the last slash */

void hp_put_varint(struct hp_bytes *bytes, uint64_t value);
void hp_put_bytes(struct hp_bytes *bytes, const void *data, size_t size);

/* Tagged fields. */
void hp_put_u64_field(struct hp_bytes *bytes, unsigned tag, uint64_t value);
void hp_put_bytes_field(struct hp_bytes *bytes, unsigned tag, const void *data,
                        size_t size);
void hp_put_text_field(struct hp_bytes *bytes, unsigned tag, const char *text);
void hp_put_stack_field(struct hp_bytes *bytes, unsigned tag,
                        const uint64_t *pc, size_t depth);

/* Appends RECORD with its length before it, and empties RECORD. */
void hp_put_record(struct hp_bytes *bytes, struct hp_bytes *record);

#endif
