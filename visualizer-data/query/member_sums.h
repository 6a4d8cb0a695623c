/* member_sums.h - puts rows of places onto the members of one type.
   Pure: rows and a layout in, counts out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_SUMS_H
#define HP_MEMBER_SUMS_H

#include "base/store.h"
#include "heapprof_members.h"
#include "resolve/record_layout.h"

/* Of one type, while rows of its points are added. */
struct hp_member_sums {
  struct hp_store *store;
  const struct hp_layout *layout; /* NULL: not known */
  uint64_t element_size;          /* 0: not known */
  struct hp_member *members;      /* those of the layout, or of places */
  struct hp_member_burst *bursts;
  size_t count, room, burst_count, burst_room;
  uint64_t reads, writes; /* of all rows */
  uint64_t counted;       /* chunks */
};

/* Where a row's code is; NULL: not known. */
typedef const struct hp_frame *hp_member_frame(void *context, uint64_t code);

/* False: no memory. */
bool hp_member_sums_begin(struct hp_member_sums *sums);
bool hp_member_sums_add(struct hp_member_sums *sums,
                        const struct hp_members *rows, hp_member_frame *frame,
                        void *context);
/* Shares, order; what may be asked of TYPE then. */
bool hp_member_sums_finish(struct hp_member_sums *sums,
                           struct hp_member_type *type);
void hp_member_sums_free(struct hp_member_sums *sums);

#endif
