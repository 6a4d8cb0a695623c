/* message.h - lines on the report file (stderr, or log_path), one write each.
   Of options it knows what it is given.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MESSAGE_H
#define HP_MESSAGE_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line on the report file (stderr, or log_path); printf's %d %u %zu %p %s
   %x and 64-bit %llu; a line begins "==PID==heapprof: ". */
void hp_sys_warn(const char *format, ...);
/* The same with "ERROR: ", then ends the process with options.exitcode. */
HP_NORETURN void hp_sys_die(const char *format, ...);
void hp_sys_before_death(void (*call)(void)); /* what is done in between */
/* Lines are in a file or on stdout by now: log_path is opened by the first. */
bool hp_sys_log_is_elsewhere(void);
/* hp_sys_warn, then the stack from CALLER up, symbolised as far as possible. */
void hp_sys_warn_with_stack(const struct hp_caller *caller, const char *format,
                            ...);
/* Says what threads without a stderr warned of (own_thread.h). */
void hp_sys_say_kept(void);
void hp_sys_print(const char *text); /* as it is */
int hp_sys_format(char *buffer, size_t size, const char *format, ...);

/* What sanitizer_common is to do as options say. */
struct hp_sys_flags {
  int malloc_context_size, exitcode, verbosity;
  bool fast_unwind_on_malloc, allocator_may_return_null;
  bool log_exe_name, log_fallback_to_stderr, abort_on_error;
  const char *log_path, *log_suffix;
};
/* Warn and die work from here on, on stderr. */
void hp_sys_init_messages(const struct hp_sys_flags *flags);
void hp_sys_apply_flags(const struct hp_sys_flags *flags);
/* Messages go there: "stderr", "stdout", or to what is so long at most. */
#define HP_SYS_LOG_PATH 3900
void hp_sys_open_log(const char *path);

#ifdef __cplusplus
}
#endif
#endif
