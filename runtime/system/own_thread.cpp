// own_thread.cpp - the runtime's own threads, made by clone: libc knows nothing
// of them and goes on treating a program without threads as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/own_thread.h"

#include "system/files.h"
#include "system/forbidden_calls.h"
#include "system/memory.h"
#include "system/process_facts.h"
#include "system/signal_mask.h"
#include "system/system_call.h"
#include "system/waiting.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace __sanitizer {
// sanitizer_common starts threads for limits and checks only that heapprof has
// no option for.
int internal_pthread_create(void *, void *, void *(*)(void *), void *) {
  return ENOSYS;
}
int internal_pthread_join(void *, void **) { return ENOSYS; }
} // namespace __sanitizer

extern "C" {

// A thread's memory, from its beginning:
//   stack | 4 KiB for thread-local variables | 4 KiB that the register points
//   to
static const size_t kStack = 128 << 10, kThreadLocal = 4 << 10;
static const size_t kThreadMemory = kStack + 2 * kThreadLocal;

// What the register points to; where libc has it, the mark is another address.
struct hp_own_thread {
  void *self;
  const void *mark;
  hp_sys_thread *thread;
  uint64_t is_one_of_many; // libc before 2.36 asks here whether it must wake
};

// The calling thread if it is the runtime's own.
static const hp_sys_thread *own_thread() {
  const void *mark;
  hp_sys_thread *thread;
  __asm__("movq %%fs:8, %0\n\tmovq %%fs:16, %1" : "=&r"(mark), "=r"(thread));
  return mark == &hp_own_mark ? thread : nullptr;
}

// At once and without ever having held what the program has open.
static bool leave_files() {
  const uptr unshare = 2; // CLOSE_RANGE_UNSHARE
  return system_call(SYS_close_range, 0, ~0u, unshare) == 0;
}

// Threads of the runtime that were started in process `pid` and have not ended.
// The kernel takes what the last thread ends with for the process's status.
static struct {
  int pid, count;
  int status;
} own_threads;

static int run_body(void *arg) {
  hp_sys_thread *thread = static_cast<hp_sys_thread *>(arg);
  thread->owns_files = leave_files();
  thread->body();
  __atomic_fetch_sub(&own_threads.count, 1, __ATOMIC_SEQ_CST);
  return own_threads.status;
}

static void count_own_thread() {
  if (own_threads.pid != hp_sys_pid()) {
    own_threads.pid = hp_sys_pid();
    own_threads.count = 0;
  }
  __atomic_fetch_add(&own_threads.count, 1, __ATOMIC_SEQ_CST);
}

static long field_of(const char *state, int number) {
  for (int field = 3; field < number && state; field++) {
    state = internal_strchr(state, ' ');
    state = state ? state + 1 : nullptr;
  }
  return state ? (long)internal_simple_strtoll(state, nullptr, 10) : 0;
}

// "PID (NAME) STATE PARENT ...": the 20th field is how many threads there are,
// the first one included when it has ended; the 52nd what that ended with.
bool hp_sys_is_deserted(void) {
  char text[1024];
  if (!hp_sys_read_text("/proc/self/stat", text, sizeof text))
    return false;
  const char *at = internal_strrchr(text, ')');
  if (!at || at[1] != ' ' || (at[2] != 'Z' && at[2] != 'X'))
    return false;
  const long threads = field_of(at + 2, 20);
  if (!threads ||
      threads > 1 + __atomic_load_n(&own_threads.count, __ATOMIC_SEQ_CST))
    return false;
  own_threads.status = (int)(field_of(at + 2, 52) >> 8 & 0xff);
  return true;
}

// All there are: the ticker's and the writer's.
static hp_sys_thread *known_own[2];

static void note_own(hp_sys_thread *thread) {
  for (hp_sys_thread *&known : known_own)
    if (!known || known == thread) {
      known = thread;
      return;
    }
}

bool hp_sys_is_own(int id) {
  for (const hp_sys_thread *thread : known_own)
    if (thread && (int)__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE) == id)
      return true;
  return false;
}

bool hp_sys_start_thread(struct hp_sys_thread *thread, void (*body)(void)) {
  if (!hp_forbids_no_thread())
    return false;
  note_own(thread);
  if (thread->memory) // of one that was its parent's
    hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
  thread->memory = static_cast<char *>(hp_sys_map(kThreadMemory));
  if (!thread->memory)
    return false;
  thread->body = body;
  char *stack = thread->memory + kStack, *self = stack + kThreadLocal;
  hp_own_thread *block = reinterpret_cast<hp_own_thread *>(self);
  *block = {self, &hp_own_mark, thread, 1};
  // The thread begins with all signals blocked and stays so: none of the
  // program's handlers ever runs on it.
  uint64_t saved;
  hp_sys_block_signals(&saved);
  int *id = reinterpret_cast<int *>(&thread->id);
  count_own_thread();
  uptr result =
      internal_clone(run_body, stack,
                     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                         CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                         CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
                     thread, id, self, id);
  hp_sys_restore_signals(&saved);
  if (!internal_iserror(result))
    return true;
  __atomic_fetch_sub(&own_threads.count, 1, __ATOMIC_SEQ_CST);
  hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
  return false;
}

// The kernel clears the number before the thread is gone for good.
void hp_sys_join_thread(struct hp_sys_thread *thread) {
  if (!thread->memory)
    return;
  const uptr pause = 20000;
  int id = (int)__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE);
  while (__atomic_load_n(&thread->id, __ATOMIC_ACQUIRE))
    hp_sys_sleep_ns(pause);
  while (id && system_call(SYS_tgkill, (uptr)hp_sys_pid(), (uptr)id, 0) == 0)
    hp_sys_sleep_ns(pause);
  hp_sys_unmap(thread->memory, kThreadMemory);
  *thread = {};
}

bool hp_sys_is_thread(const struct hp_sys_thread *thread) {
  return own_thread() == thread;
}

bool hp_sys_is_mute(void) { return own_thread() && own_thread()->owns_files; }

} // extern "C"
