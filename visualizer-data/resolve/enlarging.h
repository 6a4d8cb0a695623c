/* enlarging.h - whether a stack ends in code that makes a container larger.
   Names are those of libstdc++, libc++, Boost and Abseil, demangled.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ENLARGING_H
#define HP_ENLARGING_H

#include "heapprof.h"
#include "measure/inference.h"

/* Frames of a free, leaf first: a container of the C++ library leaves its memory for a
   larger one, which it has moved to. */
bool hp_is_outgrown(const struct hp_frame *const *frames, size_t count);

/* Frames of an allocation or a free, leaf first: who is outside of the C++ library called
   a member NAME of it, as reserve or shrink_to_fit. */
bool hp_is_by_member(const struct hp_frame *const *frames, size_t count,
                     const char *name);

/* What the C++ library's functions do that POINT's stack ends in. */
enum hp_enlarging hp_enlarging_of(const struct hp_point *point);

#endif
