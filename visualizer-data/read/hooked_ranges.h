/* hooked_ranges.h - where in a module code has access hooks, by its record.
   Dumps of older runtimes do not say it; there all code has.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HOOKED_RANGES_H
#define HP_HOOKED_RANGES_H

#include "read/raw_dump.h"
#include "read/record.h"

/* Reads the ranges of MODULE, whose start and end are set, out of its field
   "hooked"; they are STORE's.  *GOOD: false if they cannot be. */
hp_status hp_hooked_ranges_read(struct hp_dump_module *module,
                                struct hp_cursor list, struct hp_store *store,
                                bool *good, struct hp_error *error);

/* Whether the code at ADDRESS in MODULE has hooks. */
bool hp_is_hooked(const struct hp_dump_module *module, uint64_t address);

/* The process ended before it wrote which modules it had: no code is known to
   have hooks then. */
bool hp_lacks_modules(const struct hp_dump *dump);

/* DUMP says of its modules which code has hooks, or of none that it has. */
bool hp_says_hooks(const struct hp_dump *dump);

#endif
