/* filter.h - which points a query is of.
   Parsed once and then asked per point; what is of chunks is set_keep.c's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FILTER_H
#define HP_FILTER_H

#include "query/set.h"

/* A parsed filter. */
struct hp_filter {
  struct hp_set_node *root; /* NULL: every point passes */
  uint64_t turn;
};

hp_status hp_filter_parse(struct hp_filter *filter, const char *text,
                          struct hp_store *store, struct hp_error *error);
/* The same of a text that may use NAMES. */
hp_status hp_filter_parse_named(struct hp_filter *filter, const char *text,
                                struct hp_set_names *names,
                                struct hp_store *store, struct hp_error *error);

/* Then each point must be of one process. */
bool hp_filter_asks_for_ranks(const struct hp_filter *filter);

hp_status hp_require_ranks(const hp_profile *profile, struct hp_error *error);

/* HP_SET_DEPENDS: it has some of the point's chunks, perhaps. */
enum hp_set_answer hp_filter_answers(struct hp_filter *filter,
                                     const struct hp_point *point);
bool hp_filter_passes(struct hp_filter *filter, const struct hp_point *point);

#endif
