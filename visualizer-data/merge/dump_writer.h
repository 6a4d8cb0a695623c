/* dump_writer.h - writes the files of a dump: varints, fields, records, blocks.
   The other side of record.h and block.h; a failure stays until it is asked
   for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_WRITER_H
#define HP_DUMP_WRITER_H

#include <stdio.h>

#include "heapprof.h"
#include "heapprof_format.h"
#include "read/record.h"

/* Bytes that grow; {0} is empty.  Without memory `failed` is set. */
struct hp_buffer {
  uint8_t *data;
  size_t size, capacity;
  bool failed;
};
void hp_buffer_free(struct hp_buffer *buffer);

void hp_buffer_bytes(struct hp_buffer *to, const void *bytes, size_t size);
void hp_buffer_varint(struct hp_buffer *to, uint64_t value);
void hp_buffer_field(struct hp_buffer *to, uint64_t tag, const void *contents,
                     size_t size);
void hp_buffer_number(struct hp_buffer *to, uint64_t tag, uint64_t value);
void hp_buffer_stack(struct hp_buffer *to, uint64_t tag,
                     const uint64_t *addresses, size_t count);

/* One file; blocks are filled one after the other. */
struct hp_dump_writer {
  FILE *file;
  const char *name; /* for messages; not owned */
  struct hp_buffer payload;
  enum hp_block_kind kind; /* of the block being filled */
  uint32_t items;
  int failure; /* errno; 0: none */
};

/* Makes the file NAME, which must not exist. */
hp_status hp_dump_writer_open(struct hp_dump_writer *writer, const char *name,
                              struct hp_error *error);

/* RECORD with its length in front; of HEADER and END, one that is all fields of
   the block, ITEMS of them. */
void hp_dump_writer_record(struct hp_dump_writer *writer,
                           enum hp_block_kind kind,
                           const struct hp_buffer *record);
void hp_dump_writer_fields(struct hp_dump_writer *writer,
                           enum hp_block_kind kind,
                           const struct hp_buffer *fields, uint32_t items);

/* Closes the file, whatever has happened to it. */
hp_status hp_dump_writer_close(struct hp_dump_writer *writer,
                               struct hp_error *error);

#endif
