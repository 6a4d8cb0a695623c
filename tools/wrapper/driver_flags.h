/* driver_flags.h - the flags of heapprof_flags.def, with the paths in them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_FLAGS_H
#define HP_DRIVER_FLAGS_H

#include "driver_arguments.h"
#include "driver_location.h"

/* The groups of heapprof_flags.def. */
enum hp_flag_group {
  HP_FLAGS_MACROS,
  HP_FLAGS_CODE,
  HP_FLAGS_FRAME,
  HP_FLAGS_LEAF,
  HP_FLAGS_TYPES,
  HP_FLAGS_UNMACRO,
  HP_FLAGS_RUNTIME,
  HP_FLAGS_STANDARD,
  HP_FLAGS_LIBRARIES
};

/* Inserts the flags of GROUP at place AT of OUT; returns the place behind. */
size_t hp_flags_insert(struct hp_strings *out, size_t at,
                       enum hp_flag_group group,
                       const struct hp_location *location);

#endif
