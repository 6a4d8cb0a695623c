/* encode.c - appends varints, fields and records to buffers of pages.
   Growing doubles the buffer, so that appending is linear; never malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/encode.h"

#include "system/memory.h"
#include "system/real_libc.h"

#define FIRST_CAPACITY ((size_t)64 << 10)

/* Taken while a buffer moves or goes. */
static struct hp_lock moving;

void hp_bytes_lock(void) { hp_lock_take(&moving); }
void hp_bytes_unlock(void) { hp_lock_release(&moving); }

/* Copies the first SIZE bytes at FROM, which go: part by part, so that a large
   buffer does not take its memory twice. */
#define PART ((size_t)2 << 20)
static void copy(uint8_t *to, uint8_t *from, size_t size) {
  for (; size > PART; size -= PART, to += PART, from += PART) {
    hp_real_memcpy(to, from, PART);
    hp_sys_release(from, PART);
  }
  hp_real_memcpy(to, from, size);
}

/* Moves what is in BYTES to DATA, of CAPACITY. */
static void move(struct hp_bytes *bytes, uint8_t *data, size_t capacity) {
  hp_bytes_lock();
  if (bytes->data) {
    copy(data, bytes->data, bytes->size);
    hp_sys_unmap(bytes->data, bytes->capacity);
  }
  bytes->data = data;
  bytes->capacity = capacity;
  hp_bytes_unlock();
}

bool hp_bytes_grow(struct hp_bytes *bytes, size_t more) {
  size_t needed, capacity;
  if (bytes->failed)
    return false;
  if (bytes->capacity - bytes->size >= more)
    return true;
  capacity = bytes->capacity ? bytes->capacity : FIRST_CAPACITY / 2;
  if (__builtin_add_overflow(bytes->size, more, &needed)) {
    bytes->failed = true;
    return false;
  }
  do {
    if (__builtin_mul_overflow(capacity, (size_t)2, &capacity)) {
      bytes->failed = true;
      return false;
    }
  } while (capacity < needed);
  uint8_t *data = hp_sys_map(capacity);
  if (!data) {
    bytes->failed = true;
    return false;
  }
  move(bytes, data, capacity);
  return true;
}

void hp_bytes_free(struct hp_bytes *bytes) {
  hp_bytes_lock();
  if (bytes->data)
    hp_sys_unmap(bytes->data, bytes->capacity);
  *bytes = (struct hp_bytes){0};
  hp_bytes_unlock();
}

size_t hp_text_size(const char *text) {
  size_t size = 0;
  while (text[size])
    size++;
  return size;
}

const char *hp_text_base_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/')
      name = c + 1;
  return name;
}

static void end_at(struct hp_bytes *bytes, const uint8_t *p) {
  bytes->size = (size_t)(p - bytes->data);
}

void hp_put_varint(struct hp_bytes *bytes, uint64_t value) {
  if (hp_bytes_reserve(bytes, HP_VARINT_MAX))
    end_at(bytes, hp_varint_at(bytes->data + bytes->size, value));
}

void hp_put_bytes(struct hp_bytes *bytes, const void *data, size_t size) {
  if (size == 0 || !hp_bytes_reserve(bytes, size))
    return;
  hp_real_memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

/* Begins a field at P; where its SIZE bytes are to be. */
HP_INLINE uint8_t *field_at(uint8_t *p, unsigned tag, size_t size) {
  return hp_varint_at(hp_varint_at(p, tag), size);
}
#define FIELD_HEAD_MAX ((size_t)2 * HP_VARINT_MAX)

void hp_put_u64_field(struct hp_bytes *bytes, unsigned tag, uint64_t value) {
  if (!hp_bytes_reserve(bytes, FIELD_HEAD_MAX + HP_VARINT_MAX))
    return;
  uint8_t *p = bytes->data + bytes->size;
  p = field_at(p, tag, hp_varint_size(value));
  end_at(bytes, hp_varint_at(p, value));
}

void hp_put_bytes_field(struct hp_bytes *bytes, unsigned tag, const void *data,
                        size_t size) {
  if (!hp_bytes_reserve(bytes, FIELD_HEAD_MAX + size))
    return;
  end_at(bytes, field_at(bytes->data + bytes->size, tag, size));
  hp_put_bytes(bytes, data, size);
}

void hp_put_text_field(struct hp_bytes *bytes, unsigned tag, const char *text) {
  hp_put_bytes_field(bytes, tag, text, hp_text_size(text));
}

static uint8_t *stack_at(uint8_t *p, const uint64_t *pc, size_t depth) {
  uint64_t before = 0;
  for (size_t i = 0; i < depth; before = pc[i++])
    p = hp_varint_at(p, hp_zigzag(pc[i] - before));
  return p;
}

/* Mostly so few bytes that their number is one byte; else written again. */
void hp_put_stack_field(struct hp_bytes *bytes, unsigned tag,
                        const uint64_t *pc, size_t depth) {
  if (!hp_bytes_reserve(bytes, FIELD_HEAD_MAX + depth * HP_VARINT_MAX))
    return;
  uint8_t *start = bytes->data + bytes->size, *end;
  size_t size = 0, said;
  do {
    said = size;
    uint8_t *contents = field_at(start, tag, said);
    end = stack_at(contents, pc, depth);
    size = (size_t)(end - contents);
  } while (HP_UNLIKELY(hp_varint_size(size) != hp_varint_size(said)));
  field_at(start, tag, size);
  end_at(bytes, end);
}

void hp_put_record(struct hp_bytes *bytes, struct hp_bytes *record) {
  hp_put_varint(bytes, record->size);
  hp_put_bytes(bytes, record->data, record->size);
  bytes->failed |= record->failed;
  record->size = 0;
}
