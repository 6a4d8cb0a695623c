/* stats.c - see stats.h: asks each part what it keeps.
   One line for events, one for memory, one for the dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/stats.h"

#include "origin/module.h"
#include "origin/point.h"
#include "profile/aggregate.h"
#include "profile/free_site.h"
#include "profile/log.h"
#include "system/message.h"
#include "thread/thread.h"

static unsigned long long number(uint64_t value) { return value; }

static unsigned long long kib(size_t bytes) { return (bytes + 1023) / 1024; }

void hp_stats_print(const struct hp_dump_totals *totals,
                    const struct hp_dump_written *written) {
  struct hp_log_counts log = hp_log_counts();
  hp_sys_warn(
      "stats: events: %llu chunks begun, %llu ended; merged %llu times, "
      "%llu too late, %llu waits",
      number(totals->allocations), number(totals->frees),
      number(totals->drains), number(totals->late_events),
      number(totals->back_pressure + log.overruns));
  hp_sys_warn("stats: memory in KiB beside chunk records: threads %llu, stacks "
              "and types %llu, aggregates %llu, log %llu, load map %llu",
              kib(hp_threads_memory()), kib(hp_point_memory()),
              kib(hp_aggregate_memory() + hp_free_site_memory()),
              kib(hp_log_memory()), kib(hp_modules_memory()));
  hp_sys_warn("stats: dump: %llu bytes; log: %llu chunks kept, %llu thinned, "
              "%llu dropped",
              number(written->bytes), number(written->chunks),
              number(written->thinned), number(written->dropped));
}
