/* block_writer.c - files of blocks, opened, written and put in place.
   One write for each; a block of which a part fits is cut off again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/block_writer.h"

#include <errno.h>

#include "encode/dump_failure.h"
#include "system/files.h"
#include "system/message.h"
#include "system/real_libc.h"

#define COPY_SIZE ((size_t)1 << 20)

bool hp_block_writer_fail(struct hp_block_writer *writer, int error) {
  const bool is_told = !writer->is_patient || error != -ENOMEM;
  if (is_told && !writer->said)
    hp_dump_say_failure(writer->target[0] ? writer->target : writer->path,
                        error);
  writer->said |= is_told;
  writer->failed = true;
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

/* What a system call gets beside writer->at for PATH, one of WRITER's: all of it, or
   what lies below the dump's directory. */
static const char *at(const struct hp_block_writer *writer, const char *path) {
  return writer->at == HP_SYS_PATHS ? path : path + writer->directory_size + 1;
}

static void set_name(struct hp_block_writer *writer, const char *name) {
  make_path(writer, writer->path, name);
}

void hp_block_writer_start(struct hp_block_writer *writer,
                           const char *directory, int level) {
  writer->fd = -1;
  writer->at = HP_SYS_PATHS;
  writer->directory_size = hp_text_size(directory);
  hp_real_memcpy(writer->path, directory, writer->directory_size + 1);
  hp_block_maker_start(&writer->maker, level);
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
  int fd = hp_sys_create(writer->at, at(writer, writer->path));
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
  int fd = hp_sys_append(writer->at, at(writer, writer->path));
  if (fd < 0)
    return hp_block_writer_fail(writer, fd);
  writer->fd = fd;
  writer->file_size = size;
  return true;
}

/* Copies the first SIZE bytes of FROM, by way of the room for a block. */
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

bool hp_block_file_copy(struct hp_block_writer *writer,
                        const struct hp_block_writer *from, const char *name,
                        uint64_t size) {
  if (!hp_block_file_open(writer, name))
    return false;
  make_path(from, writer->target, name);
  int fd = hp_sys_open_at(from->at, at(from, writer->target));
  writer->target[0] = '\0';
  writer->block.size = 0;
  int error = fd < 0 ? fd : copy(writer, fd, size);
  if (fd >= 0)
    hp_sys_close(fd);
  if (error < 0)
    hp_block_writer_fail(writer, error);
  return hp_block_file_close(writer);
}

void hp_block_unlink(struct hp_block_writer *writer, const char *name) {
  set_name(writer, name);
  hp_sys_unlink(writer->at, at(writer, writer->path));
}

void hp_block_rmdir(struct hp_block_writer *writer, const char *name) {
  set_name(writer, name);
  hp_sys_rmdir(writer->path);
}

bool hp_block_give(struct hp_block_writer *writer, const char *name,
                   uint32_t user, uint32_t group) {
  set_name(writer, name);
  const bool is_held = writer->at != HP_SYS_PATHS;
  return hp_sys_give(writer->at,
                     is_held && !*name ? "" : at(writer, writer->path), user,
                     group) == 0;
}

/* The path becomes that of what is to replace NAME. */
static void set_fresh_name(struct hp_block_writer *writer, char *fresh,
                           const char *name) {
  hp_sys_format(fresh, HP_FILE_NAME_SIZE, "%s.new", name);
  set_name(writer, fresh);
}

int hp_block_file_leave(struct hp_block_writer *writer) {
  const int fd = writer->fd;
  writer->fd = -1;
  writer->target[0] = '\0';
  return fd;
}

void hp_block_file_resume(struct hp_block_writer *writer, const char *name,
                          int fd, uint64_t size) {
  char fresh[HP_FILE_NAME_SIZE];
  set_fresh_name(writer, fresh, name);
  make_path(writer, writer->target, name);
  writer->fd = fd;
  writer->file_size = size;
}

void hp_block_file_drop(struct hp_block_writer *writer, const char *name,
                        int fd) {
  char fresh[HP_FILE_NAME_SIZE];
  hp_sys_close(fd);
  set_fresh_name(writer, fresh, name);
  hp_sys_unlink(writer->at, at(writer, writer->path));
}

bool hp_block_file_replace(struct hp_block_writer *writer, const char *name) {
  char fresh[HP_FILE_NAME_SIZE];
  if (writer->failed)
    return false;
  set_fresh_name(writer, fresh, name);
  hp_sys_unlink(
      writer->at,
      at(writer, writer->path)); /* what an attempt that failed left */
  make_path(writer, writer->target, name);
  bool opened = hp_block_file_open(writer, fresh);
  if (!opened)
    writer->target[0] = '\0';
  return opened;
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
  int error =
      hp_block_make(&writer->maker, kind, items, payload, &writer->block);
  return error < 0 ? hp_block_writer_fail(writer, error)
                   : hp_block_write(writer, &writer->block);
}

bool hp_block_file_close(struct hp_block_writer *writer) {
  hp_block_maker_rest(&writer->maker);
  if (writer->fd < 0)
    return false;
  int error = hp_sys_close(writer->fd);
  writer->fd = -1;
  if (error < 0)
    hp_block_writer_fail(writer, error);
  if (writer->failed && (writer->file_size == 0 || writer->target[0]))
    hp_sys_unlink(writer->at, at(writer, writer->path));
  if (!writer->failed && writer->target[0]) {
    error = hp_sys_rename(writer->at, at(writer, writer->path),
                          at(writer, writer->target));
    if (error < 0)
      hp_block_writer_fail(writer, error);
  }
  writer->target[0] = '\0';
  return !writer->failed;
}

void hp_block_writer_hold(struct hp_block_writer *writer) {
  set_name(writer, "");
  int fd = hp_sys_hold_directory(writer->path);
  if (fd >= 0)
    writer->at = fd;
}

void hp_block_writer_let_go(struct hp_block_writer *writer) {
  if (writer->at != HP_SYS_PATHS)
    hp_sys_close(writer->at);
  writer->at = HP_SYS_PATHS;
}

void hp_block_writer_end(struct hp_block_writer *writer) {
  hp_block_file_close(writer);
  hp_block_writer_let_go(writer);
  hp_bytes_free(&writer->block);
}
