/* fork_hold.c - see fork_hold.h: a word that says held, and who looks.
   Used around fork, whose handlers libc calls, and clone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/fork_hold.h"

#include "system/files.h"
#include "system/message.h"
#include "system/process_facts.h"
#include "system/waiting.h"

/* libc's, for its own libraries; other libcs have none. */
extern __attribute__((weak)) void _IO_list_lock(void);
extern __attribute__((weak)) void _IO_list_unlock(void);
extern __attribute__((weak)) void _IO_list_resetlock(void);

/* A fork takes as long as the kernel needs to copy tables of pages; who waits
   for a lock does so for ever.  Where it cannot be seen which it is, only time
   tells. */
#define PATIENCE_NS ((uint64_t)100 * 1000 * 1000)
#define LONG_PATIENCE_NS ((uint64_t)20 * 1000 * 1000 * 1000)
#define LET_TURNS 2000u
#define LET_NS ((uint64_t)1000 * 1000)

static struct {
  uint32_t turn; /* which fork holds; 0: none, or what it held was given up */
  uint32_t turns;
  int thread;
  uint64_t since; /* ns */
  void (*release)(void);
} hold;
static HP_THREAD_LOCAL uint32_t my_turn;
static uint32_t forking; /* threads, from before they take until they end */

static void lock_streams(void) {
  if (_IO_list_lock && _IO_list_unlock)
    _IO_list_lock();
}

/* libc does not ask whose lock it is. */
static void unlock_streams(void) {
  if (_IO_list_lock && _IO_list_unlock)
    _IO_list_unlock();
}

void hp_fork_hold(void (*take)(void), void (*release)(void)) {
  __atomic_fetch_add(&forking, 1, __ATOMIC_RELAXED);
  lock_streams();
  take();
  hold.thread = hp_sys_gettid();
  hold.since = hp_sys_monotonic_ns();
  hold.release = release;
  my_turn = ++hold.turns ? hold.turns : ++hold.turns;
  __atomic_store_n(&hold.turn, my_turn, __ATOMIC_RELEASE);
}

static bool end(uint32_t turn) {
  return __atomic_compare_exchange_n(&hold.turn, &turn, 0, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

bool hp_fork_hold_end(void) {
  bool held = end(my_turn);
  if (held)
    unlock_streams();
  __atomic_fetch_sub(&forking, 1, __ATOMIC_RELAXED);
  return held;
}

/* In a child of several threads libc has made the list's lock anew.  To unlock
   it then leaves glibc 2.36 with a count of -1: whoever takes it next has it for
   good, and another thread of the child waits for ever. */
bool hp_fork_hold_end_in_child(void) {
  bool held = end(my_turn);
  if (held && hp_sys_is_alone())
    unlock_streams();
  else if (held && _IO_list_resetlock)
    _IO_list_resetlock();
  hold.turn = 0; /* another thread may hold, which is not here */
  forking = 0;
  return held;
}

void hp_fork_hold_let(void) {
  for (unsigned i = 0; i < LET_TURNS; i++) {
    if (!__atomic_load_n(&forking, __ATOMIC_RELAXED))
      return;
    hp_sys_sleep_ns(LET_NS);
  }
}

/* It waits for a lock: then the system call that it is in is said to be futex's
   number; a thread that the kernel works for is running. */
static bool waits_for_lock(int thread) {
  char path[48], text[8];
  hp_sys_format(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  return hp_sys_read_text(path, text, sizeof text) && text[0] == '2' &&
         text[1] == '0' && text[2] == '2' && text[3] == ' ';
}

void hp_fork_hold_look(void) {
  uint32_t turn = __atomic_load_n(&hold.turn, __ATOMIC_ACQUIRE);
  if (HP_LIKELY(!turn))
    return;
  uint64_t held = hp_sys_monotonic_ns() - hold.since;
  if (held < PATIENCE_NS ||
      (held < LONG_PATIENCE_NS && !waits_for_lock(hold.thread)))
    return;
  void (*release)(void) = hold.release;
  if (!end(turn))
    return;
  release();
  unlock_streams();
}
