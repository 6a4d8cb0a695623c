/* user.h - the user and groups of the calling thread.
   libc changes only those of threads that it knows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_USER_H
#define HP_USER_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

uint32_t hp_sys_effective_user(void); /* the calling thread's */

#define HP_SYS_NOBODY ((uint32_t)-1)

/* The calling thread gets the user and groups of the process's first thread:
   libc's setuid() and its kin change only threads that it knows.  One that writes to
   what is OWNER's stays that user as long as the process may become it again; where
   root's is left to root for ever GIVE is called first. */
void hp_sys_follow_user(uint32_t owner,
                        void (*give)(uint32_t user, uint32_t group));

#ifdef __cplusplus
}
#endif
#endif
