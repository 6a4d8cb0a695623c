/* record.c - decodes varints, tagged fields and records.
   Trusts no length: each is compared with what is left before it is used.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/record.h"

bool hp_take_varint(struct hp_cursor *cursor, uint64_t *value) {
  uint64_t sum = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (cursor->at == cursor->end)
      return false;
    uint8_t byte = *cursor->at++;
    if (shift == 63 && byte > 1)
      return false;
    sum |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      *value = sum;
      return true;
    }
  }
  return false;
}

static bool take_bytes(struct hp_cursor *cursor, struct hp_cursor *bytes) {
  uint64_t length;
  if (!hp_take_varint(cursor, &length) || length > hp_left(cursor))
    return false;
  bytes->at = cursor->at;
  bytes->end = cursor->at += length;
  return true;
}

bool hp_take_wide(struct hp_cursor *cursor, hp_wide *value) {
  uint64_t low, high;
  if (!hp_take_varint(cursor, &low) || !hp_take_varint(cursor, &high))
    return false;
  *value = (hp_wide)high << 64 | low;
  return true;
}

bool hp_take_record(struct hp_cursor *cursor, struct hp_cursor *record) {
  return take_bytes(cursor, record);
}

bool hp_take_field(struct hp_cursor *record, struct hp_field *field) {
  return hp_take_varint(record, &field->tag) &&
         take_bytes(record, &field->contents);
}

bool hp_field_u64(const struct hp_field *field, uint64_t *value) {
  struct hp_cursor contents = field->contents;
  return hp_take_varint(&contents, value) && contents.at == contents.end;
}

bool hp_field_wide(const struct hp_field *field, hp_wide *value) {
  struct hp_cursor contents = field->contents;
  return hp_take_wide(&contents, value) && contents.at == contents.end;
}

bool hp_take_numbers(struct hp_cursor at, uint64_t *numbers, size_t count) {
  for (size_t i = 0; at.at != at.end; i++) {
    uint64_t number;
    if (!hp_take_varint(&at, &number))
      return false;
    if (i < count)
      numbers[i] = number;
  }
  return true;
}

bool hp_field_stack(const struct hp_field *field, uint64_t *addresses,
                    size_t *count) {
  struct hp_cursor contents = field->contents;
  uint64_t address = 0;
  size_t n = 0;
  while (contents.at != contents.end) {
    uint64_t delta;
    if (!hp_take_varint(&contents, &delta))
      return false;
    address += (uint64_t)hp_unzigzag(delta);
    addresses[n++] = address;
  }
  *count = n;
  return true;
}
