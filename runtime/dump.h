/* dump.h - writes the dump directory: header, modules, points, chunks, end.
   Reads what the other parts kept; the only writer of the format.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_H
#define HP_DUMP_H

#include "heapprof_format.h"
#include "platform.h"

/* What the end record says that only the rest of the runtime knows. */
struct hp_dump_totals {
  const char *reason;
  int exit_status; /* < 0: none */
  uint64_t end;    /* ticks, absolute: end of the window */
  uint64_t allocations, frees, failed_requests, failed_bytes;
  uint64_t inherited_frees, invalid_frees, threads;
  uint64_t peak_bytes, peak_chunks;
  uint64_t peak_time; /* ticks since the window's start */
  uint64_t dropped_points, allocator_ticks;
};

/* Calls EACH for every chunk still live, as a log entry with LIVE set and t1 =
   END; given by the allocator. */
typedef void hp_live_iterator(uint64_t end,
                              void (*each)(const struct hp_chunk_log *chunk,
                                           void *arg),
                              void *arg);

/* Writes the whole dump.  Times in the log and `end` are absolute
   ticks; those in the dump count from the window's start.  A failure
   is one line on stderr naming the path and the reason; the program goes on. */
void hp_dump_write(const struct hp_dump_totals *totals,
                   hp_live_iterator *each_live);

/* Notes the modules loaded and unloaded since the last call (module.c); called
   at start, after dlopen, before dlclose and before the dump. */
void hp_modules_update(void);
void hp_modules_lock(void);
void hp_modules_unlock(void);

#endif
