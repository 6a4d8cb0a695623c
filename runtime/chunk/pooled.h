/* pooled.h - objects of the program's pools: each a chunk with a record of its own,
   within one that the program cut up (cut_block.h), found there by address.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POOLED_H
#define HP_POOLED_H

#include "chunk/cut_block.h"
#include "chunk/request.h"
#include "heap/chunk_reference.h"
#include "pool_measure.h"
#include "thread/thread_state.h"

/* An object; two cache lines.  Numbers are of objects, 0: none.
     +0   u64 place    address
     +8   u64 size     bytes
     +16  u64 t0       ticks; 0: it began outside of the window
     +24  u64 first, last, reads, writes
     +56  u64 lo, hi   accessed bytes [lo, hi) from its start; lo > hi: none
     +72  ptr block
     +80  ptr pool
     +88  u32 point, thread
     +96  u32 flags    HP_CHUNK_* of the log
     +100 u32 live     1, or 0: the record is free
     +104 u32 next     of the list of its granule, or of free records
     +108 u32 before, after   of the same pool                               */
struct hp_pooled {
  uintptr_t place;
  uint64_t size, t0, first, last, reads, writes, lo, hi;
  struct hp_cut_block *block;
  struct hp_pool_list *pool;
  uint32_t point, thread;
  uint32_t flags, live;
  uint32_t next, before, after;
  uint32_t unused[3];
};
_Static_assert(sizeof(struct hp_pooled) == 128, "two cache lines");

/* A pool, as far as its objects go. */
struct hp_pool_list {
  uint32_t first; /* the one that began last; 0: none is live */
  uint32_t count;
};

/* ---- with the lock ------------------------------------------------------- */

uint64_t hp_pooled_lock(void); /* what the other one needs */
void hp_pooled_unlock(uint64_t mask);

struct hp_pooled *hp_pooled_at(uint32_t number);

/* The heap chunk in which all SIZE bytes at P lie, and at least one; NULL: none. */
struct hp_chunk *hp_pooled_chunk(const void *p, uint64_t size);

/* A live object that has any of the bytes [BEGIN, END) of BLOCK, or begins there;
   0: none. */
uint32_t hp_pooled_in(const struct hp_cut_block *block, uintptr_t begin,
                      uintptr_t end);
/* The one that begins at P; 0: none. */
uint32_t hp_pooled_find(const void *p);

/* Adds one of SIZE bytes at P, in CHUNK, to POOL; where no other is.  0: there is
   no memory.  Its t0, point and thread are as given. */
uint32_t hp_pooled_add(struct hp_pool_list *pool, struct hp_chunk *chunk,
                       const struct hp_pooled *object);
/* Takes it out of all lists.  Its record is free. */
void hp_pooled_remove(uint32_t number, uint64_t now);

/* ---- without ------------------------------------------------------------- */

/* Accesses of SIZE bytes at P, which is in CHUNK (access.h).  False: it is not cut
   up, and nothing was counted. */
bool hp_pooled_access(const struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                      uint64_t reads, uint64_t writes);

/* What the record says, as hp_allocator_describe() of a chunk. */
void hp_pooled_describe(const struct hp_pooled *object,
                        struct hp_chunk_log *entry);

/* As hp_allocator_each_live() and hp_allocator_describe(), of objects. */
void hp_pooled_each_live(uint64_t end,
                         void (*each)(const struct hp_chunk_reference *live,
                                      void *arg),
                         void *arg);
bool hp_pooled_describe_live(const struct hp_chunk_reference *live,
                             struct hp_chunk_log *entry);

/* CHUNK, which is cut up and has no object, ends: it is as any other. */
void hp_pooled_forget(const struct hp_chunk *chunk);

/* What is known of chunks of POINT that were cut up; chunks 0: none was.  What is
   live is judged as if the window ended NOW. */
struct hp_block_sum hp_blocks_of(uint32_t point);
void hp_blocks_judge(uint64_t now);

void hp_pooled_start(void);     /* a window begins */
void hp_pooled_fork_lock(void); /* around fork */
void hp_pooled_fork_unlock(void);

#endif
