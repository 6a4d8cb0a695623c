/* heapprof_globals.h - global and thread-local variables of each module of a process:
   how large, and how much of them is resident.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_GLOBALS_H
#define HEAPPROF_GLOBALS_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hp_globals hp_globals;

struct hp_variable {
  const char *name;        /* demangled */
  uint64_t bytes;          /* of thread-local ones: in each thread */
  uint64_t resident_bytes; /* of bytes, on pages that are; 0 if thread-local */
  bool is_thread_local;
};

struct hp_global_module {
  size_t process; /* index in the profile */
  const char *module;
  uint64_t bytes;          /* of writable segments, in whole pages */
  uint64_t resident_bytes; /* of these, at the end */
  bool pages_known; /* else of no variable it is known what is resident */
  bool file_known;  /* else no variable is known */
  uint64_t thread_local_bytes;         /* in each thread */
  const struct hp_variable *variables; /* largest first */
  size_t variable_count;
};

/* What the dumps say, and the modules' files, which may be gone.  Modules with
   most resident first, by process.  *OUT is the caller's. */
hp_status hp_globals_make(hp_globals **out, const hp_profile *profile,
                          struct hp_error *error);
size_t hp_globals_count(const hp_globals *globals); /* NULL: 0 */
const struct hp_global_module *hp_globals_at(const hp_globals *globals,
                                             size_t i);
void hp_globals_free(hp_globals *globals); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
