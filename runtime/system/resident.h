/* resident.h - which pages are resident, by /proc/self/pagemap.
   Belongs to who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RESIDENT_H
#define HP_RESIDENT_H

#include "system/platform.h"

#define HP_RESIDENT_PAGE ((uintptr_t)4096)

/* Pages that were read and never written are the kernel's one page of zeroes:
   there, but not resident.  They are told from others only as long as no page is
   another process's, too (ONLY_OWN).  False: it cannot be read. */
bool hp_resident_open(void);
void hp_resident_only_own(bool only_own);
void hp_resident_close(void);

/* Whether the page at ADDRESS is resident; quick for one page after another. */
bool hp_resident_at(uintptr_t address);

/* Bytes of [BEGIN, END) that are, in whole pages. */
uint64_t hp_resident_bytes(uintptr_t begin, uintptr_t end);

#endif
