/* thread_state.h - a thread's block and number, read by every allocation.
   Written by its own thread only, but its events are taken by any.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_THREAD_STATE_H
#define HP_THREAD_STATE_H

#include "heap/bare.h"
#include "heap/primary.h"
#include "heap/share.h"
#include "hook_abi.h"
#include "origin/call_stack.h"
#include "thread/event.h"
#include "thread/growth_watch.h"

struct hp_thread {
  /* One cache line for what most calls read: */
  _Alignas(HP_CACHE_LINE) uint32_t until_timed; /* calls until one is timed
                                                   (chunk_life.h) */
  bool in_plain;       /* plain caches are being changed: a handler keeps out */
  uint32_t small_max;  /* bytes of a slot up to which one is taken without
                          asking page_sample.h: HP_SMALL_MAX or 0 */
  uint64_t last_event; /* ticks; stamps of a thread strictly ascend */
  /* sample.h: bytes or allocations to the next sample; and all that was asked
     for, sampled or not, in the window */
  int64_t until_sample;
  uint64_t requests;
  int64_t live_room; /* bytes (live_bytes.h) */
  /* Not beside requests: two additions in memory are less than one of both. */
  uint64_t request_bytes;
  uint64_t timed_since; /* ticks; 0: the call that goes on is not timed */
  int64_t live_high;    /* bytes (live_bytes.h) */
  uint32_t page_asked, page_gap; /* page_sample.c */
  uint64_t random;        /* states of the generators that choose timed calls */
  uint64_t sample_random; /* and samples */
  uint64_t unprofiled_chunks, unprofiled_bytes; /* for want of memory */
  uint64_t inherited_frees;
  uint64_t allocator_ticks; /* estimated */
  struct hp_thread *next;   /* of all threads there ever were */
  struct hp_thread *next_free;
  int id;          /* the system's, of the thread that has it; 0: none has */
  uint32_t number; /* of that thread */
  char *handler_stack; /* NULL: none yet */
  uintptr_t stack_end; /* of the stack that libc mapped for it, about; 0: the
                          system did, or there is no thread */
  struct hp_cache caches[HP_CLASS_COUNT];
  struct hp_cache
      plain[HP_PLAIN_CLASS_COUNT]; /* of chunks that are not sampled */
  struct hp_cache bare[HP_BARE_CLASS_COUNT]; /* of a process without hooks */
  struct hp_growth_watch growth;
  struct hp_events events;
  struct hp_last_stack last_stack;
  uintptr_t area;         /* of shares; 0: none yet */
  bool has_no_area;       /* and will not have one */
  uintptr_t signal_stack; /* that the program set by sigaltstack; 0: none */
};

extern HP_THREAD_LOCAL struct hp_thread *hp_thread_self;
extern HP_THREAD_LOCAL uint32_t hp_thread_self_number; /* 0: none yet */
/* How records name it (chunk.h); 0: as none, so each access goes the long way */
extern HP_HIDDEN HP_THREAD_LOCAL uint16_t hp_thread_self_tag;

uint32_t hp_thread_new_number(void);

/* 1 for the first thread that asks, 2 for the next, ... */
HP_INLINE uint32_t hp_thread_number(void) {
  uint32_t number = hp_thread_self_number;
  return HP_LIKELY(number) ? number : hp_thread_new_number();
}

/* The calling thread's block, made on first use; NULL without memory. */
struct hp_thread *hp_thread_attach(void);
HP_INLINE struct hp_thread *hp_thread_get(void) {
  struct hp_thread *self = hp_thread_self;
  return HP_LIKELY(self != NULL) ? self : hp_thread_attach();
}

/* The calling thread's area of shares, had on first use; 0: there is none. */
uintptr_t hp_thread_new_area(void);
HP_INLINE uintptr_t hp_thread_area(void) {
  uintptr_t area = hp_share_own_area;
  return HP_LIKELY(area) ? area : hp_thread_new_area();
}

/* Blocks of all threads, those that ended included, linked by next. */
struct hp_thread *hp_threads_all(void);
uint32_t hp_threads_count(void); /* numbers given out */

#endif
