/* caller_view.c - see caller_view.h: rows of numbers, and what a histogram says
   of the calls that were timed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/caller_view.h"

#include <math.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "read/record.h"

#define THREAD_NUMBERS 8u   /* of a row */
#define FUNCTION_NUMBERS 5u /* of a row, ahead of its buckets */

static struct hp_cursor list_of(const uint8_t *list, size_t size) {
  return (struct hp_cursor){list, list + size};
}

/* Both lists ascend by number, but for all others, 0, which have no stack. */
static void add_stacks(const struct hp_profile_process *process,
                       struct hp_thread_use *uses, size_t count) {
  const struct hp_dump_end *e = &process->of->end;
  struct hp_cursor at =
      list_of(e->thread_stacks_list, e->thread_stacks_list_size);
  size_t i = 0;
  for (uint64_t n[4]; hp_take_varints(&at, n, 4);) {
    while (i < count && uses[i].number && uses[i].number < n[0])
      i++;
    if (i == count || uses[i].number != n[0])
      continue; /* it never allocated */
    uses[i].stack_bytes = n[1];
    uses[i].stack_deepest = n[2] < n[1] ? n[2] : n[1];
    uses[i].stack_resident = n[3] < n[1] ? n[3] : n[1];
  }
}

static hp_status describe_threads(struct hp_profile *profile,
                                  struct hp_profile_process *process,
                                  struct hp_error *error) {
  const struct hp_dump_end *e = &process->of->end;
  struct hp_cursor at =
      list_of(e->threads_told_list, e->threads_told_list_size);
  /* A number takes a byte at least. */
  struct hp_thread_use *uses = hp_store_take(
      &profile->store, hp_left(&at) / THREAD_NUMBERS + 1, sizeof *uses);
  if (!uses)
    return hp_fail_memory(error);
  size_t count = 0;
  for (uint64_t n[THREAD_NUMBERS]; hp_take_varints(&at, n, THREAD_NUMBERS);
       count++)
    uses[count] = (struct hp_thread_use){
        .number = n[0],
        .allocations = n[1],
        .bytes = n[2],
        .frees = n[3],
        .foreign_frees = n[4],
        .live_bytes = n[5],
        .peak_bytes = n[6],
        .allocator_ns = hp_ticks_to_ns(n[7], process->rules.ticks_per_second)};
  add_stacks(process, uses, count);
  process->view.thread_uses = uses;
  process->view.thread_use_count = count;
  return HP_OK;
}

static const char *name_of(uint64_t entry) {
  static const char *const names[] = {
#define HP_ENTRY(number, name, text) [number] = text,
#include "heapprof_format.def"
  };
  return entry < sizeof names / sizeof *names ? names[entry] : "unknown";
}

static unsigned bucket_of(uint64_t number) {
  return number < HP_CALL_BUCKETS ? (unsigned)number : HP_CALL_BUCKETS - 1;
}

static double middle_of(uint64_t number) {
  const unsigned bucket = bucket_of(number);
  return ((double)hp_call_bucket_least(bucket) +
          (double)hp_call_bucket_least(bucket + 1)) /
         2;
}

/* The value below which SHARE of COUNT calls are: in a bucket they are taken
   for evenly spread.  BUCKETS are pairs of number and count. */
static double quantile(struct hp_cursor at, uint64_t buckets, uint64_t count,
                       double share) {
  double wanted = share * (double)count, below = 0;
  uint64_t pair[2] = {0, 0};
  for (uint64_t i = 0; i < buckets && hp_take_varints(&at, pair, 2); i++) {
    const unsigned bucket = bucket_of(pair[0]);
    const double least = (double)hp_call_bucket_least(bucket);
    const double most = (double)hp_call_bucket_least(bucket + 1);
    if (below + (double)pair[1] >= wanted && pair[1])
      return least + (most - least) * (wanted - below) / (double)pair[1];
    below += (double)pair[1];
  }
  return 0;
}

#define USUAL_SHARE 0.99 /* of the calls, without the longest */

static double usual_mean(struct hp_cursor at, uint64_t buckets,
                         uint64_t count) {
  const double wanted = USUAL_SHARE * (double)count;
  double sum = 0, left = wanted;
  uint64_t pair[2];
  for (uint64_t i = 0; i < buckets && hp_take_varints(&at, pair, 2); i++) {
    const double taken = (double)pair[1] < left ? (double)pair[1] : left;
    sum += taken * middle_of(pair[0]);
    left -= taken;
  }
  return sum / wanted;
}

/* The standard error of the mean of ALL calls, by those that were timed: as far as buckets tell.  < 0: one tells nothing. */
static double error_of_mean(struct hp_cursor at, uint64_t buckets,
                            const struct hp_call_use *use, double mean) {
  const double timed = (double)use->timed, calls = (double)use->calls;
  double squares = 0;
  if (use->timed < 2)
    return -1;
  if (use->timed >= use->calls)
    return 0;
  uint64_t pair[2];
  for (uint64_t i = 0; i < buckets && hp_take_varints(&at, pair, 2); i++) {
    const double middle = middle_of(pair[0]);
    squares += (double)pair[1] * (middle - mean) * (middle - mean);
  }
  return sqrt(squares / (timed - 1) / timed * (1 - timed / calls));
}

/* AT is moved behind the buckets; false if they are cut. */
static bool describe_times(struct hp_call_use *use, struct hp_cursor *at,
                           uint64_t ticks, uint64_t buckets, double per_tick) {
  const struct hp_cursor begin = *at;
  for (uint64_t i = 0; i < buckets; i++) {
    uint64_t pair[2];
    if (!hp_take_varints(at, pair, 2))
      return false;
    use->timed += pair[1];
  }
  use->mean_error_ns = -1;
  if (!use->timed)
    return true;
  const double mean = (double)ticks / (double)use->timed;
  const double error_ticks = error_of_mean(begin, buckets, use, mean);
  use->mean_error_ns = error_ticks < 0 ? -1 : error_ticks * per_tick;
  use->mean_ns = (double)ticks / (double)use->timed * per_tick;
  use->median_ns = quantile(begin, buckets, use->timed, 0.5) * per_tick;
  use->usual_ns = usual_mean(begin, buckets, use->timed) * per_tick;
  use->p99_ns = quantile(begin, buckets, use->timed, 0.99) * per_tick;
  return true;
}

static hp_status describe_functions(struct hp_profile *profile,
                                    struct hp_profile_process *process,
                                    struct hp_error *error) {
  const struct hp_dump_end *e = &process->of->end;
  const double per_tick = 1e9 / (double)process->rules.ticks_per_second;
  struct hp_cursor at = list_of(e->functions_list, e->functions_list_size);
  struct hp_call_use *uses = hp_store_take(
      &profile->store, hp_left(&at) / FUNCTION_NUMBERS + 1, sizeof *uses);
  if (!uses)
    return hp_fail_memory(error);
  size_t count = 0;
  for (uint64_t n[FUNCTION_NUMBERS];
       hp_take_varints(&at, n, FUNCTION_NUMBERS);) {
    uses[count] = (struct hp_call_use){
        .function = name_of(n[0]), .calls = n[1], .bytes = n[2]};
    if (!describe_times(&uses[count], &at, n[3], n[4], per_tick))
      break;
    count++;
  }
  process->view.call_uses = uses;
  process->view.call_use_count = count;
  process->view.timed_one_in = HP_TIMED_ONE_IN;
  return HP_OK;
}

hp_status hp_process_describe_callers(struct hp_profile *profile,
                                      struct hp_profile_process *process,
                                      struct hp_error *error) {
  HP_TRY(describe_threads(profile, process, error));
  return describe_functions(profile, process, error);
}
