/* dump_records.h - from a block's payload to the parts of struct hp_dump.
   Called by dump_reader.c, once per block.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_RECORDS_H
#define HP_DUMP_RECORDS_H

#include <inttypes.h>

#include "base/failure.h"
#include "read/block.h"
#include "read/raw_dump.h"

/* In a consumer: fails, and says where in FILE the block begins. */
#define HP_FAIL_BLOCK(text, ...)                                               \
  hp_fail(error, HP_E_CORRUPT, "%s: offset %" PRIu64 ": " text, file,          \
          block->offset, __VA_ARGS__)

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

/* Puts FIELD of a record into *SUM.  False: it is malformed, or there is no
   memory for it, which sets *MEMORY to false. */
typedef bool hp_field_taker(struct hp_dump *dump, const struct hp_field *field,
                            void *sum, bool *memory);

/* Gives each field of RECORD, the one of this NUMBER among those of KIND, to
   TAKE, with SUM. */
hp_status hp_each_field(struct hp_dump *dump, const struct hp_block *block,
                        const char *file, struct hp_cursor *record,
                        const char *kind, uint64_t number, hp_field_taker *take,
                        void *sum, struct hp_error *error);

/* Of the records of KIND in the file aggregates as many are there as its end
   says were WRITTEN. */
hp_status hp_check_records(const struct hp_dump *dump, const char *kind,
                           uint64_t written, uint64_t found,
                           struct hp_error *error);

/* The frames of a STACK field, kept in STORE; false as from a hp_field_taker. */
bool hp_field_frames(struct hp_store *store, const struct hp_field *field,
                     const uint64_t **stack, size_t *count, bool *memory);

/* The number of a process, from 0.  A dump of one process has no such field. */
bool hp_field_process(const struct hp_dump *dump, const struct hp_field *field,
                      uint64_t *index);

#endif
