/* forbidden_calls.h - system calls that the program has forbidden its threads on
   pain of death (seccomp).  The runtime makes none of them there: its own
   thread, which bears no such filter, makes them instead.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FORBIDDEN_CALLS_H
#define HP_FORBIDDEN_CALLS_H

#include "system/call_filter.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HP_CALL_NUMBERS 512u
/* No call: rt_sigprocmask to block signals, which one may forbid that lets a mask be set. */
#define HP_CALL_BLOCK (HP_CALL_NUMBERS - 1)

struct hp_forbidden {
  bool any;
  bool to_all; /* to the runtime's own threads, too */
  bool call[HP_CALL_NUMBERS];
};
extern HP_HIDDEN struct hp_forbidden hp_forbidden;

HP_INLINE bool hp_forbids_any(void) {
  return __atomic_load_n(&hp_forbidden.any, __ATOMIC_RELAXED);
}

/* What the runtime's own threads have where libc has other addresses. */
extern HP_HIDDEN const char hp_own_mark;
HP_INLINE bool hp_thread_is_runtimes(void) {
  const void *mark;
  __asm__("movq %%fs:8, %0" : "=r"(mark));
  return mark == &hp_own_mark;
}

/* Whether the calling thread must not make that call. */
bool hp_forbids_here(long number);
HP_INLINE bool hp_forbids(long number) {
  return HP_UNLIKELY(hp_forbids_any()) && hp_forbids_here(number);
}

/* The linker's lock of modules may be another thread's, and to wait for that is
   forbidden. */
bool hp_forbids_linker(void);

/* Nor write a line, to what may be a file at its limit: the signal that this raises
   could not be taken back, and would end the program. */
bool hp_forbids_message(void);

/* ---- what is forbidden --------------------------------------------------- */

/* Adds to SET those of the runtime's calls that the filter would harm; true if
   there is one.  Without memory to find out: all of them. */
bool hp_forbidden_by(struct hp_forbidden *set,
                     const struct hp_filter_step *steps, uint32_t count);
/* The same for all but read, write, exit and the return from handlers. */
void hp_forbidden_strictly(struct hp_forbidden *set);
/* Whether threads of the runtime that are under SET, too, still write a dump. */
bool hp_forbidden_leaves_dump(const struct hp_forbidden *set);
/* For who is to start a thread, which bears the filters of the calling one:
   false if it could not work.  Else they are the runtime's threads', too. */
bool hp_forbids_no_thread(void);

/* Whether a program that is executed now could not begin with the runtime, which makes calls before it
   can know of the filter.  ptrace is none of these: it is tried first. */
bool hp_forbids_program(void);

/* Which process this is where getpid is forbidden or refused: that of which the
   calling thread is, of the one that was noted and that which it leads. */
int hp_process_by_thread(void);
void hp_process_note(int id); /* at the start, and in a forked child */

/* From now on SET holds, for the calling thread, too; with the lock. */
void hp_forbid(const struct hp_forbidden *set);
void hp_forbidden_lock(void);
void hp_forbidden_unlock(void);

/* In a forked child, which bears its parent's filters, and so would any thread
   of ours.  False: none could work. */
bool hp_forbidden_after_fork_child(void);

/* ---- what is done instead ------------------------------------------------ */

long hp_call_instead(long number, const uintptr_t argument[6]);
long hp_call_by_proxy(long number, const uintptr_t argument[6]);
/* A moment; false: for how long could not be seen. */
bool hp_pause_instead(void);
/* A futex's wait, which may end early; false: it took long. */
bool hp_wait_instead(const uint32_t *word, uint32_t while_value);
uint64_t hp_clock_instead(bool realtime); /* ns, as the proxy last read it */

/* For the runtime's own thread that makes calls for others: from time to time,
   and when it ends. */
#define HP_PROXY_NS 100000u
/* It is there. */
void hp_proxy_begin(uint64_t monotonic_ns, uint64_t realtime_ns);
void hp_proxy_serve(uint64_t monotonic_ns, uint64_t realtime_ns);
void hp_proxy_end(void);
/* In a copy of the process, before anything else: that thread is not here. */
void hp_proxy_forget(void);

#ifdef __cplusplus
}
#endif
#endif
