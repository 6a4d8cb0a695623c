/* user.h - the user and groups of the calling thread.
   libc changes only those of threads that it knows.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_USER_H
#define HP_USER_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread gets the user and groups of the process's first thread:
   libc's setuid() and its kin change only threads that it knows. */
void hp_sys_follow_user(void);

#ifdef __cplusplus
}
#endif
#endif
