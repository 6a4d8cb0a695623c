/* meter_record.h - what the meter counts of an allocator, in memory that heapprof-allocators shares with it.
   The process itself writes it as it runs, so that it is there however the process ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_METER_RECORD_H
#define HP_METER_RECORD_H

#include <stdint.h>

/* Names the file to map: made, of this size and all zero, by heapprof-allocators, which writes PID. */
#define HP_METER_VARIABLE "HEAPPROF_METER"

#define HP_METER_MAGIC 0x324d5048u /* "HPM2" */
#define HP_METER_SAMPLES 256u      /* even */
#define HP_METER_SAMPLE_FIRST 256u /* events between two samples, at first */
#define HP_METER_STEPS 8u          /* buckets from a power of two to the next */
#define HP_METER_BUCKETS (64u * HP_METER_STEPS)

enum hp_meter_function {
  HP_METER_MALLOC,
  HP_METER_CALLOC,
  HP_METER_REALLOC,
  HP_METER_ALIGNED, /* aligned_alloc, posix_memalign, memalign, valloc, pvalloc */
  HP_METER_FREE,
  HP_METER_NEW,
  HP_METER_DELETE,
  HP_METER_FUNCTIONS
};

/* Calls by the program; what an allocator's function calls in turn is in its time. */
struct hp_meter_call {
  uint64_t calls;
  uint64_t bytes; /* requested */
  uint64_t ticks; /* with those of the timer */
  uint64_t buckets[HP_METER_BUCKETS];
};

/* Regions are mappings that hold chunks, or held some at an earlier sample. */
struct hp_meter_sample {
  uint64_t at_ns;  /* since BEGIN_NS */
  uint64_t events; /* allocations and frees before */
  uint64_t live_bytes, usable_bytes, chunks;
  uint64_t placed_bytes; /* of LIVE_BYTES those found in a region */
  uint64_t
      span_bytes; /* from a region's start to the end of its last chunk, sum */
  uint64_t mapped_bytes;   /* of regions */
  uint64_t resident_bytes; /* of regions */
  uint64_t rss_bytes;      /* of the process */
  uint32_t regions, empty_regions;
  double fragmentation_sum; /* of the regions that are not empty */
};

/* What glibc says of itself, all arenas together: members of mallinfo2, where not said otherwise. */
struct hp_meter_arenas {
  uint64_t known;      /* 0: it is another allocator, or it was not asked */
  uint64_t arenas;     /* of malloc_info */
  uint64_t heap_bytes; /* arena */
  uint64_t mmap_bytes,
      mmap_chunks;       /* hblkhd, hblks: chunks that are mappings */
  uint64_t in_use_bytes; /* uordblks; with what thread caches hold */
  uint64_t free_bytes, free_chunks; /* fordblks; ordblks and smblks */
  uint64_t fast_bytes, fast_chunks; /* fsmblks, smblks; of those before */
  uint64_t top_bytes;               /* keepcost: of the first arena */
  uint64_t system_bytes, system_most_bytes; /* of malloc_info: now, and ever */
};

struct hp_meter_record {
  uint32_t magic; /* 0: no meter has begun */
  uint32_t size;  /* of the record */
  int64_t pid;    /* the process that is measured */
  uint32_t images, ended;
  uint64_t begin_ns, begin_ticks, last_ns, last_ticks; /* CLOCK_MONOTONIC */
  uint64_t timer_ticks; /* that a timed call has more than it takes */
  uint64_t events, allocations, frees;
  uint64_t live_bytes, usable_bytes, chunks, peak_live_bytes;
  uint64_t unknown_frees; /* of chunks that no function of the list had made */
  uint64_t lost_chunks;   /* no memory to remember them */
  uint64_t lost_samples;  /* /proc could not be read */
  uint64_t sample_every;
  uint32_t sample_count, reserved;
  char library[256];             /* whose malloc it is */
  struct hp_meter_arenas arenas; /* at the end */
  struct hp_meter_call functions[HP_METER_FUNCTIONS];
  struct hp_meter_sample samples[HP_METER_SAMPLES];
};

/* The bucket of so many ticks. */
static inline uint32_t hp_meter_bucket(uint64_t ticks) {
  uint32_t bits;
  if (ticks < HP_METER_STEPS)
    return (uint32_t)ticks;
  bits = 63u - (uint32_t)__builtin_clzll(ticks);
  return (bits - 2) * HP_METER_STEPS +
         (uint32_t)(ticks >> (bits - 3)) % HP_METER_STEPS;
}

/* The least number of ticks in a bucket. */
static inline uint64_t hp_meter_bucket_begin(uint32_t bucket) {
  uint32_t bits = bucket / HP_METER_STEPS + 2;
  if (bucket < HP_METER_STEPS)
    return bucket;
  return (uint64_t)(HP_METER_STEPS + bucket % HP_METER_STEPS) << (bits - 3);
}

#endif
