/* heapprof_format.h - the dump's block header and the numbers of heapprof_format.def as enums.
   All that the runtime and the library share; explained with drawings in docs/format.md.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_FORMAT_H
#define HEAPPROF_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Every file of a dump is a row of blocks, each a header and its stored payload, little-endian:

     +0   u32 magic        "HPB1"
     +4   u16 version      HP_FORMAT_VERSION; a reader refuses any other
     +6   u16 kind         enum hp_block_kind; a reader skips a kind it does not know
     +8   u32 items        records, fields or chunks in the payload
     +12  u32 flags        HP_BLOCK_ZLIB
     +16  u32 stored_size  bytes of payload that follow
     +20  u32 raw_size     bytes of payload once inflated; stored_size if not compressed
     +24  u32 stored_crc   CRC-32 (zlib's) of the stored payload
     +28  u32 header_crc   CRC-32 of the 28 bytes above                                        */
struct hp_block_header {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  uint32_t items;
  uint32_t flags;
  uint32_t stored_size;
  uint32_t raw_size;
  uint32_t stored_crc;
  uint32_t header_crc;
};

_Static_assert(sizeof(struct hp_block_header) == 32, "on-disk layout");
_Static_assert(offsetof(struct hp_block_header, items) == 8, "on-disk layout");
_Static_assert(offsetof(struct hp_block_header, header_crc) == 28,
               "on-disk layout");

#define HP_BLOCK_MAGIC 0x31425048u /* "HPB1" as little-endian bytes */
#define HP_FORMAT_VERSION 2u
#define HP_BLOCK_ZLIB 1u /* flags: the payload is one zlib stream */
/* no writer makes a greater raw_size, no reader takes one */
#define HP_BLOCK_RAW_MAX (16u << 20)

/* Files of the chunk log in chunks/: one by the id of a point has chunks of that
   alone; the one with this before N has some of points whose id modulo their number
   is N; any other has some of any. */
#define HP_LOG_SHARED_PREFIX "shared-"
#define HP_LOG_SHARED_FILES 16u
#define HP_OVERRUN_READ 1u /* what an overrun field knows: it was read there, */
#define HP_OVERRUN_WRITTEN 2u /* it was written, */
#define HP_OVERRUN_AHEAD 4u   /* it was ahead of the chunk, too */
/* tau of the aggregates' groups, as a share of the window */
#define HP_GROUP_P 0.001
/* of a point, chosen for exact times whatever they are */
#define HP_FIRST_CHUNKS 64u
#define HP_TIMELINE_MAX 512u /* records of TIMELINE blocks */

enum hp_block_kind {
#define HP_BLOCK(number, name, file, text) HP_BLOCK_##name = number,
#include "heapprof_format.def"
};
enum hp_header_tag {
#define HP_HEADER_FIELD(tag, name, type, text) HP_HEADER_##name = tag,
#include "heapprof_format.def"
};
enum hp_process_tag {
#define HP_PROCESS_FIELD(tag, name, type, text) HP_PROCESS_##name = tag,
#include "heapprof_format.def"
};
enum hp_module_tag {
#define HP_MODULE_FIELD(tag, name, type, text) HP_MODULE_##name = tag,
#include "heapprof_format.def"
};
enum hp_point_tag {
#define HP_POINT_FIELD(tag, name, type, text) HP_POINT_##name = tag,
#include "heapprof_format.def"
};
enum hp_provenance {
#define HP_PROVENANCE(number, name, text) HP_PROVENANCE_##name = number,
#include "heapprof_format.def"
};
enum hp_entry {
#define HP_ENTRY(number, name, text) HP_ENTRY_##name = number,
#include "heapprof_format.def"
  HP_ENTRY_COUNT
};
enum hp_chunk_column {
#define HP_CHUNK_COLUMN(name, code, text) HP_COLUMN_##name,
#include "heapprof_format.def"
  HP_COLUMN_COUNT
};
/* the others are absent where all would be 0 */
#define HP_COLUMNS_LEAST (HP_COLUMN_step + 1)
#define HP_COLUMNS_GROWN (HP_COLUMN_copied + 1)
enum hp_chain {
#define HP_CHAIN(number, name, text) HP_CHAIN_##name = number,
#include "heapprof_format.def"
  HP_CHAIN_COUNT
};
enum hp_chunk_flag {
#define HP_CHUNK_FLAG(bit, name, text) HP_CHUNK_##name = 1u << bit,
#include "heapprof_format.def"
};
/* only in rings of events: operator delete ended it */
#define HP_ENDED_BY_DELETE (1u << 31)
/* Of calls by their ticks: 0 to 7, then eight buckets from each power of two to
   the next; the last one holds all that is longer, too. */
#define HP_CALL_BUCKETS 320u
static inline uint64_t hp_call_bucket_least(unsigned bucket) {
  return bucket < 8 ? bucket : (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}
/* one call of an allocation function in so many is timed, on average */
#define HP_TIMED_ONE_IN 64u
/* of a region of the heap: each of its slots has its own memory, while a chunk is
   in it */
#define HP_REGION_APART 1u
enum hp_end_tag {
#define HP_END_FIELD(tag, name, type, text) HP_END_##name = tag,
#include "heapprof_format.def"
};

enum hp_memory {
#define HP_MEMORY(number, name, text) HP_MEMORY_##name = number,
#include "heapprof_format.def"
  HP_MEMORY_COUNT
};

enum hp_mapping_tag {
#define HP_MAPPING_FIELD(tag, name, type, text) HP_MAPPING_FIELD_##name = tag,
#include "heapprof_format.def"
};
enum hp_mapper {
#define HP_MAPPER(number, name, text) HP_MAPPER_##name = number,
#include "heapprof_format.def"
  HP_MAPPER_COUNT
};
enum hp_mapping_kind {
#define HP_MAPPING(bit, name, text) HP_MAPPING_##name = 1u << bit,
#include "heapprof_format.def"
};
enum hp_global_tag {
#define HP_GLOBAL_FIELD(tag, name, type, text) HP_GLOBAL_FIELD_##name = tag,
#include "heapprof_format.def"
};
enum hp_mapped_total {
#define HP_MAPPED(number, name, text) HP_MAPPED_##name = number,
#include "heapprof_format.def"
  HP_MAPPED_COUNT
};

enum hp_aggregate_tag {
#define HP_AGGREGATE_FIELD(tag, name, type, text) HP_AGGREGATE_##name = tag,
#include "heapprof_format.def"
};
enum hp_free_tag {
#define HP_FREE_FIELD(tag, name, type, text) HP_FREE_FIELD_##name = tag,
#include "heapprof_format.def"
};
enum hp_free_flag {
#define HP_FREE(bit, name, text) HP_FREE_##name = 1u << bit,
#include "heapprof_format.def"
};
enum hp_timeline_tag {
#define HP_TIMELINE_FIELD(tag, name, type, text) HP_TIMELINE_##name = tag,
#include "heapprof_format.def"
};
enum hp_class {
#define HP_CLASS(bit, name, text) HP_CLASS_##name = 1u << bit,
#include "heapprof_format.def"
};

/* One ended or live chunk as the log holds it, before coding and after decoding. */
struct hp_chunk_log {
  uint64_t t0, t1;      /* ticks since the window's start */
  uint64_t first, last; /* ticks; mean nothing if reads = writes = 0 */
  uint64_t size;        /* bytes requested */
  uint64_t lo, hi; /* accessed bytes [lo, hi), relative to the chunk's start */
  uint64_t reads, writes;
  uint64_t free_pc; /* return address of the free; 0 if live */
  uint32_t point;   /* allocation point; 0 = not kept */
  uint32_t thread, free_thread;
  uint32_t flags;   /* enum hp_chunk_flag */
  uint32_t step;    /* ticks; UINT32_MAX: so many or more */
  uint32_t weight;  /* chunks of the point it stands for, itself included */
  uint64_t address; /* where its first byte was; 0: the dump does not say */
  /* In the runtime only: node of the free's call stack; 0: none was taken. */
  uint32_t free_stack;
  /* The rest only if HP_CHUNK_GROWN, else anything: how its chain came to it, in
     bytes. */
  uint32_t chain_length; /* chunks, itself included */
  uint64_t chain_first, chain_bytes, chain_copied, copied;
  uint32_t chain_kind; /* enum hp_chain */
};
_Static_assert(sizeof(struct hp_chunk_log) == 160,
               "160 bytes a chunk in memory");

#endif
