/* member_table.h - what was counted inside chunks (members.h): an entry for each
   point, for each hook there and each place that it began at.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_TABLE_H
#define HP_MEMBER_TABLE_H

#include "system/platform.h"

/* Of one point, whose entries are a list. */
struct hp_member_point {
  uint32_t first; /* number of an entry, from 1; 0: none */
  uint32_t entries;
  uint32_t what;  /* 0: not known yet; else HP_MEMBER_* */
  uint32_t lines; /* as first, of shared_lines.h */
  uint32_t line_count;
  uint64_t record;   /* bytes, if there may be several; 0: unknown */
  uint64_t chunks;   /* counted ones that ended */
  uint64_t accesses; /* theirs, counted here or not */
};
#define HP_MEMBER_KNOWN 1u
#define HP_MEMBER_ARRAY 2u /* of operator new[]: a number may be ahead */

/* Accesses of one kind that began OFFSET bytes from a chunk's start. */
struct hp_member_key {
  const uint32_t *group; /* hook_abi.h; NULL: one range of BYTES */
  uintptr_t pc;
  uint32_t offset;
  uint32_t bytes; /* of a group: each place is so many longer */
  uint32_t kind;  /* HP_ACCESS_* of a range; and HP_MEMBER_IN_RECORD */
};
#define HP_MEMBER_IN_RECORD 8u /* the offset is from the begin of a record */

/* That of POINT; NULL: it has none.  TAKE: where nothing was counted yet, too. */
struct hp_member_point *hp_member_point(uint32_t point, bool take);

/* Counts TIMES accesses of KEY, of the chunk that is told from others by LIFE.
   What finds no room is in no entry. */
void hp_member_count(struct hp_member_point *of,
                     const struct hp_member_key *key, uint64_t life,
                     uint64_t times);

/* One entry, as a dump takes it: GROUP is a copy that stays. */
struct hp_member_entry {
  struct hp_member_key key;
  uint64_t times;
  uint64_t chunks;              /* different ones; 0: not known */
  uint64_t first_use, last_use; /* ticks */
};
/* Calls TAKE for each entry of OF. */
void hp_member_each(const struct hp_member_point *of,
                    void (*take)(const struct hp_member_entry *entry,
                                 void *arg),
                    void *arg);

void hp_member_table_start(void); /* empty */

#endif
