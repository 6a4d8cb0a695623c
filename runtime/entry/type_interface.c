/* type_interface.c - what a program may say about the types of its chunks.
   Part of heapprof_interface.h; a mistake is reported and changes nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sanitizer/heapprof_interface.h>

#include "chunk/allocator.h"
#include "chunk/plain.h"
#include "origin/point.h"
#include "origin/type.h"
#include "profile/collector.h"
#include "system/message.h"
#include "thread/gate.h"

/* Makes the live chunk that begins at P one of TYPE, moving it to the point of
   the same stack and that type.  False if P is no such chunk. */
static bool set_type(const void *p, const struct hp_type *type) {
  struct hp_chunk *chunk = p ? hp_chunk_at(p) : NULL;
  struct hp_bare *bare = hp_bare_holds(p) ? hp_bare_at(p) : NULL;
  if (!chunk && !bare)
    return p && hp_plain_owns(p) && hp_plain_size(p) != SIZE_MAX;
  const uint32_t point =
      bare ? hp_bare_point_of(bare->word) : hp_cold_of(chunk)->point;
  if (!point || !type)
    return true; /* its point could not be kept, and so cannot its type */
  const struct hp_alloc_point *from = hp_point_get(point);
  const struct hp_alloc_point *to =
      hp_point_intern(from->stack, (enum hp_entry)from->entry, type);
  if (to && to != from)
    hp_collector_move(chunk, bare, hp_point_id(to));
  return true;
}

static void set(const void *p, const char *name, size_t element_size,
                const char *function, const struct hp_caller *caller) {
  if (!name || !*name) {
    hp_sys_warn_with_stack(caller, "%s: no name given; ignored", function);
    return;
  }
  struct hp_thread *self = hp_thread_get();
  bool done = false;
  if (self) {
    uint64_t outer = hp_gate_enter(self);
    done = set_type(p, hp_type_intern(name, element_size, HP_PROVENANCE_USER));
    hp_gate_leave(self, outer, HP_ANY_EVENT);
  }
  if (!done)
    hp_sys_warn_with_stack(caller,
                           "%s: %p is not the start of a live heap chunk; "
                           "ignored",
                           function, p);
}

HP_EXPORT void __heapprof_set_type(const void *p, const char *name) {
  struct hp_caller caller = HP_CALLER();
  set(p, name, 0, "__heapprof_set_type", &caller);
}

HP_EXPORT void __heapprof_set_array(const void *p, const char *name,
                                    size_t count) {
  struct hp_caller caller = HP_CALLER();
  size_t size = hp_usable_size(p);
  if (count == 0 || count > size) {
    hp_sys_warn_with_stack(&caller,
                           "__heapprof_set_array: %zu elements do not fit %zu "
                           "bytes; ignored",
                           count, size);
    return;
  }
  set(p, name, size / count, "__heapprof_set_array", &caller);
}
