/* set_json.c - the set that a profile is asked of, and timelines, as JSON has them.
   docs/heapprof.score.schema.json describes both.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof_set.h"
#include "profile_json.h"

/* BYTES of the interval, unless nobody looked in it. */
static void put_resident(struct hp_json *j, const struct hp_interval *in,
                         uint64_t bytes) {
  if (in->resident_max)
    hp_json_integer(j, NULL, bytes);
  else
    hp_json_null(j, NULL);
}

/* Columns, as in a report. */
void hp_json_timeline(struct hp_json *j, const struct hp_interval *intervals,
                      size_t count) {
  if (count == 0) {
    hp_json_null(j, NULL);
    return;
  }
  hp_json_begin_object(j, NULL);
#define COLUMN(name)                                                           \
  hp_json_begin_array(j, #name);                                               \
  for (size_t i = 0; i < count; i++)                                           \
    hp_json_integer(j, NULL, intervals[i].name);                               \
  hp_json_end_array(j)
  COLUMN(begin_ns);
  COLUMN(end_ns);
  COLUMN(bytes_min);
  COLUMN(bytes_max);
  COLUMN(chunks_min);
  COLUMN(chunks_max);
  COLUMN(allocations);
  COLUMN(bytes);
#undef COLUMN
#define RESIDENT(name)                                                         \
  hp_json_begin_array(j, #name);                                               \
  for (size_t i = 0; i < count; i++)                                           \
    put_resident(j, &intervals[i], intervals[i].name);                         \
  hp_json_end_array(j)
  RESIDENT(resident_min);
  RESIDENT(resident_max);
#undef RESIDENT
  hp_json_end_object(j);
}

static void put_numbers(struct hp_json *j, const struct hp_chunk_set *set) {
  hp_json_string(j, "filter", set->filter);
  hp_json_bool(j, "from_log", set->is_of_log);
  hp_json_integer(j, "points", set->points);
  hp_json_integer(j, "parts", set->parts);
  hp_json_integer(j, "chunks", set->chunks);
  hp_json_integer(j, "bytes", set->bytes);
  hp_json_integer(j, "live_chunks", set->live_chunks);
  hp_json_integer(j, "live_bytes", set->live_bytes);
  if (set->peak_known)
    hp_json_integer(j, "peak_bytes", set->peak_bytes);
  else
    hp_json_null(j, "peak_bytes");
  hp_json_bool(j, "estimated", set->estimated);
  hp_json_begin_object(j, "errors");
  hp_json_number(j, "chunks", set->chunks_error);
  hp_json_number(j, "bytes", set->bytes_error);
  hp_json_end_object(j);
  hp_json_means(j, "lifetime", &set->lifetime);
  hp_json_means(j, "usage", &set->usage);
  hp_json_means(j, "useful_lifetime", &set->useful_lifetime);
}

void hp_json_set(struct hp_json *j, const hp_profile *profile) {
  const struct hp_chunk_set *set = hp_profile_set(profile);
  if (!set) {
    hp_json_null(j, "set");
    return;
  }
  hp_json_begin_object(j, "set");
  put_numbers(j, set);
  hp_json_begin_array(j, "timelines");
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    size_t count;
    const struct hp_interval *intervals = hp_set_intervals(profile, i, &count);
    hp_json_timeline(j, intervals, count);
  }
  hp_json_end_array(j);
  hp_json_end_object(j);
}
