/* thread_sums.c - see thread_sums.h.
   Only the collector writes here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/thread_sums.h"

#include "system/real_libc.h"

struct hp_thread_sum hp_thread_sums[HP_THREADS_TOLD + 1];
uint64_t hp_thread_deletes, hp_thread_reallocs;

void hp_thread_sums_start(void) {
  hp_real_memset(hp_thread_sums, 0, sizeof hp_thread_sums);
  hp_thread_deletes = hp_thread_reallocs = 0;
}
