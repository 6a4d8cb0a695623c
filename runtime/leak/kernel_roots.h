/* kernel_roots.h - pointers that the program gave to the kernel, which may be all there is:
   the data of an epoll instance, the value of a timer, the stack of a signal's handlers, what
   io_uring gives back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_KERNEL_ROOTS_H
#define HP_KERNEL_ROOTS_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread's handlers run on STACK from now on; NULL: on none of the program's. */
void hp_kernel_has_stack(const void *stack);

/* Calls REACH for each that process PID has.  False: an io_uring may have others, which it
   does not tell.  What else cannot be asked for is left out. */
bool hp_kernel_roots_each(int pid, void (*reach)(uint64_t word));

#ifdef __cplusplus
}
#endif
#endif
