/* object.h - inside of hp_objects: made by object.c, judged by excess.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OBJECT_H
#define HP_OBJECT_H

#include "base/store.h"
#include "heapprof_object.h"

struct hp_objects {
  struct hp_store store;
  struct hp_made_object *items; /* most frequent first */
  size_t count, room;
  uint64_t unknown;
};

#endif
