/* hook-recorder.h - what a test program calls: watch a range, then print the
   counts. The hooks are declared here as the pass calls them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HOOK_RECORDER_H
#define HOOK_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int recorder_started(void); /* number of calls of __heapprof_init */
void recorder_watch(const void *p, size_t n);
void recorder_print(const char *what);
void recorder_print_bytes(const char *what); /* where calls differ */

void __heapprof_strided(char *p, int64_t stride, uint64_t lane, uint64_t mask,
                        int kind);

#ifdef __cplusplus
}
#endif

#endif
