// message.cpp - see message.h: lines of sanitizer_common's, and its flags.
// A line leaves by one write, so that lines of processes do not mix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/message.h"

#include "system/forbidden_calls.h"
#include "system/loaded_modules.h"
#include "system/own_thread.h"
#include "system/process_facts.h"
#include "system/signal_mask.h"
#include "system/stack_mapping.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace __sanitizer {
// Defined by sanitizer_printf.cpp, declared by none of its headers.
int VSNPrintf(char *buffer, int size, const char *format, va_list arguments);

// Asked for by sanitizer_common's own failed checks only; those name the line.
void BufferedStackTrace::UnwindImpl(uptr, uptr, void *, bool, u32) { size = 0; }
} // namespace __sanitizer

static const int kLineMax = 4096 + 512; // a path and what is said about it

// Appends to the line of LENGTH bytes, cutting what does not fit; one byte
// stays free for the line's end.
static int append(char *line, int length, const char *format,
                  va_list arguments) {
  int room = kLineMax - 1 - length;
  int needed = VSNPrintf(line + length, room, format, arguments);
  return length + (needed < room ? needed : room - 1);
}

// Lines of a thread that has no descriptors, until another one says them.
static struct {
  struct hp_lock lock;
  int size;
  char text[16 << 10];
} kept;

static void keep(const char *line) {
  int length = (int)internal_strlen(line);
  hp_lock_take(&kept.lock);
  if (kept.size + length < (int)sizeof kept.text) {
    internal_memcpy(kept.text + kept.size, line, length + 1);
    __atomic_store_n(&kept.size, kept.size + length, __ATOMIC_RELAXED);
  }
  hp_lock_release(&kept.lock);
}

// Nobody may read what is said, or there is no room for it: the program shall
// not hear of that.
static void say(const char *text) {
  uint64_t mask, before = hp_sys_pending_signals();
  hp_sys_block_signals(&mask);
  RawWrite(text);
  hp_sys_forget_signal(SIGPIPE, before);
  hp_sys_forget_signal(SIGXFSZ, before);
  hp_sys_restore_signals(&mask);
}

static void put_line(const char *kind, const char *format, va_list arguments) {
  char line[kLineMax];
  int length = internal_snprintf(line, kLineMax, "==%d==heapprof: %s",
                                 hp_sys_pid(), kind);
  length = append(line, length, format, arguments);
  line[length] = '\n';
  line[length + 1] = 0;
  if (hp_sys_is_mute() || hp_forbids_message())
    keep(line);
  else
    say(line);
}

extern "C" {

void hp_sys_say_kept(void) {
  if (!__atomic_load_n(&kept.size, __ATOMIC_RELAXED) || hp_forbids_message())
    return;
  hp_lock_take(&kept.lock);
  if (kept.size)
    say(kept.text);
  kept.size = 0;
  hp_lock_release(&kept.lock);
}

int hp_sys_format(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int needed = VSNPrintf(buffer, (int)size, format, arguments);
  va_end(arguments);
  return needed;
}

void hp_sys_print(const char *text) {
  if (!hp_forbids_message())
    say(text);
}

void hp_sys_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_line("", format, arguments);
  va_end(arguments);
}

void hp_sys_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put_line("ERROR: ", format, arguments);
  va_end(arguments);
  Die();
}

void hp_sys_before_death(void (*call)(void)) { AddDieCallback(call); }

bool hp_sys_log_is_elsewhere(void) {
  return report_file.fd != kStderrFd && report_file.fd != kInvalidFd;
}

// ---- stacks in messages ----------------------------------------------------

struct hp_frame_search {
  uptr pc;
  char path[4096];
  uptr offset;
  bool found;
};

static void match_module(const struct hp_sys_module *module, void *arg) {
  hp_frame_search *search = static_cast<hp_frame_search *>(arg);
  if (search->found || search->pc < module->start || search->pc >= module->end)
    return;
  internal_strlcpy(search->path, module->path, sizeof search->path);
  search->offset = search->pc - module->bias;
  search->found = true;
}

static void put_frame(int number, uptr pc) {
  hp_frame_search search;
  search.pc = pc - 1; // within the call
  search.found = false;
  hp_sys_modules(match_module, &search);
  char line[kLineMax];
  if (search.found)
    internal_snprintf(line, kLineMax, "    #%d 0x%zx (%s+0x%zx)\n", number,
                      search.pc, search.path, search.offset);
  else
    internal_snprintf(line, kLineMax, "    #%d 0x%zx\n", number, search.pc);
  hp_sys_print(line);
}

// Frame pointers only: a frame that keeps none ends the walk or is left out.
static void put_stack(const struct hp_caller *caller) {
  uintptr_t bottom, top;
  hp_sys_stack_bounds(caller->sp, &bottom, &top);
  uptr pc = caller->pc, bp = caller->bp, last = caller->sp;
  for (int number = 0;
       number < common_flags()->malloc_context_size && pc > 4095; number++) {
    put_frame(number, pc);
    if (bp < last || bp < bottom || bp % sizeof(uptr) ||
        bp + 2 * sizeof(uptr) > top)
      break;
    last = bp + 2 * sizeof(uptr);
    pc = reinterpret_cast<const uptr *>(bp)[1];
    bp = reinterpret_cast<const uptr *>(bp)[0];
  }
}

void hp_sys_warn_with_stack(const struct hp_caller *caller, const char *format,
                            ...) {
  va_list arguments;
  va_start(arguments, format);
  put_line("", format, arguments);
  va_end(arguments);
  put_stack(caller);
}

// ---- flags -----------------------------------------------------------------

void hp_sys_init_messages(const struct hp_sys_flags *flags) {
  SanitizerToolName = "heapprof";
  SetCommonFlagsDefaults();
  hp_sys_apply_flags(flags);    // what follows may end the process
  if (hp_sys_executable_path()) // else this says so, on stderr
    CacheBinaryName();
}

void hp_sys_apply_flags(const struct hp_sys_flags *asked) {
  CommonFlags flags;
  flags.CopyFrom(*common_flags());
  // Whatever a sanitizer does for its reports and a profiler must not do to
  // the program.
  flags.handle_segv = flags.handle_sigbus = flags.handle_abort =
      flags.handle_sigill = flags.handle_sigtrap = flags.handle_sigfpe =
          kHandleSignalNo;
  flags.detect_leaks = false;
  flags.symbolize = false;
  flags.malloc_context_size = asked->malloc_context_size;
  flags.fast_unwind_on_malloc = asked->fast_unwind_on_malloc;
  flags.allocator_may_return_null = asked->allocator_may_return_null;
  flags.log_path = asked->log_path;
  flags.log_exe_name = asked->log_exe_name;
  flags.log_suffix = asked->log_suffix;
  flags.log_fallback_to_stderr = asked->log_fallback_to_stderr;
  flags.exitcode = asked->exitcode;
  flags.abort_on_error = asked->abort_on_error;
  flags.verbosity = asked->verbosity;
  OverrideCommonFlags(flags);
  SetVerbosity(flags.verbosity);
}

// sanitizer_common's own, which expands the path, holds the lock of messages and
// waits for it if a variable is not set.
void hp_sys_open_log(const char *path) {
  if (internal_strcmp(path, "stderr") == 0)
    return;
  internal_strlcpy(report_file.path_prefix, path, kMaxPathLength);
  report_file.fd =
      internal_strcmp(path, "stdout") == 0 ? kStdoutFd : kInvalidFd;
}

} // extern "C"
