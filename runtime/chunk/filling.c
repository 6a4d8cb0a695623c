/* filling.c - see filling.h: ranges and parts of one chunk, and a table of sums by
   point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/filling.h"

#include "chunk/members.h"
#include "chunk/point_sum.h"
#include "chunk/point_table.h"
#include "heap/beside_table.h"
#include "heap/heap.h"
#include "system/clock.h"
#include "system/limit.h"
#include "system/memory.h"

#define POINTS 8192u
#define SAMPLE 256u /* bytes of what was initialised only, */
#define SAMPLE_LEAST 64u
#define PAGE ((uintptr_t)4096)

struct entry {
  uint32_t begun;
  struct hp_initialised_sum sum;
};

static struct hp_point_map points;
static uint64_t lost; /* of all points */

static struct entry *entry_of(uint32_t point, bool take) {
  return hp_point_map_find(&points, sizeof(struct entry), POINTS, point, take);
}

/* ---- who is looked at ---------------------------------------------------- */

static bool is_among_few(uint32_t begun, uint64_t t0) {
  const uint32_t half = begun / HP_FILL_HALF;
  const uint64_t mixed = t0 * 0x9e3779b97f4a7c15u;
  return (mixed >> 32) %
             ((uint64_t)HP_FILL_ONE_IN << (half < 24 ? half : 24)) ==
         0;
}

bool hp_fill_is_possible(void) {
  return !hp_members_of && !hp_beside && !hp_memory_is_limited();
}

bool hp_fill_wants(const struct hp_cold *cold, bool is_chosen) {
  if ((cold->word & HP_SIZE_MAX) < HP_FILL_SIZE_MIN || !hp_fill_is_possible())
    return false;
  struct entry *entry = entry_of(cold->point, true);
  const uint32_t begun =
      entry ? __atomic_load_n(&entry->begun, __ATOMIC_RELAXED) : 0;
  if (!entry ||
      (begun > HP_FILL_FIRST && !(is_chosen && is_among_few(begun, cold->t0))))
    return false;
  __atomic_fetch_add(&entry->begun, 1, __ATOMIC_RELAXED);
  return begun || (cold->word & HP_SIZE_MAX) >= HP_FILL_LARGE;
}

void hp_fill_begin(struct hp_fill *fill, const struct hp_cold *cold) {
  *fill = (struct hp_fill){.shift = 3};
  while ((uint64_t)HP_FILL_PARTS << fill->shift < (cold->word & HP_SIZE_MAX))
    fill->shift++;
}

void hp_fill_lose(const struct hp_cold *cold) {
  struct entry *entry = entry_of(cold->point, false);
  if (entry)
    hp_sum_add(&entry->sum.lost, 1);
  hp_sum_add(&lost, 1);
}

/* ---- accesses ------------------------------------------------------------ */

static bool is_in(const struct hp_fill_range *range, uint32_t from,
                  uint32_t to) {
  return from < range->to && range->from < to;
}

/* A write of [FROM, TO) goes on with RANGE, to either side. */
static bool goes_on(struct hp_fill_range *range, uint32_t from, uint32_t to) {
  if (range->from == range->to) {
    *range = (struct hp_fill_range){from, to};
    return true;
  }
  if (from + HP_FILL_GAP < range->to || from > range->to + HP_FILL_GAP) {
    if (to > range->from || to + HP_FILL_GAP < range->from)
      return false;
  }
  range->from = from < range->from ? from : range->from;
  range->to = to > range->to ? to : range->to;
  return true;
}

static bool initialises(struct hp_fill *fill, uint32_t from, uint32_t to) {
  for (unsigned i = 0; i < HP_FILL_LAST; i++)
    if (is_in(&fill->last[i], from, to))
      return false;
  struct hp_fill_range *first = &fill->ranges[0], *second = &fill->ranges[1];
  const bool is_far = is_in(first, from, to);
  if (!goes_on(first, from, to) && (is_far || !goes_on(second, from, to)))
    return false;
  if (is_in(first, second->from, second->to)) { /* they have met */
    first->from = first->from < second->from ? first->from : second->from;
    first->to = first->to > second->to ? first->to : second->to;
    *second = (struct hp_fill_range){0, 0};
  }
  fill->last[fill->writes++ % HP_FILL_LAST] = (struct hp_fill_range){from, to};
  return true;
}

/* A count of what is in the chunk, or of who has it, says nothing of the rest. */
static void use(struct hp_fill *fill, uint32_t from, uint32_t to,
                bool is_written) {
  const unsigned first = from >> fill->shift, last = (to - 1) >> fill->shift;
  fill->used |= UINT64_MAX << first & UINT64_MAX >> (HP_FILL_PARTS - 1 - last);
  if (is_written && to > HP_FILL_HEAD)
    for (unsigned i = 0; i < HP_FILL_RANGES; i++)
      fill->is_written = fill->is_written || is_in(&fill->ranges[i], from, to);
}

bool hp_fill_touch(struct hp_fill *fill, uint64_t from, uint64_t to,
                   uint64_t reads, uint64_t writes) {
  const uint64_t some = __atomic_load_n(&lost, __ATOMIC_RELAXED) / HP_FILL_LOST;
  if (fill->accesses++ >= HP_FILL_ACCESSES >>
      (some < HP_FILL_HALVES ? some : HP_FILL_HALVES))
    return false;
  if (from >= to)
    return true;
  const uint32_t lo = (uint32_t)from, hi = (uint32_t)to;
  fill->is_over = fill->is_over || reads || !initialises(fill, lo, hi);
  if (fill->is_over)
    use(fill, lo, hi, writes != 0);
  return true;
}

void hp_fill_burst(struct hp_fill *fill) {
  fill->used_before = fill->used;
  fill->was_written = fill->is_written;
}

/* ---- sums ---------------------------------------------------------------- */

static uint64_t both(const struct hp_fill_range *range, uint64_t from,
                     uint64_t to) {
  const uint64_t lo = from > range->from ? from : range->from;
  const uint64_t hi = to < range->to ? to : range->to;
  return lo < hi ? hi - lo : 0;
}

/* Initialised bytes of the parts that are not USED; *LONGEST are such side by
   side. */
static uint64_t only(const struct hp_fill *fill, uint64_t used,
                     struct hp_fill_range *longest) {
  struct hp_fill_range run = *longest = (struct hp_fill_range){0, 0};
  uint64_t sum = 0;
  for (unsigned r = 0; r < HP_FILL_RANGES; r++)
    for (unsigned i = 0; i < HP_FILL_PARTS; i++) {
      const struct hp_fill_range *range = &fill->ranges[r];
      const uint64_t from = (uint64_t)i << fill->shift;
      const uint64_t more =
          used >> i & 1
              ? 0
              : both(range, from, from + ((uint64_t)1 << fill->shift));
      const uint32_t begin = from > range->from ? (uint32_t)from : range->from;
      if (more)
        run = begin == run.to
                  ? (struct hp_fill_range){run.from, begin + (uint32_t)more}
                  : (struct hp_fill_range){begin, begin + (uint32_t)more};
      if (run.to - run.from > longest->to - longest->from)
        *longest = run;
      sum += more;
    }
  return sum;
}

/* Copies some bytes of RUN; those in the page of the record can always be read, of
   others the system is asked, as the program may have shut their pages. */
static size_t sample(const struct hp_chunk *chunk, struct hp_fill_range run,
                     bool is_live, uint8_t bytes[SAMPLE]) {
  const uintptr_t own = ((uintptr_t)chunk | (PAGE - 1)) + 1;
  const uintptr_t from = hp_chunk_start(chunk) + run.from;
  uint64_t size = run.to - run.from < SAMPLE ? run.to - run.from : SAMPLE;
  if (from < own && own - from < size && own - from >= SAMPLE_LEAST)
    size = own - from;
  const uintptr_t last = from + size - 1;
  if (last >= own && is_live)
    return hp_sys_read_own(bytes, from, size) ? size : 0;
  if (last >= own && !(hp_sys_readable(from) && hp_sys_readable(last)))
    return 0;
  for (size_t i = 0; i < size; i++)
    bytes[i] = ((const uint8_t *)from)[i];
  return size;
}

/* Data that is written once and of which some is never read is accessed alike: three
   quarters of the bytes are those that tables are initialised by. */
static bool is_blank(const struct hp_chunk *chunk, struct hp_fill_range run,
                     bool is_live) {
  uint8_t bytes[SAMPLE];
  const size_t size = sample(chunk, run, is_live, bytes);
  size_t blank = 0;
  for (size_t i = 0; i < size; i++)
    blank += bytes[i] == 0 || bytes[i] == 0xff;
  return size && blank * 4 >= size * 3;
}

static struct hp_initialised_sum measure(const struct hp_fill *fill,
                                         const struct hp_chunk *chunk,
                                         bool is_torn, bool is_live) {
  struct hp_fill_range run;
  struct hp_initialised_sum sum = {.chunks = 1,
                                   .filled = is_torn ? fill->was_written
                                                     : fill->is_written,
                                   .bytes = hp_chunk_size(chunk)};
  sum.settled = only(fill, is_torn ? fill->used_before : fill->used, &run);
  if (!is_blank(chunk, run, is_live))
    sum.settled = 0;
  else
    sum.only = is_torn ? only(fill, fill->used, &run) : sum.settled;
  return sum;
}

void hp_fill_end(const struct hp_fill *fill, const struct hp_chunk *chunk,
                 const struct hp_cold *cold, const struct hp_fill_end *end) {
  struct entry *entry = entry_of(cold->point, false);
  if (!entry)
    return;
  const struct hp_initialised_sum more =
      measure(fill, chunk, end->is_torn, false);
  for (uint32_t i = 0; end->is_torn && i < end->reader_count; i++)
    hp_sum_reader(entry->sum.readers, HP_INITIALISED_READERS,
                  &entry->sum.overflow, end->readers[i]);
#define ADD(name) hp_sum_add(&entry->sum.name, more.name);
  HP_INITIALISED_SUMS(ADD)
#undef ADD
}

void hp_fill_add_live(const struct hp_fill *fill, const struct hp_chunk *chunk,
                      struct hp_initialised_sum *sum) {
  const struct hp_initialised_sum more = measure(fill, chunk, false, true);
#define ADD(name) sum->name += more.name;
  HP_INITIALISED_SUMS(ADD)
#undef ADD
}

static void limit(uint64_t *part, uint64_t whole) {
  if (*part > whole)
    *part = whole;
}

/* A thread may be adding: parts are not to be more than what they are of. */
struct hp_initialised_sum hp_initialised_of(uint32_t point) {
  const struct entry *entry = entry_of(point, false);
  struct hp_initialised_sum sum = {0};
  if (!entry)
    return sum;
  for (uint32_t i = 0; i < HP_INITIALISED_READERS; i++)
    sum.readers[i] = __atomic_load_n(&entry->sum.readers[i], __ATOMIC_RELAXED);
#define COPY(name)                                                             \
  sum.name = __atomic_load_n(&entry->sum.name, __ATOMIC_RELAXED);
  HP_INITIALISED_SUMS(COPY)
#undef COPY
  limit(&sum.filled, sum.chunks);
  limit(&sum.settled, sum.bytes);
  limit(&sum.only, sum.settled);
  return sum;
}

/* To map it later would make the first chunks live longer than others. */
void hp_fill_start(void) {
  const size_t size = hp_point_map_size(sizeof(struct entry), POINTS);
  void *table = hp_point_map_entries(&points, 0, false);
  if (table)
    hp_sys_release(table, size);
  else
    hp_point_map_entries(&points, size, hp_fill_is_possible());
  lost = 0;
}
