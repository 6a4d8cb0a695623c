/* dump_files.h - the files of one dump, but for the log: each is appended to
   or replaced as a whole, from what was taken down.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_FILES_H
#define HP_DUMP_FILES_H

#include "dump/block_writer.h"
#include "dump/snapshot.h"
#include "encode/encode.h"

/* Everything a dump needs until it ends; mapped, since it is large. */
struct hp_dump_files {
  struct hp_block_writer writer;
  struct hp_bytes payload; /* of the block being filled */
  struct hp_bytes part;    /* record being encoded */
  size_t items;            /* in `payload` */
  uint64_t modules;        /* items in the file */
  uint32_t points;         /* items in the file: ids 1 .. points */
  bool points_begun;       /* their file is there */
  uint64_t points_size;    /* its bytes */
  uint64_t chunk_files;    /* files of the log, live chunks included */
  int ahead; /* descriptor, and 1, of aggregates written ahead; 0: there are none */
  uint64_t ahead_size; /* bytes of them */
  bool ahead_ended;    /* no more of them are, as that failed */
  bool ahead_lost;     /* the file could not be cut back to them */
  uint32_t owner;      /* user whose files they are */
  char directory[HP_PATH_SIZE - HP_FILE_NAME_SIZE];
  char program[HP_PATH_SIZE];
};

/* NUMBER as in struct hp_dump_totals.  Each says false if it could not write,
   which was said. */
bool hp_files_write_header(struct hp_dump_files *dump, uint32_t number);
bool hp_files_write_modules(struct hp_dump_files *dump);
bool hp_files_write_points(struct hp_dump_files *dump);
bool hp_files_write_end(struct hp_dump_files *dump);
bool hp_files_write_aggregates(struct hp_dump_files *dump);

/* Blocks of aggregates to come, which hp_files_write_aggregates() goes on behind.
   False: they are not written. */
bool hp_files_write_ahead(struct hp_dump_files *dump,
                          const struct hp_bytes *blocks);
/* Those that were are nothing. */
void hp_files_drop_ahead(struct hp_dump_files *dump);

/* What could not be written may be another time, and something else now. */
void hp_files_retry(struct hp_dump_files *dump);

#endif
