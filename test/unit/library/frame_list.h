/* frame_list.h - a stack of frames as points have it, for tests that write the
   frames themselves.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FRAME_LIST_H
#define HP_FRAME_LIST_H

#include <stdlib.h>

#include "heapprof.h"

/* Valid until some thousand frames later. */
static inline const struct hp_frame *const *
hp_frame_list(const struct hp_frame *frames, size_t count) {
  enum { ROOM = 4096 };
  static const struct hp_frame *list[ROOM];
  static size_t used;
  if (count > ROOM)
    abort();
  if (count > ROOM - used)
    used = 0;
  const struct hp_frame **begin = &list[used];
  for (size_t i = 0; i < count; i++)
    list[used++] = &frames[i];
  return begin;
}

#endif
