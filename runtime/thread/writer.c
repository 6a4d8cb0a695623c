/* writer.c - see writer.h: one word says what is to be done, and wakes.
   A lock says who is at the disk; it is never waited for by who only allocates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread/writer.h"

#include "system/message.h"
#include "system/own_thread.h"
#include "system/process_facts.h"
#include "system/waiting.h"

#define ALL                                                                    \
  (HP_WRITE_LOG | HP_WRITE_CHECKPOINT | HP_WRITE_DEMAND | HP_WRITE_MEMORY)
#define RUN 16u  /* a job of the lock's holder */
#define END 32u  /* the thread is to end */
#define TURN 64u /* added to wake the thread though no bit is new */

#define HP_LOOK_NS ((uint64_t)1000 * 1000 * 1000)

static struct {
  struct hp_writer_jobs jobs;
  int owner; /* process id */
  struct hp_lock lock;
  struct hp_lock starting;
  struct hp_sys_thread thread;
  bool started, refused; /* the thread */
  bool fork_waited;
  uint32_t word; /* futex: bits as above, and a count of turns */
  void (*job)(void *arg);
  void *arg;
  uint32_t busy; /* futex: 1 until the job is done */
} writer;

static uint32_t set(uint32_t bits) {
  return __atomic_fetch_or(&writer.word, bits, __ATOMIC_SEQ_CST);
}

static uint32_t clear(uint32_t bits) {
  return __atomic_fetch_and(&writer.word, ~bits, __ATOMIC_SEQ_CST) & bits;
}

void hp_writer_start(const struct hp_writer_jobs *jobs) { writer.jobs = *jobs; }

void hp_writer_own(void) { writer.owner = hp_sys_pid(); }
bool hp_writer_is_ours(void) { return hp_sys_pid() == writer.owner; }

/* ---- the work ------------------------------------------------------------ */

static void do_work(uint32_t what) {
  if (what & HP_WRITE_CHECKPOINT)
    writer.jobs.checkpoint();
  else if (what & HP_WRITE_LOG)
    writer.jobs.log();
  if (what & HP_WRITE_MEMORY && !(what & HP_WRITE_CHECKPOINT))
    writer.jobs.memory();
}

/* Takes the bits before it looks at what they are about, so that what comes
   later is seen the next time.  False: somebody else is at it. */
static bool work(bool demand) {
  if (demand && clear(HP_WRITE_DEMAND))
    writer.jobs.demand();
  if (!hp_lock_try(&writer.lock))
    return false;
  do_work(clear(ALL & ~HP_WRITE_DEMAND));
  hp_lock_release(&writer.lock);
  return true;
}

void hp_writer_help(bool is_runtimes) {
  if (!is_runtimes)
    hp_sys_say_kept();
  if (writer.refused && __atomic_load_n(&writer.word, __ATOMIC_RELAXED) & ALL)
    work(is_runtimes);
}

/* ---- the thread ---------------------------------------------------------- */

/* To look costs as much as a hundredth of a block of the log. */
static void follow_user(uint32_t word, unsigned *turns) {
  const bool is_fresh = !(*turns)++;
  if (!(word & (HP_WRITE_CHECKPOINT | HP_WRITE_DEMAND | RUN)) &&
      *turns % 64 != 1)
    return;
  if (!(word & RUN) && !hp_lock_try(&writer.lock)) /* the job's has it */
    return;
  writer.jobs.follow_user(is_fresh && (word & RUN));
  if (!(word & RUN))
    hp_lock_release(&writer.lock);
}

static void run_job(void) {
  writer.job(writer.arg);
  __atomic_store_n(&writer.busy, 0, __ATOMIC_RELEASE);
  hp_sys_futex_wake(&writer.busy);
}

static void body(void) {
  unsigned turns = 0;
  for (;;) {
    uint32_t word = __atomic_load_n(&writer.word, __ATOMIC_SEQ_CST);
    if (word & (ALL | RUN))
      follow_user(word, &turns);
    if (word & RUN) { /* one that came meanwhile is for the right user, too */
      clear(RUN);
      run_job();
    } else if (word & END) {
      writer.jobs.let_go();
      return;
    } else if (word & ALL) {
      if (!work(true))
        hp_sys_futex_wait(&writer.word, word);
    } else if (!hp_sys_futex_wait_for(&writer.word, word, HP_LOOK_NS) &&
               hp_sys_is_deserted()) {
      return;
    }
  }
}

static bool has_thread(void) {
  if (__atomic_load_n(&writer.started, __ATOMIC_ACQUIRE))
    return true;
  if (writer.refused || !hp_writer_is_ours())
    return false;
  uint64_t mask = hp_lock_take_held(&writer.starting);
  if (!writer.started && !writer.refused) {
    writer.refused = !hp_sys_start_thread(&writer.thread, body);
    __atomic_store_n(&writer.started, !writer.refused, __ATOMIC_RELEASE);
  }
  hp_lock_release_held(&writer.starting, mask);
  return writer.started;
}

bool hp_writer_need_thread(void) { return has_thread(); }

void hp_writer_ask(enum hp_write what) {
  bool thread = has_thread();
  if (!(set(what) & what) && thread)
    hp_sys_futex_wake(&writer.word);
}

bool hp_writer_owns_files(void) {
  return writer.thread.owns_files && hp_sys_is_thread(&writer.thread);
}

/* ---- waiting for the disk ------------------------------------------------ */

void hp_writer_lock(void) { hp_lock_take(&writer.lock); }

void hp_writer_unlock(void) {
  hp_lock_release(&writer.lock);
  if (__atomic_add_fetch(&writer.word, TURN, __ATOMIC_SEQ_CST) & ALL)
    hp_sys_futex_wake(&writer.word);
}

void hp_writer_run(void (*job)(void *arg), void *arg) {
  if (!has_thread() || hp_sys_is_thread(&writer.thread)) {
    job(arg);
    return;
  }
  writer.job = job;
  writer.arg = arg;
  __atomic_store_n(&writer.busy, 1, __ATOMIC_SEQ_CST);
  set(RUN);
  hp_sys_futex_wake(&writer.word);
  while (__atomic_load_n(&writer.busy, __ATOMIC_ACQUIRE))
    hp_sys_futex_wait(&writer.busy, 1);
  hp_sys_say_kept();
}

void hp_writer_end(void) {
  hp_writer_lock();
  if (writer.started) {
    set(END);
    hp_sys_futex_wake(&writer.word);
    hp_sys_join_thread(&writer.thread);
    clear(END);
  }
  writer.started = writer.refused = false;
  hp_writer_unlock();
}

/* ---- fork ---------------------------------------------------------------- */

/* The thread goes on: the child has no use for what it does.  A thread of the
   program that writes, since there is no other, has files open. */
void hp_writer_before_fork(void) {
  writer.fork_waited = !writer.started;
  if (writer.fork_waited)
    hp_writer_lock();
}

void hp_writer_lock_start(void) { hp_lock_take(&writer.starting); }
void hp_writer_unlock_start(void) { hp_lock_release(&writer.starting); }

void hp_writer_after_fork_parent(void) {
  if (writer.fork_waited)
    hp_writer_unlock();
}

void hp_writer_after_fork_child(void) {
  writer.lock = writer.starting = (struct hp_lock){0};
  writer.thread.id = 0;
  writer.thread.owns_files = false;
  writer.started = writer.refused = false;
  writer.word = writer.busy = 0;
}
