/* beside.h - chunks of the program's own allocator (allocator=program): it is called, and what it gives has a record here.
   Addresses, sizes and what they hold are its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BESIDE_H
#define HP_BESIDE_H

#include "chunk/request.h"
#include "heap/beside_table.h"

/* Only a preloaded runtime does it, so that what is compiled for one that is linked into programs has no code for it. */
HP_INLINE bool hp_is_beside(void) {
#ifdef HEAPPROF_PRELOADED
  return HP_UNLIKELY(hp_beside);
#else
  return false;
#endif
}

/* From then on hp_beside is true.  False: there is no allocator next in line. */
bool hp_beside_start(void);

/* What malloc and its kin do, with the allocator's results and its errno.  What it calls of them itself goes to it, and is
   no call of the program's. */
void *hp_beside_allocate(const struct hp_request *request);
void *hp_beside_reallocate(void *p, const struct hp_request *request);
/* FLAGS: of its event, HP_ENDED_BY_DELETE or none.  What has no record was made before, or where there was no memory for one. */
void hp_beside_free(void *p, const struct hp_caller *caller, uint32_t flags);

/* The same by other functions of the allocator: ASK, which gets HOW. */
typedef void *hp_beside_ask(void *p, const struct hp_request *request, int how);
#ifdef HEAPPROF_PRELOADED
void *hp_beside_allocate_by(hp_beside_ask *ask,
                            const struct hp_request *request, int how);
void *hp_beside_reallocate_by(hp_beside_ask *ask, void *p,
                              const struct hp_request *request, int how);
void hp_beside_free_by(hp_beside_ask *ask, void *p,
                       const struct hp_caller *caller, int how);
#endif

/* Whose chunks these are: the path of a library, or NULL: the runtime's. */
const char *hp_beside_path(void);

#endif
