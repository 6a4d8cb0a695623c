/* driver_plan.h - from what a call asks for to the command line of the real
   clang: every flag that -fsanitize=heapprof stands for is added here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_PLAN_H
#define HP_DRIVER_PLAN_H

#include "driver_location.h"
#include "driver_scan.h"

/* What is wrong with the call, in one line without the program's name, or NULL.
   Nothing is wrong with a call without -fsanitize=heapprof. */
const char *hp_plan_error(const struct hp_invocation *invocation,
                          const struct hp_location *location);

/* True if the plugin will be loaded. */
bool hp_plan_instruments(const struct hp_invocation *invocation);

/* True if the runtime goes into what is linked. */
bool hp_plan_links_runtime(const struct hp_invocation *invocation);

/* Appends to OUT the arguments after argv[0].  Returns false (errno set) if a
   response file could not be rewritten. */
bool hp_plan_write(const struct hp_invocation *invocation,
                   const struct hp_location *location,
                   const struct hp_arguments *arguments,
                   struct hp_strings *out);

#endif
