/* score_options.h - the command line of heapprof-score.
   Parsing opens nothing; docs/heapprof-score.md explains.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_OPTIONS_H
#define HP_SCORE_OPTIONS_H

#include "command.h"
#include "heapprof_map.h"
#include "heapprof_object.h"

enum hp_score_form {
  HP_FORM_TABLE,
  HP_FORM_FINDINGS,
  HP_FORM_PROCESS,
  HP_FORM_THREADS,
  HP_FORM_CALLS,
  HP_FORM_MAPPINGS,
  HP_FORM_GLOBALS,
  HP_FORM_MEMBERS,
  HP_FORM_GENERATIONS,
  HP_FORM_JSON,
  HP_FORM_CSV
};

/* What the characters of an address map tell. */
enum hp_map_letters {
  HP_MAP_BY_SHARE, /* how much of a cell chunks have */
  HP_MAP_BY_TYPE,
  HP_MAP_BY_POINT,
  HP_MAP_BY_AGE
};

/* Of rows of --json, where neither --limit nor --json-bytes is given. */
#define HP_DEFAULT_JSON_BYTES ((uint64_t)256 << 20)

struct hp_score_options {
  struct hp_open_options open;
  struct hp_query query;
  const char *sets_file; /* NULL: those of the dumps */
  enum hp_score_form form;
  bool is_ambiguous; /* more than one form was asked for */
  enum hp_color color;
  size_t limit;        /* rows; SIZE_MAX = all */
  uint64_t json_bytes; /* of rows, after which no other one is written */
  bool all_frames;     /* of --stacks: those of libraries, too */
  bool stacks;
  bool by_object;     /* the rows are allocation objects, whatever query.by */
  bool by_member;     /* ... or members of types */
  bool by_generation; /* ... or what was born between marks */
  const char *type;   /* NULL: of all types */
  bool by_stack;      /* whole stacks tell them apart */
  bool wants_excess;  /* ... and a verdict, by EXCESS */
  bool has_mu, has_k, has_least, has_key;
  struct hp_excess_rules excess;
  bool wants_map; /* instead of all else */
  enum hp_map_letters letters;
  uint64_t cell_bytes; /* 0: chosen */
  struct hp_map_when moments[HP_MAP_MOMENTS_MAX];
  size_t moment_count; /* 0: the end */
  const char *output;  /* NULL: standard output */
  const char *const *dumps;
  size_t dump_count;
};

/* The rows are not points one by one. */
bool hp_score_is_grouped(const struct hp_score_options *o);

/* False: *EXIT_CODE is what to end with. */
bool hp_score_parse(struct hp_score_options *o, int argc, char **argv,
                    int *exit_code);

#endif
