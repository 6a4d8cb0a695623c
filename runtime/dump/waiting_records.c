/* waiting_records.c - see waiting_records.h: one block is filled, those before it are made.
   A block ends with the record that fills it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/waiting_records.h"

#include "options/options.h"

static struct hp_block_maker maker; /* of who has the writer's lock */

void hp_records_end_block(struct hp_records *records, enum hp_block_kind kind) {
  if (records->items) {
    hp_block_maker_start(&maker, hp_options.dump_compression);
    records->failed |= hp_block_make(&maker, kind, records->items,
                                     &records->payload, &records->blocks) < 0;
    hp_records_rest();
    if (records->ahead && records->blocks.size >= HP_AHEAD_MIN)
      records->ahead(&records->blocks);
  }
  records->payload.size = 0;
  records->items = 0;
}

void hp_records_add(struct hp_records *records, enum hp_block_kind kind,
                    struct hp_bytes *part) {
  hp_put_record(&records->payload, part);
  records->items++;
  records->count++;
  if (records->payload.size >= HP_PAYLOAD_MAX)
    hp_records_end_block(records, kind);
}

bool hp_records_are_lost(const struct hp_records *records) {
  return records->failed || records->payload.failed;
}

void hp_records_write(struct hp_block_writer *writer,
                      const struct hp_records *records) {
  if (records->blocks.size)
    hp_block_write(writer, &records->blocks);
}

void hp_records_free(struct hp_records *records) {
  hp_bytes_free(&records->payload);
  hp_bytes_free(&records->blocks);
  *records = (struct hp_records){0};
}

void hp_records_rest(void) { hp_block_maker_rest(&maker); }
