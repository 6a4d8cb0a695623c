/* process_facts.h - numbers, names and places of this process, and its end.
   Asked of the system each time, but for what a chroot may hide later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROCESS_FACTS_H
#define HP_PROCESS_FACTS_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

int hp_sys_pid(void);
int hp_sys_parent_pid(void);
int hp_sys_gettid(void);
/* libc's: false from before its first thread is made, and in a child of such a
   process, too.  An old libc does not say: false. */
extern char __libc_single_threaded __attribute__((weak));
static inline bool hp_sys_is_alone(void) {
  return &__libc_single_threaded && __libc_single_threaded;
}
/* There is no such thread in this process. */
bool hp_sys_thread_is_gone(int id);
/* Of the environment at start; NULL if unset. */
const char *hp_sys_getenv(const char *name);
const char *hp_sys_executable_path(void); /* of its file, or NULL */
const char *hp_sys_started_as(void);      /* where there is no /proc; or NULL */
bool hp_sys_executable(char *path, size_t size); /* one of these */
/* Arguments, each ended by NUL; bytes stored.  They are those of now: a title that
   a server writes over them, and zeros behind it. */
size_t hp_sys_cmdline(char *buffer, size_t size);
/* Empty ones at their end as the process was started with them, noted when first
   asked for. */
size_t hp_sys_empty_arguments(void);
bool hp_sys_hostname(char *name, size_t size);
bool hp_sys_working_directory(char *path, size_t size); /* absolute */
uint64_t
hp_sys_random(void); /* the same each time in a process and its forks */
void hp_sys_end_process(int status); /* at once */

#ifdef __cplusplus
}
#endif
#endif
