/* dump_records.h - from a block's payload to the parts of struct hp_dump.
   Called by dump_reader.c, once per block.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_RECORDS_H
#define HP_DUMP_RECORDS_H

#include "read/block.h"
#include "read/raw_dump.h"

/* FILE is for messages.  When one fails, part of the block may be in DUMP. */
typedef hp_status hp_block_consumer(struct hp_dump *dump,
                                    const struct hp_block *block,
                                    const char *file, struct hp_error *error);

hp_block_consumer hp_take_header;
hp_block_consumer hp_take_processes;
hp_block_consumer hp_take_modules;
hp_block_consumer hp_take_points;
hp_block_consumer hp_take_end;        /* sets dump->complete */
hp_block_consumer hp_take_checkpoint; /* sets dump->has_checkpoint */

typedef hp_status hp_record_consumer(struct hp_dump *dump,
                                     const struct hp_block *block,
                                     const char *file, struct hp_cursor *record,
                                     struct hp_error *error);

/* Gives each record of BLOCK to RECORD_FIELDS. */
hp_status hp_each_record(struct hp_dump *dump, const struct hp_block *block,
                         const char *file, hp_record_consumer *record_fields,
                         struct hp_error *error);

/* The number of a process, from 0.  A dump of one process has no such field. */
bool hp_field_process(const struct hp_dump *dump, const struct hp_field *field,
                      uint64_t *index);

#endif
