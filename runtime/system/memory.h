/* memory.h - memory of the system: whole pages, zeroed, never counted against
   overcommit; and the limits there are.  errno stays as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMORY_H
#define HP_MEMORY_H

#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

void *hp_sys_reserve(size_t size); /* no access yet; NULL if refused */
/* The same at P and nowhere else; false if refused or if something is there. */
bool hp_sys_reserve_at(void *p, size_t size);
/* Makes what is reserved readable and writable, zeroed if it was not so before.
   What is not reserved is mapped, if nothing is there.  Where that is refused a
   part may have been done. */
bool hp_sys_commit(void *p, size_t size);
/* Makes what was committed reserved again: its memory is given back, and it
   does not count as data. */
void hp_sys_uncommit(void *p, size_t size);
/* The same for all of a range that is reserved, if the system allows it, so that
   to commit parts of it needs no system call any more.  For two ranges. */
void hp_sys_commit_ahead(void *p, size_t size);
void *hp_sys_map(size_t size); /* readable and writable; NULL if refused */
/* The file PATH as it is, or SHARED and to be written to.  NULL: it cannot be had,
   is empty, or not of *SIZE bytes, unless that is 0, and is set. */
void *hp_sys_map_file(const char *path, bool shared, size_t *size);
/* Where hp_sys_map() and hp_sys_reserve() put what they map, unless something
   is there: so it is told from what the program maps. */
#define HP_MAPS_BASE ((uintptr_t)0x540000000000)
#define HP_MAPS_END ((uintptr_t)0x550000000000)
/* Whether the system would map SIZE bytes for a program: what is reserved here
   is not counted, so that it never refuses. */
bool hp_sys_would_map(size_t size);
void hp_sys_unmap(void *p, size_t size);
/* Gives the pages memory now, in huge ones where those are to be had; where the
   kernel cannot, as they are touched. */
void hp_sys_populate(void *p, size_t size);
/* Makes pages that have memory a huge one, if the kernel can. */
void hp_sys_collapse(void *p, size_t size);
/* Gives pages back; they read as zero. */
void hp_sys_release(void *p, size_t size);
/* Never makes a huge page of what is there. */
void hp_sys_refuse_huge(void *p, size_t size);
bool hp_sys_has_swap(void); /* now; true if that is not known */
/* The most bytes that were ever resident, also in what the process was before exec;
   0: not known. */
uint64_t hp_sys_most_resident(void);
/* Of each page whether it is in memory, by bit 0 of a byte of its own; false: the
   system does not say.  What is swapped is not. */
bool hp_sys_in_memory(void *p, size_t size, uint8_t *pages);

enum hp_sys_limit { HP_SYS_LIMIT_DATA = 2, HP_SYS_LIMIT_SPACE = 9 };
uint64_t hp_sys_limit(enum hp_sys_limit what); /* bytes; UINT64_MAX: none */
/* Sets it to what may be had without being asked; the limit before. */
uint64_t hp_sys_lift_limit(enum hp_sys_limit what);
void hp_sys_put_limit_back(enum hp_sys_limit what, uint64_t limit);
bool hp_sys_readable(uintptr_t address); /* the word there; asks the kernel */
/* Copies SIZE bytes of this process, whatever other threads do to its pages
   meanwhile; false: they cannot all be read, or the system does not copy. */
bool hp_sys_read_own(void *to, uintptr_t from, size_t size);

#ifdef __cplusplus
}
#endif
#endif
