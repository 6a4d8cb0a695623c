/* raw_dump.c - points of a dump by their ids; which dump goes on with which.
   What is read is never changed but by who reads it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/raw_dump.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
  uint64_t x = ((const struct hp_dump_point *)a)->id;
  uint64_t y = ((const struct hp_dump_point *)b)->id;
  return (x > y) - (x < y);
}

void hp_dump_sort_points(struct hp_dump *dump) {
  qsort(dump->points, dump->point_count, sizeof *dump->points, by_id);
}

struct hp_dump_point *hp_dump_point_of(struct hp_dump *dump, uint64_t id) {
  struct hp_dump_point key = {.id = id};
  return bsearch(&key, dump->points, dump->point_count, sizeof key, by_id);
}

bool hp_dump_is_same_process(const struct hp_dump_process *a,
                             const struct hp_dump_process *b) {
  const char *host_a = a->header.host ? a->header.host : "";
  const char *host_b = b->header.host ? b->header.host : "";
  return a->header.pid == b->header.pid &&
         a->header.start_unix_ns == b->header.start_unix_ns &&
         strcmp(host_a, host_b) == 0;
}

bool hp_dump_is_continued_by(const struct hp_dump_process *earlier,
                             const struct hp_dump_process *later) {
  return earlier->header.dump_number && earlier->end.end < later->end.end;
}

void hp_dump_close(struct hp_dump *dump) {
  if (!dump)
    return;
  for (size_t i = 0; i < dump->point_count; i++)
    hp_chunks_free(&dump->points[i].chunks);
  free(dump->points);
  free(dump->modules);
  free(dump->processes);
  hp_store_free(&dump->store);
  free(dump);
}
