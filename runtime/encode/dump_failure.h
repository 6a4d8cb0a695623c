/* dump_failure.h - the one line that says why there is no whole dump.
   It names path, reason and remedy; the program goes on as if nothing was.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_FAILURE_H
#define HP_DUMP_FAILURE_H

#include <stdbool.h>

/* Maps what heapprof run shares, while the process still may. */
void hp_dump_failures_start(void);

/* ERROR is a negative errno, as hp_sys_* return it. */
void hp_dump_say_failure(const char *path, int error);
/* The runtime ends the process and has said why on stderr: heapprof run need not say
   that there is no profile. */
void hp_dump_say_death(void);
/* Nothing of this PROGRAM, its path or NULL, was seen, as it has a malloc of its own.  False: heapprof run
   does not listen. */
bool hp_dump_say_unseen(const char *program);

#endif
