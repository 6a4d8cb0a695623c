/* type_match.h - whether two spellings are of one type: the compiler's, as a dump has it,
   and that of debug information.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TYPE_MATCH_H
#define HP_TYPE_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/* NAME, of the dump, leaves default arguments of templates and most inline
   namespaces out; so it may have fewer of both than SPELLED, of debug information.
   OPTIONAL has a bit for each part of SPELLED between "::", the first the lowest,
   that NAME may lack.  Within arguments it may lack all but the last. */
bool hp_type_matches(const char *name, const char *spelled, uint64_t optional);

/* Where the last part of NAME begins, and its length without arguments:
   "Box" of "app::Box<app::Q>". */
const char *hp_type_last_part(const char *name, unsigned *length);

#endif
