/* argument_copy.h - copies that the C++ library makes since what it calls for the program,
   a lambda, a comparison or a hash, takes an argument by value.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ARGUMENT_COPY_H
#define HP_ARGUMENT_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "heapprof.h"

/* Whether POINT's chunks are such copies; the frames below *DEPTH are the library's, and
   then *DEPTH is the one that asks for the copy. */
bool hp_copies_argument(const struct hp_point *point, size_t *depth);

#endif
