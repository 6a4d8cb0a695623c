/* window_totals.h - what is counted of a window beside its points: by the
   allocator, by the collector, and by who ends it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WINDOW_TOTALS_H
#define HP_WINDOW_TOTALS_H

#include "system/platform.h"

/* What the end record says that only the rest of the runtime knows. */
struct hp_dump_totals {
  const char *reason;
  uint32_t number; /* of a dump on demand: 1, 2, ...; 0: the process's last */
  int exit_status; /* < 0: none */
  const char
      *allocator; /* path of whose chunks these are; NULL: the runtime's */
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

#endif
