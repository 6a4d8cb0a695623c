/* own_thread.h - threads of the runtime's own, which libc does not know.
   It goes on treating a program without threads as one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OWN_THREAD_H
#define HP_OWN_THREAD_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread of the runtime's own, which libc does not know: no signals, an empty
   table of descriptors that is its own, thread-local variables that are zero.
   It uses hp_sys_* only; what it warns of is kept until another thread says it.
 */
struct hp_sys_thread {
  uint32_t id;     /* 0: there is none, or it has ended */
  bool owns_files; /* false: the kernel (before 5.9) cannot do that */
  char *memory;
  void (*body)(void);
};
/* THREAD is all zero, or in a forked child that of its parent.  False if
   refused. */
bool hp_sys_start_thread(struct hp_sys_thread *thread, void (*body)(void));
/* Returns when a thread whose BODY returns has gone, and makes it all zero. */
void hp_sys_join_thread(struct hp_sys_thread *thread);
bool hp_sys_is_thread(const struct hp_sys_thread *thread); /* the caller */
/* The first thread has ended by a system call of its own, and only threads of
   the runtime are left: the process ends when they do.  False where /proc does
   not say. */
bool hp_sys_is_deserted(void);
bool hp_sys_is_own(int id); /* the thread so numbered is the runtime's own */
bool hp_sys_is_mute(void);  /* the caller has no stderr */

#ifdef __cplusplus
}
#endif
#endif
