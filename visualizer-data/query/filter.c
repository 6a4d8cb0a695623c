/* filter.c - hp_query.filter, a set of chunks by what their points say.
   The language is set_parse.c's; docs/sets.md explains it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/filter.h"

#include "base/failure.h"
#include "profile/profile_inside.h"

hp_status hp_filter_parse_named(struct hp_filter *filter, const char *text,
                                struct hp_set_names *names,
                                struct hp_store *store,
                                struct hp_error *error) {
  static const struct hp_set_place place = {.what = "filter"};
  *filter = (struct hp_filter){0};
  return text ? hp_set_parse(&filter->root, text, &place, names, store, error)
              : HP_OK;
}

hp_status hp_filter_parse(struct hp_filter *filter, const char *text,
                          struct hp_store *store, struct hp_error *error) {
  return hp_filter_parse_named(filter, text, NULL, store, error);
}

bool hp_filter_asks_for_ranks(const struct hp_filter *filter) {
  return filter->root && filter->root->asks_ranks;
}

hp_status hp_require_ranks(const hp_profile *profile, struct hp_error *error) {
  for (size_t i = 0; i < profile->point_count; i++)
    if (!profile->points[i].view.process)
      return hp_fail(error, HP_E_ARGUMENT,
                     "filter: rank= cannot divide points that several "
                     "processes of a merged dump have; merge the dumps of "
                     "these ranks alone, by heapprof-merge --rank");
  return HP_OK;
}

enum hp_set_answer hp_filter_answers(struct hp_filter *filter,
                                     const struct hp_point *point) {
  if (!filter->root)
    return HP_SET_YES;
  hp_set_look_at(filter->root, point, ++filter->turn);
  return filter->root->of_point;
}

bool hp_filter_passes(struct hp_filter *filter, const struct hp_point *point) {
  return hp_filter_answers(filter, point) == HP_SET_YES;
}
