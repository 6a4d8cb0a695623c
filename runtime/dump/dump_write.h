/* dump_write.h - writes down the moment that was taken: a checkpoint, a copy,
   or the whole dump of the window.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_WRITE_H
#define HP_DUMP_WRITE_H

#include "system/platform.h"

/* What became of a dump. */
struct hp_dump_written {
  uint64_t bytes;
  uint64_t chunks, thinned, dropped; /* of the log */
};

/* After the log of before, by the thread that writes.  The collector's lock is
   not needed, so that threads go on allocating. */
void hp_dump_write_checkpoint(void);
bool hp_dump_write_copy(void);
void hp_dump_write_last(struct hp_dump_written *written);

#endif
