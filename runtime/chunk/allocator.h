/* allocator.h - what malloc, new and their kin share: begin, end, resize.
   What the single functions promise (errno, exceptions) is their callers' work.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATOR_H
#define HP_ALLOCATOR_H

#include "chunk/request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new chunk, or NULL if it cannot be had (counted as a failed request).
   Never touches errno. */
void *hp_allocate(const struct hp_request *request);

/* Ends the chunk at P; NULL is nothing.  A P that is no live chunk is reported
   on stderr with a stack and counted; nothing else happens. */
void hp_deallocate(void *p, const struct hp_caller *caller);
/* The same for operator delete. */
void hp_deallocate_deleted(void *p, const struct hp_caller *caller);

/* Bytes requested for the live chunk at P; 0 for NULL and foreign pointers. */
size_t hp_usable_size(const void *p);

/* The live chunk that begins at P, which is sampled; NULL: there is none. */
struct hp_chunk;
struct hp_chunk *hp_chunk_at(const void *p);

/* True if P lies in the heap's address range (the chunk need not be live). */
bool hp_heap_owns(const void *p);

/* Gives back the memory that freed large chunks have kept; false: they had none. */
bool hp_heap_trim(void);

#ifdef __cplusplus
}
#endif
#endif
