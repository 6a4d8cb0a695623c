/* merge_write.h - writes a merged dump, the same bytes whatever came first.
   See merged.h for what it is made of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MERGE_WRITE_H
#define HP_MERGE_WRITE_H

#include "merge/merged.h"

/* Orders all of MERGE and writes it to the existing directory OUT. */
hp_status hp_merge_write(struct hp_merge *merge, const char *out,
                         size_t *points, struct hp_error *error);

#endif
