/* event.h - a thread's rings of events: chunks that began, chunks that ended.
   Filled by their thread without a lock, emptied by the collector.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EVENT_H
#define HP_EVENT_H

#include "heapprof_format.h"
#include "system/check.h"
#include "system/platform.h"

/* Slots of a ring, a power of two.  Of threads that allocate at the same time each that
   finds its ring full has the others wait: half as many slots, and two threads take 1.26
   times as long (docs/designs.md). */
#define HP_BEGINS 1024u
#define HP_ENDS 512u
/* Slots that stay free for handlers of signals: a thread leaves the first number to
   them, and each of them the second to those that interrupt it.  A use of the
   allocator takes one slot at most. */
#define HP_EVENTS_SPARE 64u
#define HP_EVENTS_LEAST 8u

/* A chunk began.
     +0   u64 t0     ticks, absolute; 0 = the slot is free, or being filled
     +8   u64 size   bytes requested, and HP_RECORD_HEAVIER, HP_BEGIN_POOLED
     +16  u32 point
     +20  u32 thread of two that began at one time, the lower one is first  */
struct hp_begin_event {
  uint64_t t0;
  uint64_t size;
  uint32_t point;
  uint32_t thread;
};
_Static_assert(sizeof(struct hp_begin_event) == 24, "24 bytes a beginning");

/* It is an object of a pool (chunk/pools.h). */
#define HP_BEGIN_POOLED ((uint64_t)1 << 63)

/* Indices count for ever; index modulo the ring's size is the slot.  An event is in
   its slot once its stamp is not 0: t0 of a beginning, t1 of an end.  The
   collector sets the stamp back to 0 when it has taken the event.  Stamps of a
   ring ascend, unless a handler interrupted its thread after it had its stamp and
   before it had its slot. */
struct hp_events {
  uint64_t entered; /* the thread is inside (gate.h): when it came in, or
                       earlier; what it is about to append is not older */
  uint32_t begins_reserved, ends_reserved;                   /* by the thread */
  _Alignas(HP_CACHE_LINE) uint32_t begins_taken, ends_taken; /* by collector */
  uint64_t stuck; /* collector's: value of `entered` that nobody waits for */
  _Alignas(HP_CACHE_LINE) struct hp_begin_event begins[HP_BEGINS];
  _Alignas(HP_CACHE_LINE) struct hp_chunk_log ends[HP_ENDS];
};

/* False: nobody will ever ask for the profile, so there are no events. */
extern HP_HIDDEN bool hp_events_wanted;

/* Ticks; when the next checkpoint is due. */
extern HP_HIDDEN uint64_t hp_events_due;

/* Makes room in the calling thread's rings, and checkpoints.  Set when a window
   begins (process/window.c), since the collector is not for this wing to call. */
extern HP_HIDDEN void (*hp_events_empty)(struct hp_events *mine);

/* Events that were not taken are forgotten: in a forked child. */
void hp_events_forget(struct hp_events *events);

HP_INLINE bool hp_begins_full(const struct hp_events *events, uint32_t spare) {
  return events->begins_reserved -
             __atomic_load_n(&events->begins_taken, __ATOMIC_ACQUIRE) >
         HP_BEGINS - spare;
}

HP_INLINE bool hp_ends_full(const struct hp_events *events, uint32_t spare) {
  return events->ends_reserved -
             __atomic_load_n(&events->ends_taken, __ATOMIC_ACQUIRE) >
         HP_ENDS - spare;
}

HP_INLINE bool hp_events_full(const struct hp_events *events, uint32_t spare) {
  return hp_begins_full(events, spare) || hp_ends_full(events, spare);
}

/* The next index; one instruction, so that a handler cannot get the same. */
HP_INLINE uint32_t hp_events_reserve(uint32_t *reserved) {
  uint32_t index = 1;
  __asm__ volatile("xaddl %0, %1" : "+r"(index), "+m"(*reserved) : : "cc");
  return index;
}

HP_INLINE void hp_events_begin(struct hp_events *events, uint64_t t0,
                               uint64_t size, uint32_t point, uint32_t thread) {
  const uint32_t index = hp_events_reserve(&events->begins_reserved);
  HP_CHECK(index - __atomic_load_n(&events->begins_taken, __ATOMIC_ACQUIRE) <
           HP_BEGINS); /* else this writes over one that nobody took */
  HP_CHECK(t0);
  struct hp_begin_event *slot = &events->begins[index % HP_BEGINS];
  slot->size = size;
  slot->point = point;
  slot->thread = thread;
  __atomic_store_n(&slot->t0, t0, __ATOMIC_RELEASE);
}

/* Where to write an end, t1 left 0 until the rest is there. */
HP_INLINE struct hp_chunk_log *hp_events_end(struct hp_events *events) {
  const uint32_t index = hp_events_reserve(&events->ends_reserved);
  HP_CHECK(index - __atomic_load_n(&events->ends_taken, __ATOMIC_ACQUIRE) <
           HP_ENDS);
  return &events->ends[index % HP_ENDS];
}

#endif
