/* thread_stacks.h - the stack of each thread: how large, and how deep it was used.
   Looked at with all other memory, by who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_THREAD_STACKS_H
#define HP_THREAD_STACKS_H

#include "encode/encode.h"

/* A window begins. */
void hp_thread_stacks_start(void);

/* A look begins; and each stack [BEGIN, END) of a thread, by NUMBER, of which
   RESIDENT bytes are. */
void hp_thread_stacks_look(void);
void hp_thread_stacks_add(uint32_t number, uintptr_t begin, uintptr_t end,
                          uint64_t resident);

/* Appends what was seen to an END record's PAYLOAD; how many fields. */
size_t hp_thread_stacks_put(struct hp_bytes *payload);

#endif
