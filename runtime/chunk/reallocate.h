/* reallocate.h - a chunk takes over from another, where it is or elsewhere.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REALLOCATE_H
#define HP_REALLOCATE_H

#include "chunk/request.h"

/* metrics.md section 3, row realloc, for P not NULL and size > 0.  NULL: it
   failed and P is as before. */
void *hp_reallocate(void *p, const struct hp_request *request);

#endif
