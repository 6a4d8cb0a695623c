/* bare_chunk.h - small chunks of a process without hooks, from malloc to free: as
   profiled ones, but that nothing is known of accesses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BARE_CHUNK_H
#define HP_BARE_CHUNK_H

#include "chunk/request.h"
#include "heap/bare.h"
#include "heapprof_format.h"
#include "thread/thread_state.h"

/* NULL: the chunk is to be another one (allocator.h), and nothing was done. */
void *hp_bare_allocate(const struct hp_request *request);

/* The same, where all is usual (quick_chunk.h). */
void *hp_bare_allocate_quickly(const struct hp_request *request);

/* Ends the chunk at P, in the range, or says that there is none. */
void hp_bare_deallocate(void *p, const struct hp_caller *caller,
                        uint32_t flags);

/* Ends a chunk at P in the range that has no record: where the range is not ours
   (beside.h), an allocator may have its chunks there.  NULL: there is none. */
extern HP_HIDDEN void (*hp_bare_free_of_others)(void *p,
                                                const struct hp_caller *caller,
                                                uint32_t flags);

/* What hp_reallocate() promises, of P in the range. */
void *hp_bare_reallocate(void *p, const struct hp_request *request);

/* Bytes requested for the live chunk that begins at P, in the range; SIZE_MAX
   if there is none. */
size_t hp_bare_size(const void *p);

/* What is known of the chunk of RECORD, which begins at START, as hp_describe()
   says it. */
void hp_bare_describe(struct hp_chunk_log *entry, const struct hp_bare *record,
                      uintptr_t start);

/* A libc function does KIND to what ends so many bytes BEYOND the chunk of RECORD. */
void hp_bare_note_overrun(struct hp_bare *record, uint64_t beyond, int kind,
                          uintptr_t pc);

/* N > 0 bytes FROM the range are copied TO a chunk, of it or not: it may be to take
   over (growth.h). */
void hp_bare_copied(const void *to, const void *from, size_t n);

#endif
