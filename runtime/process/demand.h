/* demand.h - when a dump is due although the process goes on.
   The options dump_signal, dump_after_ms, dump_at_bytes, dump_at_allocations.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DEMAND_H
#define HP_DEMAND_H

#include "system/platform.h"

/* What is asked for counts from the beginning of the window.  In a forked child:
   the signals that its parent had are the parent's to answer. */
void hp_demand_after_fork_child(void);

/* True if an option asks for something that the runtime's thread looks for. */
bool hp_demand_needs_thread(void);

/* Asks for a dump if one is due, by the ticker at each step of the coarse
   clock; writes it, by the thread that writes. */
void hp_demand_look(void);
void hp_demand_dump(void);

/* Makes one due; for a handler of signals. */
void hp_demand_by_signal(void);

#endif
