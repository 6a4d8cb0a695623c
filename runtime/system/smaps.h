/* smaps.h - /proc/self/smaps: what is mapped, and how much of each is resident.
   Needs no memory; belongs to who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SMAPS_H
#define HP_SMAPS_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hp_smaps_kind {
  HP_SMAPS_ANONYMOUS, /* or a file in memory, which has no place on disk */
  HP_SMAPS_FILE,
  HP_SMAPS_STACK,  /* of the first thread */
  HP_SMAPS_BREAK,  /* brk */
  HP_SMAPS_KERNEL, /* [vdso] and its kin */
};

struct hp_smaps_range {
  uintptr_t begin, end;
  uint64_t resident; /* bytes */
  uint64_t shared;   /* bytes of these that other processes have, too */
  enum hp_smaps_kind kind;
  bool is_writable;
};

/* Whose the range of a line of /proc/self/maps is; the first line of one in smaps
   is the same. */
enum hp_smaps_kind hp_smaps_kind(const char *line);

/* Calls EACH for every range, by ascending address.  False: it cannot be read,
   and some may have been left out. */
bool hp_smaps_each(void (*each)(const struct hp_smaps_range *range, void *arg),
                   void *arg);

#ifdef __cplusplus
}
#endif
#endif
