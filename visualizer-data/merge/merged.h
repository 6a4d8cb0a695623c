/* merged.h - a merged dump while it is put together: processes, modules,
   points. merge.c reads dumps into it, merge_write.c writes it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MERGED_H
#define HP_MERGED_H

#include "read/raw_dump.h"

#include <uthash.h>

/* Modules and points are equal if their keys are. */
struct hp_merge_module {
  UT_hash_handle hh;
  const void *key;
  size_t key_size;
  const char *path;
  const uint8_t *build_id;
  size_t build_id_size;
  uint64_t begin, end; /* ELF virtual addresses */
  bool says_hooks;     /* as hp_dump_module has it, as are the next four */
  uint64_t late;
  uint64_t hooked_functions;
  const uint8_t *hooked_list;
  size_t hooked_list_size;
  uint64_t start; /* where it lies in the merged dump; from 1 if used */
};

struct hp_merge_frame {
  struct hp_merge_module *module; /* NULL: in none */
  uint64_t address;               /* in the module */
};

struct hp_merge_point {
  UT_hash_handle hh;
  const void *key;
  size_t key_size;
  const struct hp_merge_frame *frames;
  size_t frame_count;
  const void *rest; /* the other fields of its record */
  size_t rest_size;
  bool is_lost; /* of the chunks whose point could not be kept */
  bool is_used;
  uint64_t id;
};

/* The fields of an AGGREGATES, FREES, TIMELINE or MAPPINGS record but those that
   tell whose it is, and addresses. */
struct hp_merge_record {
  enum hp_block_kind kind;
  struct hp_merge_point *point; /* NULL: of a timeline, or a mapping */
  const void *fields;
  size_t size;
  const struct hp_merge_frame *frames; /* of FREES, MAPPINGS: the stack; of
                                          AGGREGATES: the code in `coded` */
  size_t frame_count;
  const void *coded; /* fields of merge_codes.h, not among the others; NULL:
                        none */
  size_t coded_size;
};

struct hp_merge_process {
  struct hp_dump_process identity; /* some numbers, host and rank only */
  const void *header, *end;        /* payloads */
  size_t header_size, end_size;
  struct hp_merge_record *records;
  size_t record_count, record_capacity;
  bool left_out; /* another holds what it does */
};

struct hp_merge {
  const char *ranks;     /* whose dumps are wanted; NULL: all */
  size_t other_ranks;    /* dumps of others */
  bool has_foreign_code; /* of an older merged dump, without own_code */
  struct hp_store store;
  struct hp_merge_module *modules; /* a hash of all */
  struct hp_merge_point *points;   /* a hash of all */
  struct hp_merge_process *processes;
  size_t process_count, process_capacity;
};

#endif
