/* score_process.h - where all of a process's resident memory is, on one line.
   Text only; the numbers are those of the JSON document, rounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_PROCESS_H
#define HP_SCORE_PROCESS_H

#include "heapprof.h"

#include <stdio.h>

/* "RSS 412 MiB = live 301 + ...", and WHEN behind it; nothing if it is not
   known. */
void hp_score_memory(FILE *out, const struct hp_memory_use *use,
                     const char *when, size_t width);

/* The process at its peak, and when that was seen. */
void hp_score_peak_memory(FILE *out, const struct hp_process *process,
                          size_t width);

/* Every process at its peak and at its end, and the sums of all. */
void hp_score_processes(FILE *out, const hp_profile *profile, size_t width);

#endif
