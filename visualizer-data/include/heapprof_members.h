/* heapprof_members.h - which places of its chunks a program accesses: rows of a point, as
   they were counted, and the members of each type that they make.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_MEMBERS_H
#define HEAPPROF_MEMBERS_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One place of the counted chunks of a point that the program accessed. */
struct hp_member_access {
  uint32_t offset, size;  /* bytes from the chunk's start; of an array of
                            records: modulo the record's size, if it is known */
  uint64_t reads, writes; /* accesses */
  uint64_t chunks;        /* counted ones that had one here; 0: not known */
  uint64_t code; /* address in the process, as frames have it: of the call, past
                    it; 0: not known */
  uint32_t together; /* rows with the same, if not 0, were accessed by one hook:
                        one burst */
};

/* Of a point.  chunks_counted 0: nothing was counted. */
struct hp_members {
  const struct hp_member_access *rows;
  size_t count;
  uint64_t chunks_counted; /* chunks whose accesses were counted by offset */
  double weight;           /* chunks of the point, of each of these */
  uint64_t
      lost; /* accesses that found no room in the bounded table: in no row */
};

/* What was counted of POINT; NULL of a group, and where nothing was. */
const struct hp_members *hp_point_members(const hp_profile *profile,
                                          const struct hp_point *point);

#ifdef __cplusplus
}
#endif
#endif
