/* encode.c - appends varints, fields and records to buffers of pages.
   Growing doubles the buffer, so that appending is linear; never malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode.h"

#include "sanitizer_binding.h"

#define FIRST_CAPACITY ((size_t)64 << 10)

/* Taken while a buffer moves or goes. */
static struct hp_lock moving;

void hp_bytes_lock(void) { hp_lock_take(&moving); }
void hp_bytes_unlock(void) { hp_lock_release(&moving); }

/* Moves what is in BYTES to DATA, of CAPACITY. */
static void move(struct hp_bytes *bytes, uint8_t *data, size_t capacity) {
  hp_bytes_lock();
  if (bytes->data) {
    hp_real_memcpy(data, bytes->data, bytes->size);
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

size_t hp_varint_size(uint64_t value) {
  size_t size = 1;
  while (value >>= 7)
    size++;
  return size;
}

size_t hp_text_size(const char *text) {
  size_t size = 0;
  while (text[size])
    size++;
  return size;
}

void hp_put_varint(struct hp_bytes *bytes, uint64_t value) {
  if (hp_bytes_reserve(bytes, HP_VARINT_MAX))
    bytes->size =
        (size_t)(hp_varint_at(bytes->data + bytes->size, value) - bytes->data);
}

void hp_put_bytes(struct hp_bytes *bytes, const void *data, size_t size) {
  if (size == 0 || !hp_bytes_reserve(bytes, size))
    return;
  hp_real_memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

void hp_put_u64_field(struct hp_bytes *bytes, unsigned tag, uint64_t value) {
  hp_put_varint(bytes, tag);
  hp_put_varint(bytes, hp_varint_size(value));
  hp_put_varint(bytes, value);
}

void hp_put_bytes_field(struct hp_bytes *bytes, unsigned tag, const void *data,
                        size_t size) {
  hp_put_varint(bytes, tag);
  hp_put_varint(bytes, size);
  hp_put_bytes(bytes, data, size);
}

void hp_put_text_field(struct hp_bytes *bytes, unsigned tag, const char *text) {
  hp_put_bytes_field(bytes, tag, text, hp_text_size(text));
}

void hp_put_stack_field(struct hp_bytes *bytes, unsigned tag,
                        const uint64_t *pc, size_t depth) {
  size_t size = 0;
  uint64_t before = 0;
  for (size_t i = 0; i < depth; i++) {
    size += hp_varint_size(hp_zigzag(pc[i] - before));
    before = pc[i];
  }
  hp_put_varint(bytes, tag);
  hp_put_varint(bytes, size);
  before = 0;
  for (size_t i = 0; i < depth; i++) {
    hp_put_varint(bytes, hp_zigzag(pc[i] - before));
    before = pc[i];
  }
}

void hp_put_record(struct hp_bytes *bytes, struct hp_bytes *record) {
  hp_put_varint(bytes, record->size);
  hp_put_bytes(bytes, record->data, record->size);
  bytes->failed |= record->failed;
  record->size = 0;
}
