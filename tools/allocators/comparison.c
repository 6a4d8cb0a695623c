/* comparison.c - see comparison.h: medians, and which allocator or setting is worth a change.
   Times decide only where each round says the same; bytes and calls do not depend on other work of the machine.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "comparison.h"

#include "number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define DIFFERENCE_MIN 0.05 /* of time or bytes, that counts as one */
#define GAIN_MIN 0.05       /* logarithm, all together */
#define CALLS_WEIGHT 0.1    /* a call is cheap beside a byte or a second */
#define CALLS_FREE 1000.0   /* fewer calls than these make no difference */
#define ROUNDS_FOR_TIME 3u

/* ---- rounds ------------------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static struct hp_spread spread_of(uint64_t *numbers, unsigned count) {
  qsort(numbers, count, sizeof *numbers, by_number);
  return (struct hp_spread){numbers[0], numbers[count / 2], numbers[count - 1]};
}

#define SPREAD(member, of)                                                     \
  do {                                                                         \
    uint64_t numbers[HP_ROUNDS_MAX];                                           \
    for (unsigned i = 0; i < rounds; i++) {                                    \
      const struct hp_trial *t = &result->trials[i];                           \
      numbers[i] = of;                                                         \
    }                                                                          \
    result->member = spread_of(numbers, rounds);                               \
  } while (0)

void hp_result_sum_up(struct hp_result *result, unsigned rounds) {
  SPREAD(user_ns, t->user_ns);
  SPREAD(system_ns, t->system_ns);
  SPREAD(cpu_ns, t->user_ns + t->system_ns);
  SPREAD(elapsed_ns, t->elapsed_ns);
  SPREAD(peak_rss_bytes, t->peak_rss_bytes);
  SPREAD(faults, t->minor_faults + t->major_faults);
  result->status = result->trials[0].status;
}

/* ---- the choice ----------------------------------------------------------------- */

uint64_t hp_memory_calls_sum(const struct hp_memory_calls *calls) {
  return calls->brk + calls->mmap + calls->munmap + calls->mremap +
         calls->madvise;
}

static double ratio(double to, double from, double more) {
  return log((to + more) / (from + more));
}

/* Logarithms; below zero is better. */
struct difference {
  double time, bytes, calls;
};

/* 0 where the rounds do not say the same, or too few were made. */
static double time_difference(const struct hp_comparison *comparison,
                              const struct hp_result *r) {
  const struct hp_spread *from = &comparison->results[0].cpu_ns;
  const struct hp_spread *to = &r->cpu_ns;
  bool clear = to->most < from->least || to->least > from->most;
  double difference = ratio((double)to->median, (double)from->median, 1);
  return comparison->rounds >= ROUNDS_FOR_TIME && clear &&
                 fabs(difference) >= DIFFERENCE_MIN
             ? difference
             : 0;
}

static struct difference compare(const struct hp_comparison *comparison,
                                 const struct hp_result *r) {
  const struct hp_result *base = &comparison->results[0];
  struct difference d = {.time = time_difference(comparison, r)};
  d.bytes = ratio((double)r->peak_rss_bytes.median,
                  (double)base->peak_rss_bytes.median, 1);
  if (fabs(d.bytes) < DIFFERENCE_MIN)
    d.bytes = 0;
  if (!r->uncounted && !base->uncounted)
    d.calls = ratio((double)hp_memory_calls_sum(&r->calls),
                    (double)hp_memory_calls_sum(&base->calls), CALLS_FREE);
  return d;
}

static void add_change(struct hp_comparison *comparison, const char *metric,
                       uint64_t from, uint64_t to, bool bytes) {
  if (comparison->change_count < HP_CHANGES_MAX)
    comparison->changes[comparison->change_count++] =
        (struct hp_change){metric, from, to, bytes};
}

static void say_changes(struct hp_comparison *comparison) {
  const struct hp_result *from = &comparison->results[0];
  const struct hp_result *to = &comparison->results[comparison->recommended];
  add_change(comparison, "peak_rss_bytes", from->peak_rss_bytes.median,
             to->peak_rss_bytes.median, true);
  if (!from->uncounted && !to->uncounted)
    add_change(comparison, "memory_calls", hp_memory_calls_sum(&from->calls),
               hp_memory_calls_sum(&to->calls), false);
  add_change(comparison, "page_faults", from->faults.median, to->faults.median,
             false);
  if (time_difference(comparison, to) != 0)
    add_change(comparison, "cpu_ns", from->cpu_ns.median, to->cpu_ns.median,
               false);
}

void hp_comparison_recommend(struct hp_comparison *comparison) {
  double best = -GAIN_MIN;
  for (size_t i = 1; i < comparison->contenders->count; i++) {
    const struct hp_result *r = &comparison->results[i];
    struct difference d = compare(comparison, r);
    double sum = d.time + d.bytes + CALLS_WEIGHT * d.calls;
    if (hp_ended_otherwise(r->status, comparison->results[0].status) ||
        d.time > 0 || d.bytes > 0)
      continue;
    if (sum < best) {
      best = sum;
      comparison->recommended = i;
    }
  }
  if (comparison->recommended)
    say_changes(comparison);
}

/* ---- ends ------------------------------------------------------------------------ */

bool hp_ended_otherwise(int one, int other) {
  if (WIFSIGNALED(one) || WIFSIGNALED(other))
    return !WIFSIGNALED(one) || !WIFSIGNALED(other) ||
           WTERMSIG(one) != WTERMSIG(other);
  return WEXITSTATUS(one) != WEXITSTATUS(other);
}

void hp_end_text(int status, char *text, size_t size) {
  if (WIFSIGNALED(status))
    snprintf(text, size, "signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(text, size, "status %d", WEXITSTATUS(status));
}

/* ---- in words ---------------------------------------------------------------------- */

static size_t put_change(const struct hp_change *change, char *text,
                         size_t size) {
  static const struct {
    const char *metric, *words;
  } words[] = {{"peak_rss_bytes", "peak RSS"},
               {"memory_calls", "calls of brk, mmap, munmap, mremap, madvise"},
               {"page_faults", "page faults"},
               {"cpu_ns", "processor time"}};
  const char *name = change->metric;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i].metric, name) == 0)
      name = words[i].words;
  bool time = strcmp(change->metric, "cpu_ns") == 0;
  struct hp_number_text from = change->bytes ? hp_bytes_text(change->from)
                               : time ? hp_duration_text((double)change->from)
                                      : hp_count_text(change->from);
  struct hp_number_text to = change->bytes ? hp_bytes_text(change->to)
                             : time ? hp_duration_text((double)change->to)
                                    : hp_count_text(change->to);
  int used = snprintf(text, size, "%s %s -> %s", name, from.s, to.s);
  return used < 0 ? 0 : (size_t)used < size ? (size_t)used : size - 1;
}

void hp_recommendation_text(const struct hp_comparison *comparison, char *text,
                            size_t size) {
  size_t used;
  if (!comparison->recommended) {
    snprintf(text, size, "nothing gained: keep what the program has");
    return;
  }
  hp_contender_environment(
      comparison->results[comparison->recommended].contender, text, size);
  used = strlen(text);
  for (size_t i = 0; i < comparison->change_count && used + 2 < size; i++) {
    memcpy(text + used, i ? ", " : ": ", 3);
    used += 2;
    used += put_change(&comparison->changes[i], text + used, size - used);
  }
}
