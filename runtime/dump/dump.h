/* dump.h - the dump directory: made when there is something to write into it,
   kept whole from then on, ended by the record that says how it ended.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_H
#define HP_DUMP_H

#include "encode/chunk_order.h"
#include "heapprof_format.h"
#include "system/platform.h"

/* What the end record says that only the rest of the runtime knows. */
struct hp_dump_totals {
  const char *reason;
  uint32_t number; /* of a dump on demand: 1, 2, ...; 0: the process's last */
  int exit_status; /* < 0: none */
  const char *leak_check; /* HP_REACH_DONE, or why not; NULL: not asked for */
  const char *(*check_leaks)(void); /* is asked at the end of the window for the
                                       above, if it is not NULL */
  uint64_t end;                     /* ticks, absolute: end of the window */
  /* Those of heapprof_format.def.  peak_time counts from the window's start;
     requests and heap_* are of all chunks, sampled or not (live_bytes.h). */
#define HP_END_FIELD(tag, name, type, text)
#define HP_END_COUNTED(tag, name, type, text) uint64_t name;
#define HP_END_SAMPLED(tag, name, type, text) uint64_t name;
#include "heapprof_format.def"
  uint64_t back_pressure;
  uint64_t drains; /* times that the events of all threads were merged */
};

/* The chunks that are live at a moment. */
struct hp_live_chunks {
  /* Calls EACH for every chunk live at END (absolute ticks). */
  void (*each)(uint64_t end,
               void (*each)(const struct hp_chunk_reference *live, void *arg),
               void *arg);
  /* Makes *CHUNK one of those, with LIVE set and t1 = END; its ticks count from
     the window's start. */
  void (*describe)(const struct hp_chunk_reference *live, uint64_t end,
                   struct hp_chunk_log *chunk);
};

/* What follows belongs to who has the writer's lock (writer.h): one thread at a
   time.  A failure is one line on stderr naming the path and the reason; the
   program goes on. */

/* The writer of the dump, every allocation point there is being on disk; NULL
   if it cannot be had. */
struct hp_block_writer;
struct hp_block_writer *hp_dump_ready(void);

/* Why the last thing could not be written. */
const char *hp_dump_failure(void);

enum hp_dump_kind {
  HP_DUMP_CHECKPOINT, /* what a kill leaves */
  HP_DUMP_COPY,       /* a dump of its own: that of the window goes on */
  HP_DUMP_LAST        /* the window's whole dump */
};

/* Takes down in memory all that a dump says of this moment: with the
   collector's lock too, and for whole dumps with the load map's. */
void hp_dump_take(enum hp_dump_kind kind, const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live);

/* What became of it. */
struct hp_dump_written {
  uint64_t bytes;
  uint64_t chunks, thinned, dropped; /* of the log */
};

/* Writes that down, after the log of before, by the thread that writes.  The
   collector's lock is not needed, so that threads go on allocating. */
void hp_dump_write_checkpoint(void);
bool hp_dump_write_copy(void);
void hp_dump_write_last(struct hp_dump_written *written);

/* Takes away what there is of the window's dump, by the same thread. */
void hp_dump_discard(void);

/* The thread that writes is about to end: it gives back what it has open. */
void hp_dump_let_go(void);
/* In a forked child: what its parent's thread has open is not its own. */
void hp_dump_after_fork(void);

/* A window of the calling process begins: there is no dump and no log.  With
   the collector's lock, too. */
void hp_dump_start(void);

/* False in a process that has a copy of another's memory, made without fork's
   handlers: the dump is that one's. */
bool hp_dump_is_ours(void);

/* Notes the modules loaded and unloaded since the last call (module.c); called
   at start, after dlopen, around dlclose and before the dump ends.  True if one
   was unloaded. */
bool hp_modules_update(void);
void hp_modules_lock(void);
void hp_modules_unlock(void);

#endif
