/* runtime_double.h - stands in for the system and the rest of the runtime.
   Every resource can be made to run out at a chosen moment.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RUNTIME_DOUBLE_H
#define HP_RUNTIME_DOUBLE_H

#include "dump/dump.h"
#include "dump/dump_write.h"
#include "dump/snapshot.h"
#include "options/options.h"
#include "system/clock.h"
#include "system/loaded_modules.h"
#include "system/real_libc.h"

struct hp_double {
  /* What the process looks like. */
  int pid, parent;
  const char *executable; /* NULL: unknown */
  const char *host;       /* NULL: unknown */
  const char *arguments;  /* each ended by NUL */
  size_t arguments_size, empty_arguments;
  const char *environment[8][2]; /* name, value; ended by NULL */
  const struct hp_sys_module *modules;
  size_t module_count;

  /* The clock, ticks. */
  uint64_t now, ticks_per_second, start_unix_ns;
  uint64_t tick_max;

  /* How much there is left of what; UINT64_MAX: plenty. */
  uint64_t maps_left;
  uint64_t map_to_fail;  /* 1: the next one, and it alone; 0: none */
  uint64_t bytes_left;   /* on the disk: then a part is written, and ENOSPC */
  uint64_t creates_left; /* then EMFILE */
  bool disk_is_slow;     /* whoever is asked to write does not come to it */
  int mkdir_error, close_error, truncate_error; /* 0: none; else what it says */

  /* What happened. */
  char set_aside[256];   /* frames of START-END as N, and what was put back */
  uint64_t mapped_bytes; /* less those unmapped */
  uint64_t written_bytes;
  unsigned open_files;
  unsigned forgotten; /* times that the rules of unwinding were */
  unsigned warnings;
  char warning[8192]; /* the last one */
};
extern struct hp_double hp_double;

/* Back to a process of pid 42 with nothing loaded and plenty of everything;
   options are the defaults, the log is empty and there is no point. */
void hp_double_reset(void);

/* From here on it is process PID, which has logged and warned of nothing. */
void hp_double_process(int pid);

/* Adds a point with this stack; its id. */
uint32_t hp_double_point(const uint64_t *pc, size_t depth, bool truncated,
                         enum hp_entry entry);

/* The live chunks the next dump is told of. */
void hp_double_live(const struct hp_chunk_log *chunks, size_t count);
extern const struct hp_live_chunks hp_double_live_chunks;

#endif
