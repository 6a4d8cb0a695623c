/* dump.h - the dump directory: made when there is something to write into it,
   given up when the window ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_H
#define HP_DUMP_H

#include "dump/dump_files.h"

/* What follows belongs to who has the writer's lock (writer.h): one thread at a
   time.  A failure is one line on stderr naming the path and the reason; the
   program goes on. */

/* The window's dump, begun if there is none yet; NULL if it cannot be had, which
   was said, or if there is no memory for it now. */
struct hp_dump_files *hp_dump_current(void);

/* What is written from now on is the last of this window: what fails for want of
   memory then is said. */
void hp_dump_set_last(void);
/* Its files are about to be written: they have what was kept for them. */
void hp_dump_give_room(void);
/* What failed just now did so for want of memory, and is tried again. */
bool hp_dump_is_tried_again(void);

/* Writes BLOCKS of aggregates of the window's dump while they are made, on the thread
   whose descriptors are its own: they are empty then.  NULL: as below. */
void hp_dump_write_ahead(struct hp_bytes *blocks);
/* What was written so is nothing. */
void hp_dump_drop_ahead(void);

/* A dump of its own, which is NUMBER, beside the window's; NULL if it cannot be
   had, which was said. */
struct hp_dump_files *hp_dump_begin_copy(uint32_t number);

/* They are written as far as they can be. */
void hp_dump_forget(void);
void hp_dump_forget_copy(void);

/* The writer of the window's dump, every allocation point there is being on
   disk; NULL if it cannot be had. */
struct hp_block_writer *hp_dump_ready(void);

/* Why the last thing could not be written. */
const char *hp_dump_failure(void);

/* Takes away what there is of the window's dump, by the same thread. */
void hp_dump_discard(void);

/* The thread that writes is about to end: it gives back what it has open. */
void hp_dump_let_go(void);
/* The thread that writes becomes the user that the process is, with what it may
   still write to.  IS_STARTED: it was started just now, by that user, as it mostly
   is for a process's end. */
void hp_dump_follow_user(bool is_started);
/* By any thread: there is something on disk. */
bool hp_dump_has_begun(void);
/* In a forked child: what its parent's thread has open is not its own. */
void hp_dump_after_fork(void);

/* A window of the calling process begins: there is no dump and no log.  With
   the collector's lock, too. */
void hp_dump_start(void);

#endif
