/* system_double.h - the operating system as the runtime's unit tests see it.
   Plain libc underneath; refuses on demand; keeps what was logged and warned.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SYSTEM_DOUBLE_H
#define HP_SYSTEM_DOUBLE_H

#include "heapprof_format.h"
#include "system/platform.h"

#include <setjmp.h>
#include <stdarg.h>

/* needs the two above */
#include <cmocka.h>

extern size_t double_reserve_limit; /* hp_sys_reserve refuses more than this */
extern size_t double_commit_limit;  /* and hp_sys_commit this */

#define DOUBLE_LOG (1u << 17) /* chunks kept, the last ones */
extern struct hp_chunk_log double_log[];
extern bool double_log_disorder; /* an end came behind a later one */
extern bool double_no_barrier;   /* the kernel has no membarrier */
extern size_t double_barriers;   /* calls of hp_sys_barrier */
extern size_t double_log_count;
extern size_t double_warnings;

extern size_t double_sleeps;        /* calls of hp_sys_sleep_ns */
extern uint64_t double_sleep_least; /* ns, of each of them */
extern size_t double_waits;         /* of hp_sys_futex_wait */
extern size_t double_populated;     /* bytes, by hp_sys_populate */
extern size_t double_collapsed;     /* and by hp_sys_collapse */
extern size_t double_masked;        /* threads that hold signals back */

/* Options, heap, clock (without a ticker) and log as after hp_init(). */
void double_start(void);

extern const char *double_smaps; /* read in place of /proc/self/smaps */
/* What hp_sys_written_take() says; NULL: it is not known. */
struct double_written {
  size_t count;
  const uintptr_t *pages;
};
extern const struct double_written *double_written;
extern bool double_has_swap; /* what hp_sys_has_swap() says */

#endif
