/* meter_reader.c - see meter_reader.h.
   The record is shared with a process that may have ended anywhere: its counts are bounded before they are used.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "meter_reader.h"

#include <string.h>

static const char *const names[HP_METER_FUNCTIONS] = {
    "malloc", "calloc", "realloc", "aligned_alloc", "free", "new", "delete"};

/* ---- times ------------------------------------------------------------------- */

static double ns_per_tick(const struct hp_meter_record *record) {
  uint64_t ns = record->last_ns - record->begin_ns;
  uint64_t ticks = record->last_ticks - record->begin_ticks;
  return record->last_ns > record->begin_ns &&
                 record->last_ticks > record->begin_ticks
             ? (double)ns / (double)ticks
             : 0;
}

/* Less what the timer itself takes. */
static double call_ns(double ticks, const struct hp_meter_record *record) {
  double own = ticks - (double)record->timer_ticks;
  return own > 0 ? own * ns_per_tick(record) : 0;
}

/* Ticks that SHARE of the calls do not exceed; buckets are taken for evenly filled. */
static double quantile(const struct hp_meter_call *call, double share) {
  double wanted = share * (double)call->calls, below = 0;
  for (uint32_t i = 0; i < HP_METER_BUCKETS - 1; i++) {
    double count = (double)call->buckets[i];
    if (count > 0 && below + count >= wanted) {
      double begin = (double)hp_meter_bucket_begin(i);
      double width = (double)hp_meter_bucket_begin(i + 1) - begin;
      return begin + width * (wanted - below) / count;
    }
    below += count;
  }
  return 0;
}

static void read_function(const struct hp_meter_record *record, unsigned i,
                          struct hp_meter_view *view) {
  const struct hp_meter_call *call = &record->functions[i];
  if (!call->calls)
    return;
  view->requested_bytes += call->bytes;
  view->functions[view->function_count++] = (struct hp_meter_function_view){
      .name = names[i],
      .calls = call->calls,
      .bytes = call->bytes,
      .mean_ns = call_ns((double)call->ticks / (double)call->calls, record),
      .median_ns = call_ns(quantile(call, 0.5), record),
      .p99_ns = call_ns(quantile(call, 0.99), record)};
}

/* ---- samples ------------------------------------------------------------------ */

static double share(double part, double whole) {
  return whole > 0 ? part / whole : HP_METER_NONE;
}

/* 0 where PART is the greater: what is usable behind a last chunk's bytes is in no span. */
static double rest(double part, double whole) {
  if (whole <= 0)
    return HP_METER_NONE;
  return part < whole ? 1 - part / whole : 0;
}

struct hp_meter_shares
hp_meter_shares_of(const struct hp_meter_sample *sample) {
  double placed = (double)sample->placed_bytes;
  double span = (double)sample->span_bytes;
  return (struct hp_meter_shares){
      .fragmentation_total = rest(placed, span),
      .fragmentation_mean =
          share(sample->fragmentation_sum, (double)sample->regions),
      .internal =
          rest((double)sample->live_bytes, (double)sample->usable_bytes),
      .external = rest((double)sample->usable_bytes, span),
      .utilisation = share(placed, (double)sample->mapped_bytes)};
}

/* Of each chunk glibc counts 8 bytes of head as in use, and 8 more of one that is a mapping; what is left is in caches
   of threads, from which the next allocation is served, and glibc's own. */
#define HEAD 8u
static void read_arenas(const struct hp_meter_record *record,
                        const struct hp_meter_sample *last,
                        struct hp_meter_view *view) {
  const struct hp_meter_arenas *a = &record->arenas;
  uint64_t counted = a->in_use_bytes + a->mmap_bytes;
  uint64_t lives = last->usable_bytes + HEAD * (last->chunks + a->mmap_chunks);
  view->arenas = *a;
  view->cached_bytes = counted > lives ? counted - lives : 0;
}

static const size_t members[] = {
    offsetof(struct hp_meter_shares, fragmentation_total),
    offsetof(struct hp_meter_shares, fragmentation_mean),
    offsetof(struct hp_meter_shares, internal),
    offsetof(struct hp_meter_shares, external),
    offsetof(struct hp_meter_shares, utilisation)};

static double *member(struct hp_meter_shares *shares, size_t i) {
  return (double *)(void *)((char *)shares + members[i]);
}

/* Of each share over the samples that have it. */
static struct hp_meter_shares mean_of(const struct hp_meter_view *view) {
  struct hp_meter_shares mean;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    double sum = 0, count = 0;
    for (size_t n = 0; n < view->sample_count; n++) {
      struct hp_meter_shares one = hp_meter_shares_of(&view->samples[n]);
      if (*member(&one, i) != HP_METER_NONE) {
        sum += *member(&one, i);
        count++;
      }
    }
    *member(&mean, i) = share(sum, count);
  }
  return mean;
}

static void read_samples(const struct hp_meter_record *record,
                         struct hp_meter_view *view) {
  static const struct hp_meter_sample none;
  const struct hp_meter_sample *last = &none;
  view->sample_count = record->sample_count;
  for (size_t i = 0; i < view->sample_count; i++) {
    last = &view->samples[i];
    view->samples[i] = record->samples[i];
    if (last->mapped_bytes > view->peak_mapped_bytes)
      view->peak_mapped_bytes = last->mapped_bytes;
    if (last->resident_bytes > view->peak_resident_bytes)
      view->peak_resident_bytes = last->resident_bytes;
  }
  if (record->ended && record->arenas.known)
    read_arenas(record, last, view);
  view->end = hp_meter_shares_of(last);
  view->mean = mean_of(view);
}

const char *hp_meter_read(const struct hp_meter_record *record,
                          struct hp_meter_view *view) {
  memset(view, 0, sizeof *view);
  if (record->magic == 0)
    return "the meter was not loaded";
  if (record->magic != HP_METER_MAGIC || record->size != sizeof *record ||
      record->sample_count > HP_METER_SAMPLES)
    return "the meter is of another version, or its record was overwritten";
  memcpy(view->library, record->library, sizeof view->library - 1);
  view->ended = record->ended != 0;
  view->images = record->images;
  view->allocations = record->allocations;
  view->frees = record->frees;
  view->peak_live_bytes = record->peak_live_bytes;
  view->live_bytes_at_end = record->live_bytes;
  view->unknown_frees = record->unknown_frees;
  view->lost_chunks = record->lost_chunks;
  view->lost_samples = record->lost_samples;
  for (unsigned i = 0; i < HP_METER_FUNCTIONS; i++)
    read_function(record, i, view);
  read_samples(record, view);
  return view->allocations ? NULL : "it allocated nothing that can be seen";
}
