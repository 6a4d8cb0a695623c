/* globals.h - which pages of each module's writable segments are resident.
   Looked at with all other memory, by who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GLOBALS_H
#define HP_GLOBALS_H

#include "dump/waiting_records.h"
#include "origin/module.h"
#include "system/smaps.h"

/* A window begins, perhaps in a forked child: nothing was seen yet. */
void hp_globals_start(void);

/* A look begins; each writable range of MODULE, ascending; and it ends.  With the
   load map's lock. */
void hp_globals_look(void);
void hp_globals_add(const struct hp_module *module,
                    const struct hp_smaps_range *range);
void hp_globals_end(void);

/* Of what was added: bytes of the runtime's own large variables, where it is
   linked into the program. */
uint64_t hp_globals_own(void);

/* What the last look saw. */
const struct hp_records *hp_globals_records(void);

#endif
