/* waiting_records.c - see waiting_records.h: one piece of memory, and where to cut it.
   A block ends with the record that fills it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/waiting_records.h"

struct cut {
  size_t size, items;
};

void hp_records_end_block(struct hp_records *records) {
  struct cut cut = {records->bytes.size - records->begin, records->items};
  if (records->items)
    hp_put_bytes(&records->cuts, &cut, sizeof cut);
  records->begin = records->bytes.size;
  records->items = 0;
}

void hp_records_add(struct hp_records *records, struct hp_bytes *part) {
  hp_put_record(&records->bytes, part);
  records->items++;
  records->count++;
  if (records->bytes.size - records->begin >= HP_PAYLOAD_MAX)
    hp_records_end_block(records);
}

bool hp_records_are_lost(const struct hp_records *records) {
  return records->bytes.failed || records->cuts.failed;
}

void hp_records_write(struct hp_block_writer *writer, enum hp_block_kind kind,
                      const struct hp_records *records) {
  const struct cut *cuts = (const void *)records->cuts.data;
  uint8_t *next = records->bytes.data;
  for (size_t i = 0; i < records->cuts.size / sizeof *cuts; i++) {
    struct hp_bytes payload = {.data = next, .size = cuts[i].size};
    hp_block_put(writer, kind, cuts[i].items, &payload);
    next += cuts[i].size;
  }
}

void hp_records_free(struct hp_records *records) {
  hp_bytes_free(&records->bytes);
  hp_bytes_free(&records->cuts);
  *records = (struct hp_records){0};
}
