/* progress.h - a line on the terminal that says how far a long command is.
   Nothing in the first second, nothing where there is no terminal.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMMAND_PROGRESS_H
#define HP_COMMAND_PROGRESS_H

#include <stdint.h>

/* A hp_progress: the line now says WHAT, and DONE of TOTAL in percent. */
void hp_command_progress(const char *what, uint64_t done, uint64_t total);

/* Takes the line away; before anything else is written. */
void hp_command_end_progress(void);

#endif
