/* log_parts.h - which file of the log a chunk lies in: chunks of one point together,
   those of points with few of them in a file with others.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_PARTS_H
#define HP_LOG_PARTS_H

#include "encode/chunk_columns.h"
#include "encode/encode.h"

/* The files of a log by number:
     0                     chunks/log        batches of few chunks, whatever their points
     1 + point % 16        chunks/shared-0   to -15: few chunks of a batch
     17, 18, ...           chunks/<point>    many, of that point alone
   A reader who asks about one point reads three of them. */
#define HP_LOG_FILES 256u

/* A batch with fewer chunks is not parted; a point with as many in it gets a file of
   its own, if there is one left.  A block's header and codes are 100 bytes or so. */
#define HP_LOG_PARTED 1024u
#define HP_LOG_OWN 256u

/* Whose chunks in a batch of BATCH_COUNT are COUNT of POINT: a number below
   HP_LOG_FILES.  By who has the encoder's lock. */
uint32_t hp_log_file_of(uint32_t point, size_t count, size_t batch_count);
void hp_log_forget_files(void);

/* Bytes of the longest name, with its NUL. */
#define HP_LOG_NAME_SIZE 24
void hp_log_file_name(char name[HP_LOG_NAME_SIZE], uint32_t file);

/* Blocks that wait for the disk in one piece, each behind the number of its file:

     +0   u32 size    bytes of all of it
     +4   u32 file    \  for each block
     +8   block       /

   An entry is begun, gets its blocks, and is ended. */
void hp_log_entry_begin(struct hp_bytes *entry);
void hp_log_entry_add(struct hp_bytes *entry, uint32_t file);
void hp_log_entry_end(struct hp_bytes *entry);
size_t hp_log_entry_size(const uint8_t *entry);

struct hp_log_part {
  uint32_t file;
  struct hp_bytes block;
};
/* The part of ENTRY at *AT, 0 at first; false: there is none. */
bool hp_log_next_part(const struct hp_bytes *entry, size_t *at,
                      struct hp_log_part *part);

#endif
