/* dump_list.h - which dump directories a path given by the user means.
   A dump that cannot be read is never passed over; reading it reports it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DUMP_LIST_H
#define HP_DUMP_LIST_H

#include "base/store.h"
#include "heapprof.h"

/* The paths of the dumps that PATH means: itself if it is a dump, else the
   directories "heapprof.*" in it, in natural order.  Owned by STORE. */
hp_status hp_dump_list(struct hp_store *store, const char *path,
                       const char ***dumps, size_t *count,
                       struct hp_error *error);

#endif
