/* hook_abi.h - every symbol that the pass refers to and the runtime has.
   Hooks keep errno, take no lock and may be called from a signal handler.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HOOK_ABI_H
#define HP_HOOK_ABI_H

/* Bumped when a hook changes its meaning.  Each instrumented module refers to
   HP_ABI_SYMBOL from its constructor, so that a runtime of another ABI fails
   at link time instead of counting wrongly. */
#define HP_ABI_VERSION 1
#define HP_ABI_SYMBOL "__heapprof_abi_version_1"

/* Called by each instrumented module's constructor; may be called any number
   of times and before anything else: starts the runtime if it is not. */
#define HP_HOOK_INIT "__heapprof_init" /* void (void) */

/* What an access does; a hook with a `kind` argument takes one of these. */
#define HP_ACCESS_READ 1  /* one read */
#define HP_ACCESS_WRITE 2 /* one write */
#define HP_ACCESS_BOTH 3  /* one read and one write, as an atomic update does */

/* One access of n bytes at p.  n = 0 is no access. */
#define HP_HOOK_READ "__heapprof_read"             /* void (ptr p, i64 n) */
#define HP_HOOK_WRITE "__heapprof_write"           /* void (ptr p, i64 n) */
#define HP_HOOK_READ_WRITE "__heapprof_read_write" /* void (ptr p, i64 n) */

/* Several accesses at once, as the pass merges them: reads read accesses and
   writes write accesses, all of one chunk, whose hull is the n bytes at p.
   n = 0 or reads = writes = 0 is no access. */
#define HP_HOOK_MANY "__heapprof_many" /* void (ptr p, i64 n, i64 reads, i64 writes) */

/* Vector accesses.  A lane is `lane` bytes; bit i of `mask` says that lane i
   is accessed; no bit set is no access.
   masked:  lane i is at p + i * lane
   strided: lane i is at p + i * stride (stride is signed, in bytes)
   lanes:   lane i is at pointers[i]; the array holds `count` pointers
   Each is one access per chunk touched, over the span of its enabled lanes. */
#define HP_HOOK_MASKED "__heapprof_masked"   /* void (ptr p, i64 lane, i64 mask, i32 kind) */
#define HP_HOOK_STRIDED "__heapprof_strided" /* void (ptr p, i64 stride, i64 lane, i64 mask, i32 kind) */
#define HP_HOOK_LANES "__heapprof_lanes"     /* void (ptr pointers, i32 count, i64 lane, i64 mask, i32 kind) */

/* Memory intrinsics: do what the libc function does, and count one read of the
   source range and one write of the target range (per chunk touched). */
#define HP_HOOK_MEMCPY "__heapprof_memcpy"   /* ptr (ptr, ptr, i64) */
#define HP_HOOK_MEMMOVE "__heapprof_memmove" /* ptr (ptr, ptr, i64) */
#define HP_HOOK_MEMSET "__heapprof_memset"   /* ptr (ptr, i32, i64) */

/* Module flag that marks a module the pass has been through. */
#define HP_MODULE_FLAG "heapprof.instrumented"

#endif
