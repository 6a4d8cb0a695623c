/* compare_log.c - reads a dump by its aggregates and by its log: all is equal.
   compare_log DUMP: exit 0 and one line, or 1 and what differs.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heapprof.h"

static int differences;

static void compare(const struct hp_point *point, const char *what,
                    double counted, double logged) {
  if (memcmp(&counted, &logged, sizeof counted) == 0)
    return;
  printf("point %" PRIu64 ": %s is %.17g by the aggregates, %.17g by the log\n",
         point->id, what, counted, logged);
  differences++;
}

static void compare_whole(const struct hp_point *point, const char *what,
                          uint64_t counted, uint64_t logged) {
  if (counted == logged)
    return;
  printf("point %" PRIu64 ": %s is %" PRIu64 " by the aggregates, %" PRIu64
         " by the log\n",
         point->id, what, counted, logged);
  differences++;
}

static void compare_range(const struct hp_point *point, const char *what,
                          const struct hp_min_mean_max *a,
                          const struct hp_min_mean_max *b) {
  compare_whole(point, what, a->defined, b->defined);
  compare_whole(point, what, a->min, b->min);
  compare_whole(point, what, a->max, b->max);
  compare(point, what, a->mean, b->mean);
}

static void compare_counts(const struct hp_point *point, const char *what,
                           const struct hp_histogram *a,
                           const struct hp_histogram *b) {
  compare_whole(point, what, a->lowest, b->lowest);
  compare_whole(point, what, a->count, b->count);
  for (unsigned i = 0; i < a->count && i < b->count; i++)
    compare_whole(point, what, a->counts[i], b->counts[i]);
}

static void compare_points(const struct hp_point *a, const struct hp_point *b) {
#define WHOLE(member) compare_whole(a, #member, a->member, b->member);
  WHOLE(chunks)
  WHOLE(bytes)
  WHOLE(peak_bytes)
  WHOLE(bytes_at_global_peak)
  WHOLE(live_chunks)
  WHOLE(live_bytes)
  WHOLE(reads)
  WHOLE(writes)
  WHOLE(bytes_accessed)
  WHOLE(counts_saturated)
  WHOLE(groups)
  WHOLE(singleton_groups)
  WHOLE(growth.length)
  WHOLE(growth.first_size)
  WHOLE(growth.last_size)
  WHOLE(growth.copied_bytes)
  WHOLE(grown.chains)
  WHOLE(grown.chunks)
  WHOLE(grown.bytes)
  WHOLE(grown.copied_bytes)
  WHOLE(grown.likely_chunks)
  WHOLE(elements)
  WHOLE(logged_chunks)
  WHOLE(estimated)
  WHOLE(samples)
#undef WHOLE
  compare_range(a, "size", &a->size, &b->size);
  compare_range(a, "lifetime", &a->lifetime_ns, &b->lifetime_ns);
  compare(a, "lifetime score", a->scores.lifetime, b->scores.lifetime);
  compare(a, "usage score", a->scores.usage, b->scores.usage);
  compare(a, "useful lifetime score", a->scores.useful_lifetime,
          b->scores.useful_lifetime);
  compare(a, "error of it", a->scores.useful_lifetime_error,
          b->scores.useful_lifetime_error);
  compare(a, "error of chunks", a->errors.chunks, b->errors.chunks);
  compare(a, "error of bytes", a->errors.bytes, b->errors.bytes);
  compare(a, "error of usage", a->errors.usage, b->errors.usage);
  compare(a, "sampling error of useful lifetime", a->errors.useful_lifetime,
          b->errors.useful_lifetime);
  compare(a, "severity", a->severity, b->severity);
  compare_counts(a, "sizes", &a->sizes, &b->sizes);
  compare_counts(a, "lives", &a->lives, &b->lives);
  for (int i = 0; i < HP_INF_COUNT; i++) {
    const char *name = hp_inference_name((enum hp_inference)i);
    compare_whole(a, name, a->inferences[i].chunks, b->inferences[i].chunks);
    compare_whole(a, name, a->inferences[i].bytes, b->inferences[i].bytes);
    compare_whole(a, name, a->inferences[i].flagged, b->inferences[i].flagged);
  }
}

static hp_profile *open_dump(const char *path, bool from_log) {
  const struct hp_open_options o = {
      .sz = sizeof o, .no_symbols = true, .from_log = from_log};
  hp_profile *profile;
  struct hp_error error;
  if (hp_profile_open(&profile, &path, 1, &o, &error) == HP_OK)
    return profile;
  printf("%s\n", error.text);
  exit(1);
}

static size_t points_of(hp_profile *profile,
                        const struct hp_point *const **points) {
  const struct hp_query query = {.sz = sizeof query, .sort = "bytes"};
  struct hp_error error;
  size_t count;
  if (hp_profile_query(profile, &query, points, &count, &error) == HP_OK)
    return count;
  printf("%s\n", error.text);
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: compare_log DUMP\n", stderr);
    return 2;
  }
  hp_profile *counted = open_dump(argv[1], false);
  hp_profile *logged = open_dump(argv[1], true);
  const struct hp_point *const *a, *const *b;
  size_t count = points_of(counted, &a);
  if (points_of(logged, &b) != count) {
    printf("not the same number of points\n");
    return 1;
  }
  uint64_t chunks = 0;
  for (size_t i = 0; i < count; i++) {
    compare_points(a[i], b[i]);
    chunks += a[i]->chunks;
  }
  const struct hp_process *process = hp_process_at(counted, 0);
  if (!process->has_aggregates || chunks != process->allocations) {
    printf("%" PRIu64 " chunks instead of %" PRIu64 "\n", chunks,
           process->allocations);
    differences++;
  }
  if (hp_profile_global(counted)->peak_bytes !=
      hp_profile_global(logged)->peak_bytes) {
    printf("the peaks differ\n");
    differences++;
  }
  if (!differences)
    printf("%zu points, %" PRIu64 " chunks: equal\n", count, chunks);
  hp_profile_close(counted);
  hp_profile_close(logged);
  return differences != 0;
}
