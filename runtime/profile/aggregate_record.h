/* aggregate_record.h - what is kept of a point's chunks: its record, and the
   blocks of what varies.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_RECORD_H
#define HP_AGGREGATE_RECORD_H

#include "chunk_measure.h"
#include "growth_measure.h"
#include "system/platform.h"

/* Chunks of the same HP_CLASS bits.
     +0   bits 0..16 classes, bits 17..63 chunks
     +8   u64 bytes   requested; saturates
     +16  u64 span    bytes accessed; saturates                              */
struct class {
  uint64_t bits : 17;
  uint64_t chunks : 47;
  uint64_t bytes;
  uint64_t span;
};
_Static_assert(sizeof(struct class) == 24, "layout");

/* A lifetime group.
     +0   u64 first   ticks; t0 of its first chunk
     +8   u64 last    ticks; t0 of its last chunk
     +16  u64 end     ticks; greatest t1 of its ended chunks
     +24  u64 lives   ticks; their lives, low 64 bits
     +32  bits 0..47 chunks begun, bits 48..63 lives, high bits; both in one
          word, of which neither part is ever full                           */
struct group {
  uint64_t first;
  uint64_t last;
  uint64_t end;
  uint64_t lives;
  union {
    struct {
      uint64_t chunks : 48;
      uint64_t lives_high : 16;
    };
    uint64_t chunks_lives;
  };
};
_Static_assert(sizeof(struct group) == 40, "layout");

/* Blocks hold what varies.  All groups but the last, in parts linked from the
   newest one: */
struct part {
  uint32_t older; /* block of the part before; 0: none */
  uint16_t count, capacity;
  struct group items[];
};
#define PART_MAX ((size_t)4 << 10) /* bytes */
/* All classes but the first: */
struct classes {
  uint32_t count, capacity;
  struct class items[];
};
/* Once not all sizes are equal: */
struct varied {
  uint64_t size_min, size_max;     /* bytes */
  uint64_t element_size, elements; /* 0 if unknown */
  uint32_t sizes;                  /* histogram.h */
  uint32_t growth;                 /* block of a struct growth; 0: none */
};
/* Once a chain of growth counts: */
struct growth {
  struct hp_growth_sum kinds[HP_CHAIN_COUNT];
};
/* Once there are HP_FIRST_CHUNKS whose accesses may be known: */
struct later {
  uint64_t first_t0; /* ticks; t0 of the last of the first ones */
  uint64_t samples;
  hp_wide active, square, error; /* sums of a, a*a, e */
};
/* Of known chunks, once one was accessed; low 64 bits of the first sums.  A point
   of which no access is known has none. */
struct shares {
  uint64_t active, error;
  uint64_t first_active, first_error; /* of the first 64 chunks */
  uint64_t first_square[2];           /* low 64 bits first */
  uint16_t active_high, error_high;   /* bits 64 to 79 */
  uint32_t first_samples;
  uint32_t later; /* block of a struct later; 0: none */
};
/* Where not all chunks are profiled: */
struct sampled {
  uint64_t samples; /* begun */
  struct hp_sampling sums;
};

#define GENERATIONS_SHIFT 48
/* One point of several chunks, in an array in cache lines: what a beginning and
   an end touch, then what only an end does.
     +0    bits 0..47 chunks, bits 48..63 generations   as in a group, but that
           the latter go to thread_sums.h whenever they are 65536
     +8    u64 live_bytes, peak_bytes, at_peak_bytes
     +32   u32 live_chunks, at_peak_chunks
     +40   u64 peak    number of the peak that at_peak_* are of
     +48   u64 tau     ticks; if it is greater than time / 1000
     +56   u64 size    of every chunk; of all together if there is a struct varied
     +64   group tail  the last one
     +104  u32 groups, varied, shares, sampled         blocks
     +120  u32 group_capacity                          of all parts
     +124  u32 merged  merge_number() when groups were last merged

     +128  u64 reads, writes
     +144  u64 life_min, life_max   ticks; 0 if no chunk has ended
     +160  class head  the first one
     +184  u32 classes, lives       blocks                                   */
struct record {
  union {
    struct {
      uint64_t chunks : GENERATIONS_SHIFT;
      uint64_t generations : 16;
    };
    uint64_t chunks_generations;
  };
  uint64_t live_bytes, peak_bytes, at_peak_bytes;
  uint32_t live_chunks, at_peak_chunks;
  uint64_t peak;
  uint64_t tau;
  uint64_t size;
  struct group tail;
  uint32_t groups, varied, shares, sampled;
  uint32_t group_capacity, merged;
  uint64_t reads, writes;
  uint64_t life_min, life_max;
  struct class head;
  uint32_t classes, lives;
};
_Static_assert(sizeof(struct record) == 192, "192 bytes");
_Static_assert(offsetof(struct record, tail) == HP_CACHE_LINE, "layout");
_Static_assert(offsetof(struct record, reads) == 2 * HP_CACHE_LINE, "layout");

/* Every point, in an array by id: many have one chunk and never another one, so
   that this is all there is.
     +0   bits 0..43  t0       ticks; of that chunk, low bits
          bits 44..60 classes  once it has ended; FEW: chunks
          bits 61..63 form
     +8   bits 0..3   t0_high  the others; if it is greater, it has a record
          bits 4..63  more     LIVE: size in bytes; ENDED: size, and above it life
                               in ticks; APART: block of a struct only; FEW: block
                               of one such entry for each of its chunks, in the
                               order they began; FULL: number of the record, which
                               says all                                      */
enum form { FORM_NONE, FORM_LIVE, FORM_ENDED, FORM_APART, FORM_FEW, FORM_FULL };
#define FEW_MAX 8u /* chunks; those APART count three times */
#define ENTRY_T0_LOW_BITS 44
#define ENTRY_T0_BITS 48
#define ENTRY_MORE_BITS 60
#define ENTRY_SIZE_BITS 20 /* of an ended one */
struct entry {
  uint64_t t0_low : ENTRY_T0_LOW_BITS;
  uint64_t classes : 17;
  uint64_t form : 3;
  uint64_t t0_high : 4;
  uint64_t more : ENTRY_MORE_BITS;
};
_Static_assert(sizeof(struct entry) == 16, "16 bytes a point");

/* Of one of few chunks that was accessed, was large, or lived for long.  What is
   greater has a record.
     +0   u32 size, span, reads, writes
     +16  u32 active, error   shares; is_active, is_error: bit 32
     +24  bits 0..47 life     ticks                                          */
#define ONLY_BITS 32u
struct only {
  uint32_t size, span, reads, writes;
  uint32_t active, error;
  uint64_t life : ENTRY_T0_BITS;
  uint64_t is_active : 1;
  uint64_t is_error : 1;
  uint64_t is_sample : 1;
};
_Static_assert(sizeof(struct only) == 32, "a smallest block");

#endif
