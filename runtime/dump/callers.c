/* callers.c - see callers.h: rows of numbers, as heapprof_format.def has them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/callers.h"

#include "chunk/call_times.h"
#include "origin/point.h"
#include "profile/aggregate.h"
#include "profile/thread_sums.h"

static struct {
  struct {
    uint64_t calls, bytes;
  } of[HP_ENTRY_COUNT];
  struct hp_bytes threads, functions;
} callers;

void hp_callers_start(void) {
  for (unsigned f = 0; f < HP_ENTRY_COUNT; f++)
    callers.of[f].calls = callers.of[f].bytes = 0;
}

void hp_callers_count(uint32_t point) {
  uint64_t chunks, bytes;
  const enum hp_entry entry =
      point ? hp_point_entry(hp_point_get(point)) : HP_ENTRY_UNKNOWN;
  hp_aggregate_counts(point, &chunks, &bytes);
  callers.of[entry].calls += chunks;
  callers.of[entry].bytes = hp_add_saturated(callers.of[entry].bytes, bytes);
}

static void put_thread(struct hp_bytes *to, uint32_t told) {
  const struct hp_thread_sum *sum = &hp_thread_sums[told];
  const uint64_t ticks = hp_call_ticks_of(told);
  if (!sum->allocations && !sum->frees && !ticks)
    return;
  hp_put_varint(to, told);
  hp_put_varint(to, sum->allocations);
  hp_put_varint(to, sum->bytes);
  hp_put_varint(to, sum->frees);
  hp_put_varint(to, sum->foreign);
  hp_put_varint(to, sum->live > 0 ? (uint64_t)sum->live : 0);
  hp_put_varint(to, (uint64_t)sum->peak);
  hp_put_varint(to, ticks);
}

static void put_function(struct hp_bytes *to, enum hp_entry function) {
  const struct hp_call_times *times = hp_call_times(function);
  if (!callers.of[function].calls && !times->calls)
    return;
  uint64_t buckets = 0, timed = 0;
  for (unsigned b = 0; b < HP_CALL_BUCKETS; b++)
    buckets += times->counts[b] != 0;
  hp_put_varint(to, function);
  hp_put_varint(to, callers.of[function].calls);
  hp_put_varint(to, callers.of[function].bytes);
  hp_put_varint(to, times->ticks);
  hp_put_varint(to, buckets);
  for (unsigned b = 0; b < HP_CALL_BUCKETS && timed < buckets; b++) {
    if (!times->counts[b])
      continue;
    hp_put_varint(to, b);
    hp_put_varint(to, times->counts[b]);
    timed++;
  }
}

void hp_callers_take(uint64_t ends) {
  const uint64_t others = hp_thread_deletes + hp_thread_reallocs;
  callers.of[HP_ENTRY_DELETE].calls = hp_thread_deletes;
  callers.of[HP_ENTRY_FREE].calls = ends > others ? ends - others : 0;
  callers.threads.size = callers.functions.size = 0;
  for (uint32_t told = 1; told <= HP_THREADS_TOLD; told++)
    put_thread(&callers.threads, told);
  put_thread(&callers.threads, 0);
  for (unsigned f = 0; f < HP_ENTRY_COUNT; f++)
    put_function(&callers.functions, (enum hp_entry)f);
}

static size_t put_list(struct hp_bytes *payload, enum hp_end_tag tag,
                       const struct hp_bytes *list) {
  if (!list->size || list->failed)
    return 0;
  hp_put_bytes_field(payload, tag, list->data, list->size);
  return 1;
}

size_t hp_callers_put(struct hp_bytes *payload) {
  return put_list(payload, HP_END_threads_told, &callers.threads) +
         put_list(payload, HP_END_functions, &callers.functions);
}

void hp_callers_free(void) {
  hp_bytes_free(&callers.threads);
  hp_bytes_free(&callers.functions);
}
