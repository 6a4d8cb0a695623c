/* merge_members.c - see merge_members.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge_members.h"

#include "heapprof_format.h"

/* As the field members has them. */
enum { HEAD = 3, ROW = 7, CODE = 5 };

size_t hp_merge_members_codes(struct hp_cursor members, uint64_t *codes) {
  uint64_t number;
  size_t count = 0;
  for (size_t i = 0; hp_take_varint(&members, &number); i++)
    if (i >= HEAD && (i - HEAD) % ROW == CODE)
      codes[count++] = number;
  return count;
}

void hp_merge_members_put(struct hp_buffer *record, struct hp_cursor members,
                          const uint64_t *codes, size_t count) {
  struct hp_buffer field = {0};
  uint64_t number;
  for (size_t i = 0; hp_take_varint(&members, &number); i++) {
    const bool is_code = i >= HEAD && (i - HEAD) % ROW == CODE;
    const size_t row = is_code ? (i - HEAD) / ROW : count;
    hp_buffer_varint(&field, row < count ? codes[row] : number);
  }
  record->failed |= field.failed;
  hp_buffer_field(record, HP_AGGREGATE_members, field.data, field.size);
  hp_buffer_free(&field);
}
