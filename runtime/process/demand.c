/* demand.c - see demand.h: thresholds, looked at by the runtime's own thread.
   So a program that waits or computes is dumped too, and not disturbed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/demand.h"

#include "options/options.h"
#include "process/own_profile.h"
#include "process/window.h"
#include "profile/collector.h"
#include "system/waiting.h"
#include "thread/writer.h"

static struct {
  uint64_t signals;  /* that came */
  uint64_t answered; /* of them */
  uint32_t window;   /* by whose beginning these are */
  /* Next thresholds, of the runtime's thread; UINT64_MAX: none. */
  uint64_t ns, bytes, allocations;
  const char *reason; /* of a dump that is due; NULL: none */
} demand;
static const char by_signal[] = "dump_signal";

static const char *get_reason(void) {
  return __atomic_load_n(&demand.reason, __ATOMIC_ACQUIRE);
}

static void set_reason(const char *reason) {
  __atomic_store_n(&demand.reason, reason, __ATOMIC_RELEASE);
}

void hp_demand_after_fork_child(void) {
  demand.answered = demand.signals;
  set_reason(NULL);
}

bool hp_demand_needs_thread(void) {
  return hp_options.dump_signal || hp_options.dump_after_ms ||
         hp_options.dump_at_bytes || hp_options.dump_at_allocations;
}

void hp_demand_by_signal(void) {
  __atomic_fetch_add(&demand.signals, 1, __ATOMIC_RELAXED);
}

static uint64_t period_ns(void) { return hp_options.dump_after_ms * 1000000u; }

static uint64_t threshold(uint64_t option) {
  return option ? option : UINT64_MAX;
}

/* The next multiple of PERIOD above REACHED, if dumps repeat. */
static uint64_t next(uint64_t period, uint64_t reached) {
  return hp_options.dump_repeat
             ? hp_add_saturated(reached - reached % period, period)
             : UINT64_MAX;
}

/* The option by which a dump is due; NULL if none is. */
static const char *due(void) {
  uint64_t signals = __atomic_load_n(&demand.signals, __ATOMIC_RELAXED);
  if (signals != demand.answered) {
    demand.answered = signals;
    return by_signal;
  }
  if (demand.ns != UINT64_MAX && hp_sys_monotonic_ns() >= demand.ns) {
    demand.ns = hp_options.dump_repeat ? hp_sys_monotonic_ns() + period_ns()
                                       : UINT64_MAX;
    return "dump_after_ms";
  }
  if (demand.bytes == UINT64_MAX && demand.allocations == UINT64_MAX)
    return NULL;
  uint64_t bytes, allocations;
  hp_collect_counts(&bytes, &allocations);
  if (bytes >= demand.bytes) {
    demand.bytes = next(hp_options.dump_at_bytes, bytes);
    return "dump_at_bytes";
  }
  if (allocations >= demand.allocations) {
    demand.allocations = next(hp_options.dump_at_allocations, allocations);
    return "dump_at_allocations";
  }
  return NULL;
}

void hp_demand_look(void) {
  const uint32_t window = hp_window_number();
  if (!hp_demand_needs_thread())
    return;
  if (window != demand.window) {
    demand.window = window;
    if (get_reason() != by_signal) /* somebody waits for that one */
      set_reason(NULL);
    demand.ns = hp_options.dump_after_ms ? hp_sys_monotonic_ns() + period_ns()
                                         : UINT64_MAX;
    demand.bytes = threshold(hp_options.dump_at_bytes);
    demand.allocations = threshold(hp_options.dump_at_allocations);
  }
  const char *reason = get_reason();
  if (!reason)
    set_reason(reason = due());
  if (reason)
    hp_writer_ask(HP_WRITE_DEMAND);
}

void hp_demand_dump(void) {
  const char *reason = get_reason();
  if (reason && hp_profile_dump_by_runtime(reason))
    set_reason(NULL);
}
