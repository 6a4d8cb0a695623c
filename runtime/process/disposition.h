/* disposition.h - what signals do, and what the program is told they do.
   A signal that kills the process writes the dump first; nothing else changes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DISPOSITION_H
#define HP_DISPOSITION_H

#include <stddef.h>

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the place of the default of each signal that kills; answers
   options.dump_signal.  FATAL false: only the latter. */
void hp_dispositions_start(bool fatal);

/* For the interceptors of sigaction and its kin.  ask() changes *ACT from what
   the program asks for to what to ask the kernel for; told() changes *TOLD from
   what the kernel says is there to what the program has put there. */
struct sigaction;
bool hp_disposition_is_ours(int number); /* else none of this concerns it */
void hp_disposition_ask(int number, struct sigaction *act);
void hp_disposition_told(int number, struct sigaction *told);

/* Gives the calling thread's handlers a stack, unless they have one: a fault
   may be that the thread's own is full.  It stays in the thread's block for the
   next one. */
void hp_handler_stack_use(void);
void hp_handler_stack_leave(void);
/* The program gives a thread a stack of SIZE bytes for its handlers.  From one on
   that has no room for ours these run on the stack where a thread is: the kernel
   would end the process by SIGSEGV, not by the signal that ends it. */
void hp_handler_stack_given(size_t size);
/* Makes *TOLD what the program asked for, where that stack is in use. */
void hp_handler_stack_told(void *told); /* a stack_t */

#ifdef __cplusplus
}
#endif
#endif
