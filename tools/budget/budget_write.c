/* budget_write.c - makes the first budget from a run that is good enough.
   Counts and bytes only: times differ from run to run and from host to host.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "budget.h"

#include "json_writer.h"

#include <math.h>

/* With SLACK percent to spare, rounded up. */
static uint64_t with_slack(uint64_t value, double slack) {
  double sum = ceil((double)value * slack / 100);
  uint64_t spare = sum < 0x1p62 ? (uint64_t)sum : (uint64_t)1 << 62;
  return value > INT64_MAX - spare ? INT64_MAX : value + spare;
}

static void put_max(struct hp_json *j, uint64_t chunks, uint64_t bytes,
                    uint64_t peak_bytes, double slack) {
  hp_json_begin_object(j, "max");
  hp_json_integer(j, "chunks", with_slack(chunks, slack));
  hp_json_integer(j, "bytes", with_slack(bytes, slack));
  hp_json_integer(j, "peak_bytes", with_slack(peak_bytes, slack));
  hp_json_end_object(j);
}

hp_status hp_budget_write(FILE *out, hp_profile *profile, enum hp_scope scope,
                          size_t limit, double slack, struct hp_error *error) {
  const struct hp_global *g = hp_profile_global(profile);
  const struct hp_query query = {
      .sz = sizeof query, .sort = "peak", .by = hp_scope_grouping(scope)};
  const struct hp_point *const *groups = NULL;
  struct hp_json j = {.out = out, .first = true};
  size_t count = 0;
  if (scope != HP_SCOPE_WHOLE) {
    hp_status status =
        hp_profile_query(profile, &query, &groups, &count, error);
    if (status != HP_OK)
      return status;
  }
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.budget/1");
  hp_json_begin_array(&j, "budget");
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "of", "whole");
  put_max(&j, g->chunks, g->bytes, g->peak_bytes, slack);
  hp_json_end_object(&j);
  for (size_t i = 0; i < count && i < limit; i++) {
    hp_json_begin_object(&j, NULL);
    hp_json_string(&j, "of", hp_scope_name(scope));
    hp_json_string(&j, "name", groups[i]->key);
    put_max(&j, groups[i]->chunks, groups[i]->bytes, groups[i]->peak_bytes,
            slack);
    hp_json_end_object(&j);
  }
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  return HP_OK;
}
