/* block_writer.c - headers, checksums and zlib streams of blocks.
   One write for each; a block of which a part fits is cut off again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "block_writer.h"

#include <errno.h>

#include "dump_failure.h"
#include "sanitizer_binding.h"

/* deflate asks for some 268 KB in five parts, at its init and never again. */
#define COPY_SIZE ((size_t)1 << 20)
#define ARENA_SIZE ((size_t)512 << 10)

static voidpf arena_take(voidpf opaque, uInt items, uInt size) {
  struct hp_block_writer *writer = opaque;
  size_t bytes = ((size_t)items * size + 15) & ~(size_t)15;
  if (bytes > ARENA_SIZE - writer->arena_used)
    return Z_NULL;
  void *p = writer->arena + writer->arena_used;
  writer->arena_used += bytes;
  return p;
}

static void arena_give(voidpf opaque, voidpf p) {
  (void)opaque;
  (void)p;
}

bool hp_block_writer_fail(struct hp_block_writer *writer, int error) {
  if (!writer->said)
    hp_dump_say_failure(writer->target[0] ? writer->target : writer->path,
                        error);
  writer->failed = writer->said = true;
  writer->error = error;
  return false;
}

/* PATH becomes that of NAME in the dump's directory. */
static void make_path(const struct hp_block_writer *writer, char *path,
                      const char *name) {
  size_t size = writer->directory_size;
  hp_real_memmove(path, writer->path, size);
  if (*name)
    path[size++] = '/';
  hp_real_memcpy(path + size, name, hp_text_size(name) + 1);
}

static void set_name(struct hp_block_writer *writer, const char *name) {
  make_path(writer, writer->path, name);
}

bool hp_block_writer_start(struct hp_block_writer *writer,
                           const char *directory, int level) {
  writer->fd = -1;
  writer->directory_size = hp_text_size(directory);
  hp_real_memcpy(writer->path, directory, writer->directory_size + 1);
  writer->level = level < 0 ? 0 : level > 9 ? 9 : level;
  if (writer->level == 0)
    return true;
  writer->arena = hp_sys_map(ARENA_SIZE);
  if (!writer->arena)
    return hp_block_writer_fail(writer, -ENOMEM);
  writer->deflater.zalloc = arena_take;
  writer->deflater.zfree = arena_give;
  writer->deflater.opaque = writer;
  if (deflateInit(&writer->deflater, writer->level) != Z_OK)
    return hp_block_writer_fail(writer, -ENOMEM);
  return true;
}

bool hp_block_directory(struct hp_block_writer *writer, const char *name) {
  if (writer->failed)
    return false;
  set_name(writer, name);
  int error = hp_sys_mkdir(writer->path, 0700);
  return error < 0 ? hp_block_writer_fail(writer, error) : true;
}

bool hp_block_file_open(struct hp_block_writer *writer, const char *name) {
  if (writer->failed)
    return false;
  set_name(writer, name);
  writer->file_size = 0;
  int fd = hp_sys_create(writer->path);
  if (fd < 0)
    return hp_block_writer_fail(writer, fd);
  writer->fd = fd;
  return true;
}

bool hp_block_file_append(struct hp_block_writer *writer, const char *name,
                          uint64_t size) {
  if (writer->failed)
    return false;
  set_name(writer, name);
  int fd = hp_sys_append(writer->path);
  if (fd < 0)
    return hp_block_writer_fail(writer, fd);
  writer->fd = fd;
  writer->file_size = size;
  return true;
}

/* What is copied stands in the room of the block. */
static int copy(struct hp_block_writer *writer, int from, uint64_t size) {
  if (!hp_bytes_reserve(&writer->block, COPY_SIZE))
    return -ENOMEM;
  while (writer->file_size < size) {
    uint64_t left = size - writer->file_size;
    long n = hp_sys_read(from, writer->block.data,
                         left < COPY_SIZE ? (size_t)left : COPY_SIZE);
    if (n <= 0)
      return n < 0 ? (int)n : -EIO;
    int error = hp_sys_write_all(writer->fd, writer->block.data, (size_t)n);
    if (error < 0)
      return error;
    writer->file_size += (uint64_t)n;
  }
  return 0;
}

bool hp_block_file_copy(struct hp_block_writer *writer, const char *from,
                        const char *name, uint64_t size) {
  if (!hp_block_file_open(writer, name))
    return false;
  size_t length = hp_text_size(from);
  hp_real_memcpy(writer->target, from, length);
  writer->target[length] = '/';
  hp_real_memcpy(writer->target + length + 1, name, hp_text_size(name) + 1);
  int fd = hp_sys_open(writer->target);
  writer->target[0] = '\0';
  writer->block.size = 0;
  int error = fd < 0 ? fd : copy(writer, fd, size);
  if (fd >= 0)
    hp_sys_close(fd);
  if (error < 0)
    hp_block_writer_fail(writer, error);
  return hp_block_file_close(writer);
}

void hp_block_unlink(struct hp_block_writer *writer, const char *name,
                     bool directory) {
  set_name(writer, name);
  if (directory)
    hp_sys_rmdir(writer->path);
  else
    hp_sys_unlink(writer->path);
}

bool hp_block_file_replace(struct hp_block_writer *writer, const char *name) {
  char fresh[HP_FILE_NAME_SIZE];
  if (writer->failed)
    return false;
  hp_sys_format(fresh, sizeof fresh, "%s.new", name);
  set_name(writer, fresh);
  hp_sys_unlink(writer->path); /* what an attempt that failed left */
  make_path(writer, writer->target, name);
  bool opened = hp_block_file_open(writer, fresh);
  if (!opened)
    writer->target[0] = '\0';
  return opened;
}

/* Compresses RAW to P, where as much is free; the bytes stored, or 0 if it did
   not get smaller. */
static size_t compress_to(struct hp_block_writer *writer, uint8_t *p,
                          const struct hp_bytes *raw) {
  z_stream *z = &writer->deflater;
  z->next_in = raw->data;
  z->avail_in = (uInt)raw->size;
  z->next_out = p;
  z->avail_out = (uInt)raw->size;
  int status = deflate(z, Z_FINISH);
  size_t stored = raw->size - z->avail_out;
  deflateReset(z);
  return status == Z_STREAM_END ? stored : 0;
}

int hp_block_make(struct hp_block_writer *writer, enum hp_block_kind kind,
                  size_t items, const struct hp_bytes *payload,
                  struct hp_bytes *to) {
  struct hp_block_header header = {
      .magic = HP_BLOCK_MAGIC,
      .version = HP_FORMAT_VERSION,
      .kind = (uint16_t)kind,
      .items = (uint32_t)items,
      .raw_size = (uint32_t)payload->size,
  };
  if (payload->failed)
    return -ENOMEM;
  if (payload->size > HP_BLOCK_RAW_MAX)
    return -EFBIG;
  if (!hp_bytes_reserve(to, sizeof header + payload->size))
    return -ENOMEM;
  uint8_t *block = to->data + to->size, *contents = block + sizeof header;
  size_t stored = writer->level ? compress_to(writer, contents, payload) : 0;
  if (stored) {
    header.flags = HP_BLOCK_ZLIB;
  } else {
    stored = payload->size;
    hp_real_memcpy(contents, payload->data, stored);
  }
  header.stored_size = (uint32_t)stored;
  header.stored_crc =
      (uint32_t)crc32(crc32(0, Z_NULL, 0), contents, (uInt)stored);
  header.header_crc =
      (uint32_t)crc32(crc32(0, Z_NULL, 0), (const Bytef *)&header,
                      (uInt)offsetof(struct hp_block_header, header_crc));
  hp_real_memcpy(block, &header, sizeof header);
  to->size += sizeof header + stored;
  return 0;
}

bool hp_block_write(struct hp_block_writer *writer,
                    const struct hp_bytes *blocks) {
  if (writer->failed)
    return false;
  int error = hp_sys_write_all(writer->fd, blocks->data, blocks->size);
  if (error < 0) {
    /* Rather no file than a half block: one of size 0 is unlinked at close. */
    if (hp_sys_truncate(writer->fd, writer->file_size) < 0)
      writer->file_size = 0;
    return hp_block_writer_fail(writer, error);
  }
  writer->file_size += blocks->size;
  writer->written += blocks->size;
  return true;
}

bool hp_block_put(struct hp_block_writer *writer, enum hp_block_kind kind,
                  size_t items, const struct hp_bytes *payload) {
  if (writer->failed)
    return false;
  writer->block.size = 0;
  int error = hp_block_make(writer, kind, items, payload, &writer->block);
  return error < 0 ? hp_block_writer_fail(writer, error)
                   : hp_block_write(writer, &writer->block);
}

bool hp_block_file_close(struct hp_block_writer *writer) {
  if (writer->fd < 0)
    return false;
  int error = hp_sys_close(writer->fd);
  writer->fd = -1;
  if (error < 0)
    hp_block_writer_fail(writer, error);
  if (writer->failed && (writer->file_size == 0 || writer->target[0]))
    hp_sys_unlink(writer->path);
  if (!writer->failed && writer->target[0]) {
    error = hp_sys_rename(writer->path, writer->target);
    if (error < 0)
      hp_block_writer_fail(writer, error);
  }
  writer->target[0] = '\0';
  return !writer->failed;
}

void hp_block_writer_end(struct hp_block_writer *writer) {
  hp_block_file_close(writer);
  if (writer->arena) {
    deflateEnd(&writer->deflater);
    hp_sys_unmap(writer->arena, ARENA_SIZE);
  }
  hp_bytes_free(&writer->block);
}
