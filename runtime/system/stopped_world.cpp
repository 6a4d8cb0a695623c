// stopped_world.cpp - see stopped_world.h: /proc, the dynamic linker's list, and
// sanitizer_common's tracer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/stopped_world.h"

#include "system/files.h"
#include "system/forbidden_calls.h"
#include "system/library_symbols.h"
#include "system/mapping_lines.h"
#include "system/memory.h"
#include "system/own_thread.h"
#include "system/process_facts.h"
#include "system/signal_mask.h"
#include "system/smaps.h"
#include "system/system_call.h"
#include "system/waiting.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "sanitizer_common/sanitizer_stoptheworld.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

using namespace __sanitizer;

// In place of internal_fork() where threads are stopped (CMakeLists.txt): no
// child, and no errno that would be told of.
namespace __sanitizer {
int hp_no_child();
int hp_no_child() { return INT_MIN; }
} // namespace __sanitizer

extern "C" {

// ---- mappings --------------------------------------------------------------

struct hp_mapping_visit {
  void (*each)(const hp_sys_mapping *mapping, void *arg);
  void *arg;
};

static bool visit_mapping(const char *line, void *arg) {
  const auto *visit = static_cast<const hp_mapping_visit *>(arg);
  hp_sys_mapping mapping = {};
  const char *rest = hp_mapping_range(line, &mapping.begin, &mapping.end);
  if (!rest)
    return true;
  mapping.is_readable = rest[0] == ' ' && rest[1] == 'r';
  const enum hp_smaps_kind kind = hp_smaps_kind(line);
  mapping.is_main_stack = kind == HP_SMAPS_STACK;
  mapping.is_data = kind == HP_SMAPS_ANONYMOUS || kind == HP_SMAPS_BREAK ||
                    (kind == HP_SMAPS_FILE && internal_strlen(rest) > 4 &&
                     rest[2] == 'w' && rest[4] == 'p');
  visit->each(&mapping, visit->arg);
  return true;
}

// sanitizer_common's own reader of maps ends the process where there is no
// memory; this one needs none.
bool hp_sys_mappings(void (*each)(const struct hp_sys_mapping *mapping,
                                  void *arg),
                     void *arg) {
  char text[4096];
  hp_mapping_visit visit = {each, arg};
  return hp_mapping_lines("/proc/self/maps", text, sizeof text, visit_mapping,
                          &visit);
}

// ---- globals ---------------------------------------------------------------

struct hp_global_visit {
  void (*each)(uintptr_t begin, uintptr_t end, void *arg);
  void *arg;
  uptr thread_pointer, lowest; // of the static block
  hp_sys_image image;
};

// The blocks of modules that are loaded later lie in chunks of the heap.
static const uptr kStaticBlockMost = (uptr)64 << 20;

static int visit_globals(dl_phdr_info *info, size_t size, void *arg) {
  hp_global_visit *visit = static_cast<hp_global_visit *>(arg);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uptr from = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && header->p_flags & PF_W)
      visit->each(from, from + header->p_memsz, visit->arg);
    if (header->p_type == PT_LOAD && info->dlpi_addr == getauxval(AT_BASE)) {
      hp_sys_image *image = &visit->image;
      image->linker_begin =
          image->linker_end ? Min(image->linker_begin, from) : from;
      image->linker_end = Max(image->linker_end, from + header->p_memsz);
    }
  }
  if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof(void *))
    return 0;
  uptr block = reinterpret_cast<uptr>(info->dlpi_tls_data);
  if (block && block < visit->lowest &&
      visit->thread_pointer - block < kStaticBlockMost)
    visit->lowest = block;
  return 0;
}

uintptr_t hp_sys_thread_pointer(void) {
  uptr pointer;
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

hp_sys_image hp_sys_globals(void (*each)(uintptr_t begin, uintptr_t end,
                                         void *arg),
                            void *arg) {
  const uptr self = hp_sys_thread_pointer();
  hp_global_visit visit = {each, arg, self, self, {}};
  hp_libraries_visit(visit_globals, &visit);
  visit.image.static_block = self - visit.lowest;
  return visit.image;
}

// ---- threads ---------------------------------------------------------------

static bool is_alive(int pid, int id) {
  char path[64], text[128];
  internal_snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, id);
  if (!hp_sys_read_text(path, text, sizeof text))
    return false;
  const char *state = internal_strrchr(text, ')'); // behind the name
  return state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}

struct hp_entry_of_directory {
  uint64_t inode, offset;
  uint16_t size;
  uint8_t type;
  char name[1];
};

// Calls EACH for each thread of PID but the runtime's own; false: there is no
// /proc, or EACH has said so.
static bool each_thread(int pid, bool (*each)(int id, void *arg), void *arg) {
  char path[32];
  alignas(8) char buffer[2048];
  internal_snprintf(path, sizeof path, "/proc/%d/task", pid);
  int fd = hp_sys_open(path);
  if (fd < 0)
    return false;
  bool good = true;
  long n = 0;
  while (good && (n = hp_sys_read_directory(fd, buffer, sizeof buffer)) > 0)
    for (long at = 0; good && at < n;) {
      const auto *entry =
          reinterpret_cast<const hp_entry_of_directory *>(buffer + at);
      at += entry->size;
      int id = (int)internal_atoll(entry->name);
      if (id > 0 && !hp_sys_is_own(id))
        good = each(id, arg);
    }
  hp_sys_close(fd);
  return good && n == 0;
}

struct hp_standstill {
  const hp_sys_stopped *self;
  void (*each)(const hp_sys_stopped *thread, void *arg);
  void (*body)(void *arg);
  void *arg;
  const SuspendedThreadsList *threads;
  int pid;
  bool others, amid_work, done;
};

static bool is_other(int id, void *arg) {
  hp_standstill *still = static_cast<hp_standstill *>(arg);
  still->others =
      still->others || (id != still->self->id && is_alive(still->pid, id));
  return true;
}

// What may have done a part of its work when it waits, and returns that part if
// its thread is stopped: the argument that is written to, and the one that says
// how many bytes; 0: none does.  What a pipe takes at once has no parts.
struct hp_call_in_parts {
  long call;
  unsigned to, bytes;
};
static const hp_call_in_parts kCallsInParts[] = {
    {SYS_write, 0, 2},    {SYS_pwrite64, 0, 2}, {SYS_sendto, 0, 2},
    {SYS_sendfile, 0, 3}, {SYS_splice, 2, 4},   {SYS_tee, 1, 2},
    {SYS_writev, 0, 0},   {SYS_pwritev, 0, 0},  {SYS_pwritev2, 0, 0},
    {SYS_sendmsg, 0, 0},  {SYS_sendmmsg, 0, 0}, {SYS_vmsplice, 0, 0}};

static bool is_amid_work(int id, void *arg) {
  hp_standstill *still = static_cast<hp_standstill *>(arg);
  char path[64], text[256]; // "CALL 0xARGUMENT...", "running" or "-1 ..."
  internal_snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", still->pid,
                    id);
  if (id == still->self->id || !hp_sys_read_text(path, text, sizeof text))
    return true;
  const char *at = text;
  const long call = internal_simple_strtoll(at, &at, 10);
  if (at == text)
    return true;
  uptr arguments[5] = {};
  for (uptr &argument : arguments)
    if (!internal_strncmp(at, " 0x", 3))
      at = hp_mapping_hexadecimal(at + 3, &argument);
  for (const hp_call_in_parts &in_parts : kCallsInParts)
    if (in_parts.call == call &&
        (!in_parts.bytes || arguments[in_parts.bytes] > PIPE_BUF) &&
        !hp_sys_is_regular((int)arguments[in_parts.to]))
      still->amid_work = true;
  return true;
}

static bool is_suspended(int id, void *arg) {
  const hp_standstill *still = static_cast<hp_standstill *>(arg);
  for (uptr i = 0; i < still->threads->ThreadCount(); i++)
    if ((int)still->threads->GetThreadID(i) == id)
      return true;
  return !is_alive(still->pid, id);
}

// The kernel lets most calls go on where they waited, since no handler ran.
// These it ends with EINTR, which the program has not asked for: the thread
// makes the call again.  Those that wait for a time wait for all of it again.
// One that has done a part of what it was asked for says so, and cannot go on:
// then threads are not stopped (is_amid_work).
static const long kCallsNotResumed[] = {SYS_epoll_wait,
                                        SYS_epoll_pwait,
                                        441 /* epoll_pwait2 */,
                                        SYS_semop,
                                        SYS_semtimedop,
                                        SYS_rt_sigtimedwait,
                                        SYS_accept,
                                        SYS_accept4,
                                        SYS_recvfrom,
                                        SYS_recvmsg,
                                        SYS_recvmmsg,
                                        SYS_read,
                                        SYS_readv,
                                        SYS_connect,
                                        SYS_sendto,
                                        SYS_sendmsg,
                                        SYS_sendmmsg,
                                        SYS_write,
                                        SYS_writev,
                                        SYS_io_getevents,
                                        333 /* io_pgetevents */,
                                        426 /* io_uring_enter */};
static const uptr kSyscallBytes = 2; // of the instruction

static void make_call_again(int id, const uptr *stopped_at) {
  user_regs_struct registers;
  internal_memcpy(&registers, stopped_at, sizeof registers);
  if ((long)registers.rax != -EINTR)
    return;
  for (long call : kCallsNotResumed)
    if ((long)registers.orig_rax == call) {
      registers.rax = registers.orig_rax;
      registers.rip -= kSyscallBytes;
      internal_ptrace(PTRACE_SETREGS, id, nullptr, &registers);
    }
}

// REGISTERS stay mapped until all is done: EACH may list what is mapped.
static bool give_thread(hp_standstill *still, uptr i,
                        InternalMmapVector<uptr> *registers) {
  hp_sys_stopped thread = {};
  thread.id = (int)still->threads->GetThreadID(i);
  if (hp_sys_is_own(thread.id))
    return true;
  if (thread.id == still->self->id) {
    still->each(still->self, still->arg);
    return true;
  }
  uptr sp = 0;
  PtraceRegistersStatus status =
      still->threads->GetRegistersAndSP(i, registers, &sp);
  if (status != REGISTERS_AVAILABLE)
    return status == REGISTERS_UNAVAILABLE_FATAL; // it is gone
  thread.sp = sp;
  thread.registers = registers->data();
  thread.register_count = registers->size();
  thread.thread_pointer =
      (*registers)[offsetof(user_regs_struct, fs_base) / sizeof(uptr)];
  make_call_again(thread.id, thread.registers);
  still->each(&thread, still->arg);
  return true;
}

static void stopped(const SuspendedThreadsList &threads, void *arg) {
  hp_standstill *still = static_cast<hp_standstill *>(arg);
  still->threads = &threads;
  InternalMmapVector<uptr> registers;
  bool good = each_thread(still->pid, is_suspended, still);
  for (uptr i = 0; good && i < threads.ThreadCount(); i++)
    good = give_thread(still, i, &registers);
  if (!good)
    return;
  still->body(still->arg);
  still->done = true;
}

// A thread that was joined may be on the list a moment longer.
static const unsigned kLooks = 10;
static const uint64_t kPause = 100000; // ns
static const size_t kNeeded = 4 << 20;

static const long kCallsToStop[] = {
    SYS_mmap,      SYS_mprotect, SYS_munmap,       SYS_clone,
    SYS_ptrace,    SYS_wait4,    SYS_prctl,        SYS_rt_sigprocmask,
    HP_CALL_BLOCK, SYS_futex,    SYS_sched_yield,  SYS_getpid,
    SYS_getppid,   SYS_tgkill,   SYS_rt_sigaction, SYS_sigaltstack};

// What sanitizer_common does as it stops threads: where one of these is refused, it would
// end the process, or wait for ever for its tracer, which does not find its parent.
static bool may_stop() {
  static const uptr any[6] = {};
  const uptr room = reinterpret_cast<uptr>(hp_sys_map(kNeeded)), nothing = 0;
  const bool may = room && hp_raw_call(SYS_getpid, any) > 0 &&
                   hp_raw_call(SYS_getppid, any) >= 0 &&
                   !system_call(SYS_mprotect, room, kNeeded, PROT_NONE) &&
                   !system_call(SYS_rt_sigprocmask, SIG_BLOCK,
                                reinterpret_cast<uptr>(&nothing), 0, 8);
  return room && !system_call(SYS_munmap, room, kNeeded) && may;
}

static bool visit_status(const char *line, void *arg) {
  static const char filtered[] = "Seccomp:\t2";
  auto *is_filtered = static_cast<bool *>(arg);
  *is_filtered |= !internal_strncmp(line, filtered, sizeof filtered - 1);
  return true;
}

// A filter that was there before the program began, as a service manager's, may kill who calls ptrace;
// the program would wait for that for ever.  So a child that shares nothing and is no core file calls
// it first.
static bool may_trace() {
  char text[512];
  bool is_filtered = false;
  hp_mapping_lines("/proc/self/status", text, sizeof text, visit_status,
                   &is_filtered);
  if (!is_filtered)
    return true;
  static const uptr nothing[6] = {};
  uint64_t mask;
  hp_sys_block_signals(&mask);
  const int child = static_cast<int>(hp_raw_call(SYS_clone, nothing));
  if (!child) {
    internal_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    internal_ptrace(PTRACE_DETACH, 0, nullptr, nullptr);
    internal__exit(0);
  }
  int status = 1;
  uptr waited = 0;
  do
    waited = child < 0 ? 0 : internal_waitpid(child, &status, __WALL);
  while (waited == static_cast<uptr>(-EINTR));
  hp_sys_restore_signals(&mask);
  return waited == static_cast<uptr>(child) && !status;
}

bool hp_sys_is_only_thread(void) {
  const hp_sys_stopped self = {hp_sys_gettid(), 0, 0, nullptr, 0};
  hp_standstill still = {&self,        nullptr, nullptr, nullptr, nullptr,
                         hp_sys_pid(), false,   false,   false};
  return each_thread(still.pid, is_other, &still) && !still.others;
}

enum hp_sys_stand
hp_sys_stand_still(const struct hp_sys_stopped *self,
                   void (*each)(const struct hp_sys_stopped *thread, void *arg),
                   void (*body)(void *arg), void *arg) {
  hp_standstill still = {self,         each,  body,  arg,  nullptr,
                         hp_sys_pid(), false, false, false};
  for (unsigned i = 0; i < kLooks; i++) {
    still.others = false;
    if (i)
      hp_sys_sleep_ns(kPause);
    if (!each_thread(still.pid, is_other, &still))
      return HP_SYS_NO_PROC;
    if (!still.others) {
      each(self, arg);
      body(arg);
      return HP_SYS_STOOD_STILL;
    }
  }
  for (long call : kCallsToStop)
    if (hp_forbids(call))
      return HP_SYS_NOT_STOPPED;
  for (unsigned i = 0; i < kLooks && (!i || still.amid_work); i++) {
    still.amid_work = false;
    if (i)
      hp_sys_sleep_ns(kPause);
    each_thread(still.pid, is_amid_work, &still);
  }
  if (still.amid_work)
    return HP_SYS_AMID_WORK;
  if (!may_stop() || !may_trace())
    return HP_SYS_NOT_STOPPED;
  StopTheWorld(stopped, &still);
  return still.done ? HP_SYS_STOOD_STILL : HP_SYS_NOT_STOPPED;
}

} // extern "C"
