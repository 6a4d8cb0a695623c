/* block.c - checks and inflates the blocks of one file.
   No size is believed before it is compared with HP_BLOCK_RAW_MAX.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/failure.h"
#include "heapprof_format.h"

static uint32_t u32_at(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
         (uint32_t)at[3] << 24;
}

static uint16_t u16_at(const uint8_t *at) {
  return (uint16_t)(at[0] | at[1] << 8);
}

static const char *kind_name(uint16_t kind) {
  switch (kind) {
#define HP_BLOCK(number, name, file, text)                                     \
  case number:                                                                 \
    return #name;
#include "heapprof_format.def"
  default:
    return NULL;
  }
}

/* Every message about a block's contents starts with file and offset. */
#define FAIL(status, text, ...)                                                \
  hp_fail(error, status, "%s: offset %" PRIu64 ": " text, reader->name,        \
          reader->offset, __VA_ARGS__)

static hp_status read_fully(struct hp_block_reader *reader, uint8_t *to,
                            size_t size, size_t *got, struct hp_error *error) {
  *got = fread(to, 1, size, reader->file);
  if (*got < size && ferror(reader->file))
    return FAIL(HP_E_OPEN, "cannot read: %s", strerror(errno));
  return HP_OK;
}

static bool grow(uint8_t **buffer, size_t *capacity, size_t size) {
  if (size <= *capacity)
    return true;
  uint8_t *bigger = realloc(*buffer, size);
  if (!bigger)
    return false;
  *buffer = bigger;
  *capacity = size;
  return true;
}

static bool is_wanted(const struct hp_block_reader *reader, uint16_t kind) {
  return kind == reader->kind || (kind < 32 && reader->also >> kind & 1);
}

static hp_status check_header(const struct hp_block_reader *reader,
                              const struct hp_block_header *h,
                              const uint8_t *bytes, struct hp_error *error) {
  if (h->magic != HP_BLOCK_MAGIC && reader->kind == HP_BLOCK_HEADER &&
      reader->offset == 0)
    return hp_fail(error, HP_E_NOT_DUMP,
                   "%s: not a heapprof dump (the file does not begin with "
                   "\"HPB1\")",
                   reader->name);
  if (h->magic != HP_BLOCK_MAGIC)
    return FAIL(HP_E_CORRUPT, "no block begins here (0x%08" PRIx32 ")",
                h->magic);
  if (h->version > HP_FORMAT_VERSION)
    return FAIL(HP_E_VERSION,
                "written in format version %u, this program reads %u; "
                "use a newer heapprof",
                h->version, HP_FORMAT_VERSION);
  if (h->header_crc != crc32(0, bytes, 28))
    return FAIL(HP_E_CORRUPT, "checksum of the block header is wrong (%s)",
                "the file was changed or damaged");
  if (h->version < HP_FORMAT_VERSION)
    return FAIL(HP_E_VERSION,
                "written in format version %u, this program reads %u; profile "
                "the program again",
                h->version, HP_FORMAT_VERSION);
  if (h->flags & ~HP_BLOCK_ZLIB)
    return FAIL(HP_E_VERSION,
                "block flags 0x%" PRIx32 " are unknown; use a newer heapprof",
                h->flags);
  if (h->raw_size > HP_BLOCK_RAW_MAX ||
      h->stored_size > compressBound(HP_BLOCK_RAW_MAX))
    return FAIL(HP_E_CORRUPT,
                "block of %" PRIu32 " stored and %" PRIu32
                " raw bytes is greater than any writer makes",
                h->stored_size, h->raw_size);
  if (!(h->flags & HP_BLOCK_ZLIB) && h->stored_size != h->raw_size)
    return FAIL(HP_E_CORRUPT,
                "uncompressed block stores %" PRIu32 " of %" PRIu32 " bytes",
                h->stored_size, h->raw_size);
  if (!is_wanted(reader, h->kind) && kind_name(h->kind))
    return FAIL(HP_E_CORRUPT, "a %s block in a file of %s blocks",
                kind_name(h->kind), kind_name(reader->kind));
  return HP_OK;
}

static hp_status inflate_payload(struct hp_block_reader *reader,
                                 const struct hp_block_header *h,
                                 struct hp_cursor *payload,
                                 struct hp_error *error) {
  if (!(h->flags & HP_BLOCK_ZLIB)) {
    payload->at = reader->stored;
    payload->end = reader->stored + h->stored_size;
    return HP_OK;
  }
  /* One byte more than promised, so that a longer stream is noticed and a
     raw size of 0 still has a buffer. */
  if (!grow(&reader->raw, &reader->raw_capacity, h->raw_size + (size_t)1))
    return hp_fail_memory(error);
  uLongf raw = h->raw_size + 1ul;
  uLong stored = h->stored_size;
  int result = uncompress2(reader->raw, &raw, reader->stored, &stored);
  if (result == Z_MEM_ERROR)
    return hp_fail_memory(error);
  if (result != Z_OK || raw != h->raw_size || stored != h->stored_size)
    return FAIL(HP_E_CORRUPT, "block does not inflate to its %" PRIu32 " bytes",
                h->raw_size);
  payload->at = reader->raw;
  payload->end = reader->raw + raw;
  return HP_OK;
}

hp_status hp_block_next(struct hp_block_reader *reader, struct hp_block *block,
                        bool *found, struct hp_error *error) {
  for (;;) {
    uint8_t bytes[sizeof(struct hp_block_header)];
    size_t got;
    HP_TRY(read_fully(reader, bytes, sizeof bytes, &got, error));
    *found = got > 0;
    if (got == 0)
      return HP_OK;
    /* A short file that is no dump at all should not be called a cut one. */
    if (got < sizeof bytes && reader->kind == HP_BLOCK_HEADER &&
        reader->offset == 0 && memcmp(bytes, "HPB1", got < 4 ? got : 4) != 0)
      return hp_fail(error, HP_E_NOT_DUMP, "%s: not a heapprof dump",
                     reader->name);
    if (got < sizeof bytes)
      return FAIL(HP_E_TRUNCATED,
                  "file ends inside a block header (%zu bytes); copy the whole "
                  "directory again",
                  got);
    const struct hp_block_header h = {
        .magic = u32_at(bytes),
        .version = u16_at(bytes + 4),
        .kind = u16_at(bytes + 6),
        .items = u32_at(bytes + 8),
        .flags = u32_at(bytes + 12),
        .stored_size = u32_at(bytes + 16),
        .raw_size = u32_at(bytes + 20),
        .stored_crc = u32_at(bytes + 24),
        .header_crc = u32_at(bytes + 28),
    };
    HP_TRY(check_header(reader, &h, bytes, error));
    if (!grow(&reader->stored, &reader->stored_capacity,
              h.stored_size + (size_t)1))
      return hp_fail_memory(error);
    HP_TRY(read_fully(reader, reader->stored, h.stored_size, &got, error));
    if (got < h.stored_size)
      return FAIL(HP_E_TRUNCATED,
                  "file ends inside a block (%zu of %" PRIu32
                  " bytes); copy the whole directory again",
                  got, h.stored_size);
    if (h.stored_crc != crc32(0, reader->stored, h.stored_size))
      return FAIL(HP_E_CORRUPT, "checksum of the block is wrong (%s)",
                  "the file was changed or damaged");
    bool wanted = is_wanted(reader, h.kind);
    if (wanted)
      HP_TRY(inflate_payload(reader, &h, &block->payload, error));
    block->offset = reader->offset;
    block->items = h.items;
    block->kind = h.kind;
    reader->offset += sizeof bytes + h.stored_size;
    if (wanted)
      return HP_OK;
  }
}

void hp_block_reader_free(struct hp_block_reader *reader) {
  free(reader->stored);
  free(reader->raw);
  reader->stored = reader->raw = NULL;
  reader->stored_capacity = reader->raw_capacity = 0;
}
