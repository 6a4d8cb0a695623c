/* protobuf.c - messages of protocol buffers, written field by field.
   A field is a key, (number << 3 | kind), and a varint or a counted string.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/protobuf.h"

#include "base/growing_array.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_VARINT = 0, KIND_COUNTED = 2 };

static bool reserve(struct hp_message *m, size_t size) {
  m->failed = m->failed ||
              !hp_room_for((void **)&m->bytes, m->size, size, &m->capacity, 1);
  return !m->failed;
}

static void put(struct hp_message *m, const void *bytes, size_t size) {
  if (size && reserve(m, size)) {
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
  }
}

static size_t varint_size(uint64_t value) {
  size_t size = 1;
  while (value >>= 7)
    size++;
  return size;
}

static void put_varint(struct hp_message *m, uint64_t value) {
  unsigned char bytes[10];
  size_t size = 0;
  while (value >= 0x80) {
    bytes[size++] = (unsigned char)(value | 0x80);
    value >>= 7;
  }
  bytes[size++] = (unsigned char)value;
  put(m, bytes, size);
}

void hp_message_clear(struct hp_message *m) { m->size = 0; }

void hp_message_free(struct hp_message *m) {
  free(m->bytes);
  *m = (struct hp_message){0};
}

void hp_message_integer(struct hp_message *m, unsigned field, uint64_t value) {
  put_varint(m, (uint64_t)field << 3 | KIND_VARINT);
  put_varint(m, value);
}

void hp_message_bytes(struct hp_message *m, unsigned field, const void *bytes,
                      size_t size) {
  put_varint(m, (uint64_t)field << 3 | KIND_COUNTED);
  put_varint(m, size);
  put(m, bytes, size);
}

void hp_message_packed(struct hp_message *m, unsigned field,
                       const uint64_t *values, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += varint_size(values[i]);
  put_varint(m, (uint64_t)field << 3 | KIND_COUNTED);
  put_varint(m, size);
  for (size_t i = 0; i < count; i++)
    put_varint(m, values[i]);
}

void hp_message_nested(struct hp_message *m, unsigned field,
                       const struct hp_message *inner) {
  if (inner->failed)
    m->failed = true;
  hp_message_bytes(m, field, inner->bytes, inner->size);
}
