/* dump_writer.c - fills blocks, compresses them, writes them with checksums.
   A block is ended once it has a mebibyte, or another kind begins.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/dump_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/failure.h"
#include "base/growing_array.h"

#define BLOCK_SIZE ((size_t)1 << 20) /* bytes of payload that end a block */

/* ---- bytes --------------------------------------------------------------- */

void hp_buffer_free(struct hp_buffer *buffer) {
  free(buffer->data);
  *buffer = (struct hp_buffer){0};
}

void hp_buffer_bytes(struct hp_buffer *to, const void *bytes, size_t size) {
  if (to->failed || size == 0)
    return;
  if (!hp_room_for((void **)&to->data, to->size, size, &to->capacity, 1)) {
    to->failed = true;
    return;
  }
  memcpy(to->data + to->size, bytes, size);
  to->size += size;
}

static size_t encode(uint8_t *bytes, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7)
    bytes[size++] = (uint8_t)(value | 0x80);
  bytes[size++] = (uint8_t)value;
  return size;
}

void hp_buffer_varint(struct hp_buffer *to, uint64_t value) {
  uint8_t bytes[10];
  hp_buffer_bytes(to, bytes, encode(bytes, value));
}

void hp_buffer_field(struct hp_buffer *to, uint64_t tag, const void *contents,
                     size_t size) {
  hp_buffer_varint(to, tag);
  hp_buffer_varint(to, size);
  hp_buffer_bytes(to, contents, size);
}

void hp_buffer_number(struct hp_buffer *to, uint64_t tag, uint64_t value) {
  uint8_t bytes[10];
  hp_buffer_field(to, tag, bytes, encode(bytes, value));
}

void hp_buffer_stack(struct hp_buffer *to, uint64_t tag,
                     const uint64_t *addresses, size_t count) {
  struct hp_buffer contents = {0};
  uint64_t before = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t delta = addresses[i] - before;
    hp_buffer_varint(&contents, delta << 1 ^ (0 - (delta >> 63)));
    before = addresses[i];
  }
  hp_buffer_field(to, tag, contents.data, contents.size);
  to->failed = to->failed || contents.failed;
  hp_buffer_free(&contents);
}

/* ---- blocks -------------------------------------------------------------- */

static void put_u16(uint8_t *at, uint32_t value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static void put_u32(uint8_t *at, uint32_t value) {
  put_u16(at, value);
  put_u16(at + 2, value >> 16);
}

static void put(struct hp_dump_writer *writer, const void *bytes, size_t size) {
  if (!writer->failure && fwrite(bytes, 1, size, writer->file) != size)
    writer->failure = errno;
}

static void flush(struct hp_dump_writer *writer) {
  struct hp_buffer *payload = &writer->payload;
  uint8_t header[sizeof(struct hp_block_header)];
  uLongf size = compressBound(payload->size);
  uint8_t *stored = malloc(size);
  if (payload->failed || payload->size > HP_BLOCK_RAW_MAX || !stored ||
      compress2(stored, &size, payload->data ? payload->data : header,
                payload->size, Z_DEFAULT_COMPRESSION) != Z_OK) {
    writer->failure = payload->size > HP_BLOCK_RAW_MAX ? EFBIG : ENOMEM;
    free(stored);
    return;
  }
  put_u32(header, HP_BLOCK_MAGIC);
  put_u16(header + 4, HP_FORMAT_VERSION);
  put_u16(header + 6, writer->kind);
  put_u32(header + 8, writer->items);
  put_u32(header + 12, HP_BLOCK_ZLIB);
  put_u32(header + 16, (uint32_t)size);
  put_u32(header + 20, (uint32_t)payload->size);
  put_u32(header + 24, (uint32_t)crc32(0, stored, (uInt)size));
  put_u32(header + 28, (uint32_t)crc32(0, header, 28));
  put(writer, header, sizeof header);
  put(writer, stored, size);
  free(stored);
  payload->size = 0;
  writer->items = 0;
}

hp_status hp_dump_writer_open(struct hp_dump_writer *writer, const char *name,
                              struct hp_error *error) {
  *writer = (struct hp_dump_writer){.file = fopen(name, "wbx"), .name = name};
  return writer->file ? HP_OK
                      : hp_fail(error, HP_E_OPEN, "%s: cannot be written: %s",
                                name, strerror(errno));
}

static void begin_item(struct hp_dump_writer *writer, enum hp_block_kind kind,
                       size_t size) {
  if (writer->items &&
      (writer->kind != kind || writer->payload.size + size > BLOCK_SIZE))
    flush(writer);
  writer->kind = kind;
}

void hp_dump_writer_record(struct hp_dump_writer *writer,
                           enum hp_block_kind kind,
                           const struct hp_buffer *record) {
  begin_item(writer, kind, record->size);
  hp_buffer_varint(&writer->payload, record->size);
  hp_buffer_bytes(&writer->payload, record->data, record->size);
  writer->payload.failed = writer->payload.failed || record->failed;
  writer->items++;
}

void hp_dump_writer_fields(struct hp_dump_writer *writer,
                           enum hp_block_kind kind,
                           const struct hp_buffer *fields, uint32_t items) {
  begin_item(writer, kind, BLOCK_SIZE);
  hp_buffer_bytes(&writer->payload, fields->data, fields->size);
  writer->payload.failed = writer->payload.failed || fields->failed;
  writer->items = items;
}

hp_status hp_dump_writer_close(struct hp_dump_writer *writer,
                               struct hp_error *error) {
  if (writer->items)
    flush(writer);
  if (fclose(writer->file) != 0 && !writer->failure)
    writer->failure = errno;
  hp_buffer_free(&writer->payload);
  if (!writer->failure)
    return HP_OK;
  return hp_fail(error, HP_E_OPEN, "%s: cannot be written: %s", writer->name,
                 strerror(writer->failure));
}
