/* stack.h - from the raw return addresses of a point to frames and a site.
   The module is the one mapped at the address when the point first allocated.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STACK_H
#define HP_STACK_H

#include "read/raw_dump.h"
#include "resolve/symbolize.h"

/* When code of POINT ran, in ticks. */
uint64_t hp_stack_time(const struct hp_dump *dump,
                       const struct hp_dump_point *point);

/* The module where CALL lay at TIME; NULL if there is none. */
const struct hp_dump_module *hp_stack_module_at(const struct hp_dump *dump,
                                                uint64_t time, uint64_t call);

/* NULL if CALL, an address in the stack of POINT, was in no module. */
const struct hp_dump_module *hp_stack_module(const struct hp_dump *dump,
                                             const struct hp_dump_point *point,
                                             uint64_t call);

/* Sets stack, stack_count, site, unseen and accesses_known of *POINT.  A frame
   is SYMBOLIZER's and the same in all stacks; the list of them is STORE's.
   *HANDED_TO: number of the first frame outward of the owner that has no hooks
   and is no system code; 0: none, or the owner has no hooks itself.  *IS_TEXT: the
   owner is a function such as asprintf, whose caller has hooks and gets what it makes: all
   that is done to this is counted. */
hp_status hp_stack_resolve(struct hp_store *store, hp_symbolizer *symbolizer,
                           const struct hp_dump *dump,
                           const struct hp_dump_point *raw,
                           struct hp_point *point, size_t *handed_to,
                           bool *is_text, struct hp_error *error);

/* All frames of STACK as code lay at TIME, those of the allocator, too. */
hp_status hp_stack_resolve_at(struct hp_store *store, hp_symbolizer *symbolizer,
                              const struct hp_dump *dump, const uint64_t *stack,
                              size_t stack_count, uint64_t time,
                              const struct hp_frame *const **found,
                              size_t *count, struct hp_error *error);

/* The innermost frame of the call that returns to PC while POINT allocates;
   NULL if PC is 0 or lies in no module. */
hp_status hp_stack_frame(const struct hp_frame **frame,
                         hp_symbolizer *symbolizer, const struct hp_dump *dump,
                         const struct hp_dump_point *point, uint64_t pc,
                         struct hp_error *error);
/* All COUNT of them, the innermost first: those inlined into one function. */
hp_status hp_stack_frames(const struct hp_frame **frames, size_t *count,
                          hp_symbolizer *symbolizer, const struct hp_dump *dump,
                          const struct hp_dump_point *point, uint64_t pc,
                          struct hp_error *error);

#endif
