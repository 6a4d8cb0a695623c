/* block_writer.h - writes the files of a dump as checksummed blocks.
   A block is there whole or not at all; a failure is said once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BLOCK_WRITER_H
#define HP_BLOCK_WRITER_H

#include "encode/block_maker.h"
#include "system/platform.h"

#define HP_PATH_SIZE 4096    /* bytes of a path with its NUL, as the kernel's */
#define HP_FILE_NAME_SIZE 32 /* of the longest name in a dump */

struct hp_block_writer {
  char path[HP_PATH_SIZE]; /* of the file being written, or that failed */
  size_t directory_size;   /* bytes of `path` that are the dump's directory */
  int at; /* descriptor of that directory, of the runtime's thread; or
             HP_SYS_PATHS */
  int fd; /* -1: no file is open */
  uint64_t file_size;    /* bytes of the whole blocks in that file */
  struct hp_bytes block; /* header and stored payload, written by one call */
  struct hp_block_maker maker;
  int error;       /* the last failure, a negative errno */
  bool failed;     /* nothing more is written until that is cleared */
  bool said;       /* a failure was said; one line is enough */
  bool is_patient; /* want of memory is not said: it is tried again later */
  char target[HP_PATH_SIZE]; /* what the open file will replace; else empty */
  uint64_t written;          /* bytes of all blocks */
};

/* Begins a dump in DIRECTORY, which exists and whose name leaves room for
   HP_FILE_NAME_SIZE more.  WRITER is all zero. */
void hp_block_writer_start(struct hp_block_writer *writer,
                           const char *directory, int level);

/* Opens a new file; NAME is relative to the dump's directory. */
bool hp_block_file_open(struct hp_block_writer *writer, const char *name);
/* Opens one again, which has SIZE bytes, to write behind them. */
bool hp_block_file_append(struct hp_block_writer *writer, const char *name,
                          uint64_t size);
/* Opens a new file that takes the place of NAME when it is closed and whole. */
bool hp_block_file_replace(struct hp_block_writer *writer, const char *name);
/* Sets that aside while others are written: its descriptor; its size is
   `file_size`.  Then it is the open one again. */
int hp_block_file_leave(struct hp_block_writer *writer);
void hp_block_file_resume(struct hp_block_writer *writer, const char *name,
                          int fd, uint64_t size);
/* What was set aside is not to be. */
void hp_block_file_drop(struct hp_block_writer *writer, const char *name,
                        int fd);
bool hp_block_put(struct hp_block_writer *writer, enum hp_block_kind kind,
                  size_t items, const struct hp_bytes *payload);
/* Writes blocks that were made. */
bool hp_block_write(struct hp_block_writer *writer,
                    const struct hp_bytes *blocks);
bool hp_block_file_close(struct hp_block_writer *writer);

/* Writes a new file, with the first SIZE bytes of that of the same name in the
   dump of FROM. */
bool hp_block_file_copy(struct hp_block_writer *writer,
                        const struct hp_block_writer *from, const char *name,
                        uint64_t size);

void hp_block_unlink(struct hp_block_writer *writer, const char *name);
/* An empty directory; "" is the dump's own. */
void hp_block_rmdir(struct hp_block_writer *writer, const char *name);

/* Gives a file or directory of the dump to another user; "" is the dump's own. */
bool hp_block_give(struct hp_block_writer *writer, const char *name,
                   uint32_t user, uint32_t group);

/* Makes a directory in the dump's. */
bool hp_block_directory(struct hp_block_writer *writer, const char *name);

/* From here on files are those of the directory that is there now, wherever it
   goes; by a thread whose descriptors are its own.  Until it lets go. */
void hp_block_writer_hold(struct hp_block_writer *writer);
void hp_block_writer_let_go(struct hp_block_writer *writer);

/* Ends a dump; whatever was opened or mapped is given back. */
void hp_block_writer_end(struct hp_block_writer *writer);

/* Says once what went wrong (a negative errno), unless it is tried again, and
   returns false. */
bool hp_block_writer_fail(struct hp_block_writer *writer, int error);

#endif
