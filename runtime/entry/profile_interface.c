/* profile_interface.c - start, stop, dump and reset as a program calls them.
   Part of heapprof_interface.h; each keeps errno.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sanitizer/heapprof_interface.h>

#include "process/own_profile.h"
#include "profile/marks.h"

HP_EXPORT void __heapprof_start(void) { hp_profile_record(true); }
HP_EXPORT void __heapprof_stop(void) { hp_profile_record(false); }
HP_EXPORT void __heapprof_reset(void) { hp_profile_reset(); }
HP_EXPORT void __heapprof_mark(const char *name) {
  if (name && hp_profile_is_ours())
    hp_marks_add(name);
}
HP_EXPORT int __heapprof_dump(void) { return hp_profile_dump("call") ? 0 : -1; }
