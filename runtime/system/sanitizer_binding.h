/* sanitizer_binding.h - the C face of sanitizer_common.
   The only way to the operating system; never allocates, never touches errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SANITIZER_BINDING_H
#define HP_SANITIZER_BINDING_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- memory: whole pages, zeroed, never counted against overcommit ------- */
void *hp_sys_reserve(size_t size); /* no access yet; NULL if refused */
/* The same at P and nowhere else; false if refused or if something is there. */
bool hp_sys_reserve_at(void *p, size_t size);
/* Makes what is reserved readable and writable, zeroed if it was not so before.
   What is not reserved is mapped, if nothing is there.  Where that is refused a
   part may have been done. */
bool hp_sys_commit(void *p, size_t size);
/* Makes what was committed reserved again: its memory is given back, and it
   does not count as data. */
void hp_sys_uncommit(void *p, size_t size);
/* The same for all of a range that is reserved, if the system allows it, so that
   to commit parts of it needs no system call any more.  For two ranges. */
void hp_sys_commit_ahead(void *p, size_t size);
void *hp_sys_map(size_t size); /* readable and writable; NULL if refused */
/* Where hp_sys_map() and hp_sys_reserve() put what they map, unless something
   is there: so it is told from what the program maps. */
#define HP_MAPS_BASE ((uintptr_t)0x540000000000)
#define HP_MAPS_END ((uintptr_t)0x550000000000)
/* Whether the system would map SIZE bytes for a program: what is reserved here
   is not counted, so that it never refuses. */
bool hp_sys_would_map(size_t size);
void hp_sys_unmap(void *p, size_t size);
/* Gives the pages memory now, in huge ones where those are to be had; where the
   kernel cannot, as they are touched. */
void hp_sys_populate(void *p, size_t size);
/* Makes pages that have memory a huge one, if the kernel can. */
void hp_sys_collapse(void *p, size_t size);
void hp_sys_release(void *p,
                    size_t size); /* gives pages back; they read as zero */
/* Never makes a huge page of what is there. */
void hp_sys_refuse_huge(void *p, size_t size);
bool hp_sys_has_swap(void); /* now; true if that is not known */
/* Of each page whether it is in memory, by bit 0 of a byte of its own; false: the
   system does not say.  What is swapped is not. */
bool hp_sys_in_memory(void *p, size_t size, uint8_t *pages);

enum hp_sys_limit { HP_SYS_LIMIT_DATA = 2, HP_SYS_LIMIT_SPACE = 9 };
uint64_t hp_sys_limit(enum hp_sys_limit what); /* bytes; UINT64_MAX: none */
/* Sets it to what may be had without being asked; the limit before. */
uint64_t hp_sys_lift_limit(enum hp_sys_limit what);
void hp_sys_put_limit_back(enum hp_sys_limit what, uint64_t limit);

/* ---- files --------------------------------------------------------------- */
/* Each returns a negative errno on failure. */
/* 0700 is that whatever the umask says; other modes are less the umask. */
int hp_sys_mkdir(const char *path, unsigned mode);
/* Paths count from the directory AT. */
#define HP_SYS_PATHS (-100) /* AT_FDCWD: from the working directory */
int hp_sys_create(int at,
                  const char *path); /* O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW
                                |O_CLOEXEC, 0600 whatever the umask says */
int hp_sys_append(
    int at, const char *path); /* O_WRONLY|O_APPEND|O_NOFOLLOW|O_CLOEXEC */
int hp_sys_open_at(int at, const char *path); /* O_RDONLY|O_CLOEXEC */
int hp_sys_open(const char *path);
int hp_sys_hold_directory(const char *path); /* O_PATH: to be an AT */
long hp_sys_read(int fd, void *p, size_t n);
/* The first SIZE - 1 bytes of a file, by one read, and a 0 behind them.  False:
   it cannot be read or is empty. */
bool hp_sys_read_text(const char *path, char *text, size_t size);
long hp_sys_read_at(int fd, void *p, size_t n, uint64_t offset);
long hp_sys_read_directory(int fd, void *p, size_t n); /* getdents64 */
int hp_sys_write_all(int fd, const void *p,
                     size_t n);             /* 0, or why not all was written */
int hp_sys_truncate(int fd, uint64_t size); /* and goes on writing there */
int hp_sys_close(int fd);
int hp_sys_rename(int at, const char *from, const char *to);
int hp_sys_unlink(int at, const char *path);
int hp_sys_rmdir(const char *path);
bool hp_sys_may_execute(const char *path); /* a file, by the effective user */

/* ---- process ------------------------------------------------------------- */
int hp_sys_pid(void);
int hp_sys_parent_pid(void);
int hp_sys_gettid(void);
bool hp_sys_thread_is_gone(
    int id); /* there is no such thread in this process */
const char *hp_sys_getenv(
    const char *name); /* of the environment at start; NULL if unset */
const char *hp_sys_executable_path(void); /* /proc/self/exe's target, or NULL */
bool hp_sys_executable(char *path, size_t size); /* the same */
size_t
hp_sys_cmdline(char *buffer,
               size_t size); /* arguments, each ended by NUL; bytes stored */
bool hp_sys_hostname(char *name, size_t size);
bool hp_sys_working_directory(char *path, size_t size); /* absolute */
uint64_t hp_sys_monotonic_ns(void);
uint64_t hp_sys_realtime_ns(void);
void hp_sys_sleep_ns(uint64_t ns);
void hp_sys_yield(void);
void hp_sys_futex_wait(uint32_t *word, uint32_t while_value);
/* The same for NS at most; false: the time is over. */
bool hp_sys_futex_wait_for(uint32_t *word, uint32_t while_value, uint64_t ns);
void hp_sys_futex_wake(uint32_t *word);     /* one thread */
void hp_sys_futex_wake_all(uint32_t *word); /* every one */
/* The mapping of the stack that SP is in: [*bottom, *top); empty if unknown. */
void hp_sys_stack_bounds(uintptr_t sp, uintptr_t *bottom, uintptr_t *top);
/* An address beyond all frames of the stack that the calling thread began with,
   in its mapping; 0 if unknown. */
uintptr_t hp_sys_stack_top(void);
bool hp_sys_readable(uintptr_t address); /* the word there; asks the kernel */
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
void hp_sys_say_kept(void);
/* The calling thread gets the user and groups of the process's first thread:
   libc's setuid() and its kin change only threads that it knows. */
void hp_sys_follow_user(void);
/* Every thread of the process that runs passes a memory barrier before this
   returns; false if the kernel cannot do that. */
bool hp_sys_barrier(void);
/* Keeps every signal from the calling thread; *SAVED is its mask before. */
void hp_sys_block_signals(uint64_t *saved);
void hp_sys_restore_signals(const uint64_t *saved);
void hp_sys_mask_signal(int number, bool blocked); /* one of them */
/* Those that wait for the calling thread; and NUMBER no longer does, where it is
   not one of BEFORE. */
uint64_t hp_sys_pending_signals(void);
void hp_sys_forget_signal(int number, uint64_t before);
/* Makes a signal do what it does where nobody has asked for anything else. */
void hp_sys_reset_signal(int number);
/* Sends a signal to the calling thread, as it was sent before; where a filter
   of system calls refuses that, by those that libc uses.  False: by none. */
bool hp_sys_queue_signal(int number, const void *info);
void hp_sys_end_process(int status); /* at once */

/* ---- messages ------------------------------------------------------------ */
/* One line on the report file (stderr, or log_path); printf's %d %u %zu %p %s
   %x and 64-bit %llu; a line begins "==PID==heapprof: ". */
void hp_sys_warn(const char *format, ...);
/* The same with "ERROR: ", then ends the process with options.exitcode. */
HP_NORETURN void hp_sys_die(const char *format, ...);
/* hp_sys_warn, then the stack from CALLER up, symbolised as far as possible. */
void hp_sys_warn_with_stack(const struct hp_caller *caller, const char *format,
                            ...);
void hp_sys_print(const char *text); /* as it is */
int hp_sys_format(char *buffer, size_t size, const char *format, ...);

bool hp_sys_is_only_thread(void); /* of the program's */
bool hp_sys_is_runtimes(void);    /* the calling thread is the runtime's own */

/* ---- modules ------------------------------------------------------------- */
struct hp_sys_module {
  const char *path;
  uintptr_t bias, start, end; /* as in heapprof_format.def */
  const uint8_t *build_id;
  size_t build_id_size;
};
/* Calls EACH for every loaded ELF module (dl_iterate_phdr), [vdso] included. */
void hp_sys_modules(void (*each)(const struct hp_sys_module *module, void *arg),
                    void *arg);
/* The segment of a loaded module that ADDRESS lies in; false: there is none. */
bool hp_sys_segment(uintptr_t address, uintptr_t *begin, uintptr_t *end);

/* The module that PC is in, and its sorted table of functions. */
struct hp_sys_unwind_table {
  const uint8_t *begin, *end; /* of all that is loaded of it */
  const uint8_t *header;      /* .eh_frame_hdr; NULL: it has none */
};
bool hp_sys_unwind_table(uintptr_t pc, struct hp_sys_unwind_table *table);
/* ---- all of the program's memory ----------------------------------------- */
struct hp_sys_mapping {
  uintptr_t begin, end;
  bool is_readable, is_main_stack;
};
/* False: they are not known, since there is no /proc. */
bool hp_sys_mappings(void (*each)(const struct hp_sys_mapping *mapping,
                                  void *arg),
                     void *arg);
/* Calls EACH for the writable segments of all modules, with libc's lock of
   modules held. */
struct hp_sys_image {
  size_t static_block; /* of thread-local variables below a thread's pointer */
  uintptr_t linker_begin, linker_end; /* the dynamic linker's code and data */
};
struct hp_sys_image hp_sys_globals(void (*each)(uintptr_t begin, uintptr_t end,
                                                void *arg),
                                   void *arg);
uintptr_t hp_sys_thread_pointer(void); /* of the calling thread */

struct hp_sys_stopped {
  int id;
  uintptr_t sp, thread_pointer;
  const uintptr_t *registers;
  size_t register_count;
};
enum hp_sys_stand { HP_SYS_STOOD_STILL, HP_SYS_NOT_STOPPED, HP_SYS_NO_PROC };
/* Calls EACH for all threads of the program, SELF for the calling one, and then
   BODY, while all of them stand still.  Where others run they are stopped by
   ptrace, and both are called on a thread that is none of this process: they
   take no lock.  Else nothing was called, or some of EACH. */
enum hp_sys_stand
hp_sys_stand_still(const struct hp_sys_stopped *self,
                   void (*each)(const struct hp_sys_stopped *thread, void *arg),
                   void (*body)(void *arg), void *arg);

/* ---- exceptions ---------------------------------------------------------- */
/* Calls BODY(ARG); false if a C++ exception left it, which ends there. */
bool hp_sys_call_guarded(void (*body)(void *arg), void *arg);

/* ---- start-up, in this order --------------------------------------------- */
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
void hp_sys_open_log(const char *path); /* messages go there */

#ifdef __cplusplus
}
#endif
#endif
