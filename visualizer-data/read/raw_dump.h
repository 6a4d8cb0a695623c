/* raw_dump.h - one dump directory in memory, as written: raw addresses, ticks,
   chunks sorted per point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RAW_DUMP_H
#define HP_RAW_DUMP_H

#include "base/store.h"
#include "heapprof.h"
#include "read/chunk_store.h"
#include "read/point_sums.h"

/* Addresses of code with access hooks. */
struct hp_hooked_range {
  uint64_t begin, end;
};

/* Fields of a record, as heapprof_format.def names them; absent: 0 or NULL. */
#define HP_DUMP_MEMBER_U64(name) uint64_t name;
#define HP_DUMP_MEMBER_STR(name) const char *name; /* the last, if it repeats */
#define HP_DUMP_MEMBER_BYTES(name)                                             \
  const uint8_t *name;                                                         \
  size_t name##_size;
#define HP_DUMP_MEMBER_LIST(name) HP_DUMP_MEMBER_BYTES(name##_list)
#define HP_DUMP_MEMBER_STACK(name)                                             \
  const uint64_t *name;                                                        \
  size_t name##_count;

/* Absent: path is "", unloaded is UINT64_MAX.  LATE holds in a dump of one
   process, too. */
struct hp_dump_module {
#define HP_MODULE_FIELD(tag, name, type, text) HP_DUMP_MEMBER_##type(name)
#include "heapprof_format.def"
  bool says_hooks;                      /* else all of its code has them */
  const struct hp_hooked_range *hooked; /* hooked_list, ascending */
  size_t hooked_count;
};

/* Chunks of a point that were freed at one place; what a field means is in
   heapprof_format.def. */
struct hp_free_sum {
  const uint64_t *stack; /* return addresses, leaf first */
  size_t stack_count;
  uint64_t truncated, size, chunks, flags, first; /* flags: HP_FREE_* */
  hp_wide lives;                                  /* ticks */
  uint64_t process;         /* number of its process in the dump, from 0 */
  struct hp_free_sum *next; /* of the same point */
};

struct hp_dump_point {
#define HP_POINT_FIELD(tag, name, type, text) HP_DUMP_MEMBER_##type(name)
#include "heapprof_format.def"
  struct hp_chunks chunks;
  struct hp_summary *summary, *last_summary; /* of the aggregates, a list by
                                                ascending process */
  struct hp_free_sum *frees, *last_free;     /* a list; of point 0 also those of
                                            any point (HP_FREE_REST) */
};

/* What one call stack mapped; what a field means is in heapprof_format.def. */
struct hp_mapping_sum {
  const uint64_t *stack; /* return addresses, leaf first */
  size_t stack_count;
  uint64_t truncated, function, kind; /* HP_MAPPER_*; HP_MAPPING_* */
  uint64_t maps, bytes, live_bytes, peak_bytes, at_peak_bytes, resident_bytes;
  uint64_t first; /* ticks */
  struct hp_mapping_sum *next;
};

/* Pages [first, first + count), by ELF virtual addresses. */
struct hp_page_run {
  uint64_t first, count;
};

/* The writable segments of one module. */
struct hp_global_sum {
  const char *path;
  const uint8_t *build_id;
  size_t build_id_size;
  uint64_t resident_bytes;
  const struct hp_page_run *ranges, *pages; /* pages: resident; both ascend */
  size_t range_count, page_count;
  bool has_pages;
  struct hp_global_sum *next;
};

struct hp_dump_header {
#define HP_HEADER_FIELD(tag, name, type, text) HP_DUMP_MEMBER_##type(name)
#include "heapprof_format.def"
  const char **args, **options; /* all of arg, all of option */
  size_t arg_count, option_count;
};

struct hp_dump_mark {
  uint64_t ticks;
  const char *name;
};

struct hp_dump_end {
#define HP_END_FIELD(tag, name, type, text) HP_DUMP_MEMBER_##type(name)
#include "heapprof_format.def"
  bool has_exit_status;
  struct hp_dump_mark *marks; /* all of mark_time and mark */
  size_t mark_count;
  const char *suppressions; /* all of suppression, a line each; NULL: none */
};

/* One of the processes that a dump is of: itself, or each of a merged one. */
struct hp_dump_process {
  struct hp_dump_header header;
  struct hp_dump_end end;
  bool complete;
  struct hp_interval *intervals; /* begin_ns and end_ns are in ticks here */
  size_t interval_count;
  struct hp_mapping_sum *mappings, *last_mapping; /* a list */
  uint64_t mapping_count;
  struct hp_global_sum *globals, *last_global; /* a list */
};

struct hp_dump {
  const char *path;
  struct hp_dump_header header;
  struct hp_dump_end end; /* if not complete: the checkpoint's, or all 0 but
                             end.end */
  bool complete;          /* the end record is there and its totals agree */
  struct hp_dump_end checkpoint; /* what the aggregates are of */
  bool has_checkpoint;
  struct hp_dump_module *modules;
  struct hp_dump_point *points; /* ascending by id */
  size_t module_count, point_count, module_capacity, point_capacity;
  bool has_chunks;     /* the log was read, */
  uint64_t only_point; /* of this point alone; 0: of all */
  uint64_t chunk_count, chunk_file_count, aggregate_count, free_count,
      mapping_count, global_count;
  struct hp_dump_process *processes; /* at least one, once it is read */
  size_t process_count, process_capacity;
  uint64_t interval_count;
  struct hp_store store; /* owns all the strings, stacks, build ids and sums */
  struct hp_spill
      *spill; /* where that and chunks go if they are many, or NULL */
  hp_progress *progress; /* of reading; NULL: nobody is told */
};

bool hp_dump_is_same_process(const struct hp_dump_process *a,
                             const struct hp_dump_process *b);
/* Of the same process: true if LATER holds all that EARLIER does, since a
   process may write a dump and go on. */
bool hp_dump_is_continued_by(const struct hp_dump_process *earlier,
                             const struct hp_dump_process *later);

/* A sum of DUMP was used, by who goes through those of many points. */
static inline void hp_dump_use_one(const struct hp_dump *dump) {
  if (dump->spill)
    hp_spill_use_one(dump->spill);
}

/* By ascending id, as the next one needs them. */
void hp_dump_sort_points(struct hp_dump *dump);

/* The point of this ID; NULL if there is none. */
struct hp_dump_point *hp_dump_point_of(struct hp_dump *dump, uint64_t id);

void hp_dump_close(struct hp_dump *dump); /* NULL is allowed */

#endif
