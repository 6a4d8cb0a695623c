/* dump_failure.h - the one line on stderr that says why there is no dump, or
   only a part of one. A failure never changes what the program does; it is said
   once, with path, reason and remedy. SPDX-License-Identifier: Apache-2.0 WITH
   LLVM-exception */
#ifndef HP_DUMP_FAILURE_H
#define HP_DUMP_FAILURE_H

/* ERROR is a negative errno, as hp_sys_* return it. */
void hp_dump_say_failure(const char *path, int error);

#endif
