/* event.h - a thread's rings of events: chunks that began, chunks that ended.
   Filled by their thread without a lock, emptied by the collector.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EVENT_H
#define HP_EVENT_H

#include "heapprof_format.h"
#include "system/check.h"
#include "system/clock.h"
#include "system/platform.h"

#define HP_BEGINS 1024u /* slots of a ring, a power of two */
#define HP_ENDS 512u    /* a power of two, too */
/* Slots that a thread leaves free for handlers of signals, and they for others:
   each use of the allocator takes one at most. */
#define HP_EVENTS_SPARE 64u
#define HP_EVENTS_LEAST 8u

/* A chunk began.
     +0   u64 t0     ticks, absolute; 0 = the slot is free, or being filled
     +8   u64 size   bytes requested, and HP_RECORD_HEAVIER
     +16  u32 point
     +20  u32 thread of two that began at one time, the lower one is first  */
struct hp_begin_event {
  uint64_t t0;
  uint64_t size;
  uint32_t point;
  uint32_t thread;
};
_Static_assert(sizeof(struct hp_begin_event) == 24, "24 bytes a beginning");

/* Indices count for ever; index modulo the ring's size is the slot.  An end is
   there once its t1 is not 0, as a beginning once its t0 is; the collector sets
   them to 0 when it has taken the event.  Stamps of a ring ascend, but where a
   handler interrupted its thread between stamp and slot. */
struct hp_events {
  uint64_t entered; /* when the thread came into the allocator, or earlier: what
                       it is about to append is not older.  0: it is outside */
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

/* Every use of the allocator stands between enter and leave, which is given
   what enter said: 0, or that the thread was inside already and a handler of a
   signal calls.  LAST is the thread's last event: of one that allocates all the
   time it says more than the coarse clock, which others would wait for. */
HP_INLINE uint64_t hp_events_enter(struct hp_events *events, uint64_t last) {
  uint64_t outer = events->entered;
  uint64_t coarse = __atomic_load_n(&hp_clock_coarse, __ATOMIC_RELAXED);
  if (HP_LIKELY(!outer))
    __atomic_store_n(&events->entered, coarse > last ? coarse : last,
                     __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* before the clock is read */
  return outer;
}

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

/* What a use of the allocator may have appended. */
enum hp_events_kind { HP_A_BEGIN = 1, HP_AN_END = 2, HP_ANY_EVENT = 3 };

/* A handler leaves it to the code that it interrupted to empty a ring, until
   there is no room: then that code may be one that never goes on.  Only a ring
   to which something of this KIND was appended is looked at. */
HP_INLINE void hp_events_leave(struct hp_events *events, uint64_t outer,
                               enum hp_events_kind kind) {
  if (HP_LIKELY(!outer)) {
    uint64_t entered = events->entered;
    HP_CHECK(entered);
    __atomic_store_n(&events->entered, 0, __ATOMIC_RELEASE);
    if (((kind & HP_A_BEGIN) &&
         HP_UNLIKELY(hp_begins_full(events, HP_EVENTS_SPARE))) ||
        ((kind & HP_AN_END) &&
         HP_UNLIKELY(hp_ends_full(events, HP_EVENTS_SPARE))) ||
        HP_UNLIKELY(entered >
                    __atomic_load_n(&hp_events_due, __ATOMIC_RELAXED)))
      hp_events_empty(events);
  } else if (HP_UNLIKELY(hp_events_full(events, HP_EVENTS_LEAST))) {
    hp_events_empty(events);
  }
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
