/* test_set_keep.c - sets of chunks against a recount: each key picks the chunks that a plain loop picks.
   A set and what is not in it are all, in chunks, bytes and what lives; rows add up to the set.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunk_measure.h"
#include "dump_builder.h"
#include "heapprof_set.h"

#define CHUNKS 3000u
#define WINDOW 1000000u
#define M1 300000u
#define M2 700000u

static const uint64_t at_app[] = {0x400101}, at_app2[] = {0x400201},
                      at_lib[] = {0x600101};
static const struct hp_build_module modules[] = {
    {"/bin/app", 0x400000, 0x400000, 0x500000, 0, 0},
    {"/lib/libx.so", 0x600000, 0x600000, 0x700000, 0, 0}};
static const struct hp_build_point points[] = {
    {1, at_app, 1, "node", HP_PROVENANCE_ARGUMENT},
    {2, at_app2, 1, "leaf", HP_PROVENANCE_ARGUMENT},
    {3, at_lib, 1, "node", HP_PROVENANCE_SYMBOL}};
static const char *const marks[] = {"m1", "two words"};
static const uint64_t mark_times[] = {M1, M2};

static struct hp_chunk_log chunks[CHUNKS];
static char *scratch;
static char path[4096];
static uint64_t peak_time, peak_bytes;
static uint64_t bytes_at[CHUNKS]; /* live as each began */

static uint32_t state_of_random = 1;

static uint32_t below(uint32_t most) {
  state_of_random = state_of_random * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(state_of_random >> 4) * most >> 28);
}

static bool lives_at(const struct hp_chunk_log *c, uint64_t time) {
  return c->t0 <= time &&
         (c->flags & HP_CHUNK_LIVE || time < c->t0 + hp_dur(c->t0, c->t1));
}

static uint64_t live_bytes_at(uint64_t time) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < CHUNKS; i++)
    bytes += lives_at(&chunks[i], time) ? chunks[i].size : 0;
  return bytes;
}

static struct hp_chunk_log any_chunk(void) {
  struct hp_chunk_log c = {.point = 1 + below(3),
                           .t0 = below(WINDOW - 10),
                           .size = below(3) ? below(300) : below(9000),
                           .thread = 1 + below(3),
                           .flags = HP_CHUNK_EXACT};
  c.t1 = c.t0 + (below(4) ? below(2000) : below(WINDOW));
  if (c.t1 >= WINDOW) {
    c.t1 = WINDOW;
    c.flags |= HP_CHUNK_LIVE;
  } else {
    c.free_thread = 1 + below(3);
    c.free_pc = below(2) ? 0x400301 : 0x600401;
  }
  if (below(4) && c.size) {
    c.reads = below(3);
    c.writes = c.reads ? below(4) : 1;
    c.first = c.t0;
    c.last = c.t1;
    c.lo = below((uint32_t)c.size);
    c.hi = c.lo + 1 + below((uint32_t)(c.size - c.lo));
  }
  return c;
}

static struct hp_build the_build(void) {
  return (struct hp_build){.window = WINDOW,
                           .modules = modules,
                           .module_count = 2,
                           .points = points,
                           .point_count = 3,
                           .chunks = chunks,
                           .chunk_count = CHUNKS,
                           .marks = marks,
                           .mark_times = mark_times,
                           .mark_count = 2,
                           .peak_time = peak_time,
                           .peak_bytes = peak_bytes};
}

static int write_dump(void **state) {
  (void)state;
  scratch = hp_scratch_make();
  snprintf(path, sizeof path, "%s/heapprof.app.1", scratch);
  for (size_t i = 0; i < CHUNKS; i++)
    chunks[i] = any_chunk();
  for (size_t i = 0; i < CHUNKS; i++) {
    const uint64_t bytes = bytes_at[i] = live_bytes_at(chunks[i].t0);
    if (bytes > peak_bytes ||
        (bytes == peak_bytes && chunks[i].t0 < peak_time)) {
      peak_bytes = bytes;
      peak_time = chunks[i].t0;
    }
  }
  const struct hp_build build = the_build();
  hp_build_write(&build, path);
  return 0;
}

static int remove_dump(void **state) {
  (void)state;
  hp_scratch_remove(scratch);
  return 0;
}

static hp_profile *opened(const char *dump) {
  const struct hp_open_options o = {.sz = sizeof o, .no_symbols = true};
  hp_profile *profile;
  struct hp_error error;
  if (hp_profile_open(&profile, &dump, 1, &o, &error) != HP_OK)
    fail_msg("%s", error.text);
  return profile;
}

static hp_status keep(hp_profile *profile, const char *filter,
                      const char *sets_file, struct hp_error *error) {
  const struct hp_set_options o = {
      .sz = sizeof o, .filter = filter, .sets_file = sets_file};
  return hp_profile_keep(profile, &o, error);
}

static hp_profile *kept(const char *filter) {
  hp_profile *profile = opened(path);
  struct hp_error error;
  if (keep(profile, filter, NULL, &error) != HP_OK)
    fail_msg("%s", error.text);
  return profile;
}

/* ---- every key ----------------------------------------------------------- */

static uint64_t life_of(const struct hp_chunk_log *c) {
  return hp_dur(c->t0, c->t1);
}

static bool is_live(const struct hp_chunk_log *c) {
  return c->flags & HP_CHUNK_LIVE;
}

#define IS(name, condition)                                                    \
  static bool name(const struct hp_chunk_log *c) { return condition; }
IS(all, c != NULL)
IS(none, c == NULL)
IS(of_node, c->point != 2)
IS(of_lib, c->point == 3)
IS(of_point_2, c->point == 2)
IS(of_2_and_3, c->point >= 2)
IS(large, c->size >= 4096)
IS(of_64, c->size == 64)
IS(not_of_64, c->size != 64)
IS(at_most_1536, c->size <= 1536)
IS(more_than_1_mib, c->size > 1048576)
IS(short_life, life_of(c) < 1000)
IS(long_life, life_of(c) >= 200000)
IS(of_thread_2, c->thread == 2)
IS(freed_by_2, c->free_thread == 2)
IS(not_freed_by_2, c->free_thread != 2)
IS(unread, c->reads == 0)
IS(written_twice, c->writes >= 2)
IS(narrow, hp_chunk_span(c) < 16)
IS(half_used, c->size ? 2 * hp_chunk_span(c) >= c->size : false)
IS(born_between, c->t0 >= M1 && c->t0 < M2)
IS(born_late, c->t0 >= M2)
IS(born_early, c->t0 < 100000)
IS(died, !is_live(c))
IS(died_between, !is_live(c) && c->t1 >= M1 && c->t1 < M2)
IS(died_early, !is_live(c) && c->t1 < M1)
IS(live_at_m1, lives_at(c, M1))
IS(live_at_end, is_live(c))
IS(live_at_peak, lives_at(c, peak_time))
IS(live_at_half, lives_at(c, 500000))
IS(new_at_m2, lives_at(c, M2) && !lives_at(c, M1))
IS(freed_in_lib, !is_live(c) && c->free_pc == 0x600401)
IS(mixed, c->point != 2 && (c->size < 64 || !is_live(c)) && c->thread != 1)
IS(leaf_or_large, c->point == 2 || c->size >= 4096)

static const struct {
  const char *filter;
  bool (*has)(const struct hp_chunk_log *c);
} keys[] = {{"", all},
            {"size>=0", all},
            {"size<0B", none},
            {"type=node", of_node},
            {"type!=node", of_point_2},
            {"module=libx", of_lib},
            {"libx", of_lib},
            {"point=2", of_point_2},
            {"point=#2,3", of_2_and_3},
            {"flag=never_freed & size<0", none},
            {"function=x | size<0", none},
            {"file=x & size>=0", none},
            {"accesses=known size>=0", all},
            {"accesses=unknown | size<0", none},
            {"accesses=shared | size<0", none},
            {"rank=0 | size>=0", all},
            {"size>=4KiB", large},
            {"size>=4096", large},
            {"size = 64", of_64},
            {"size==64B", of_64},
            {"size!=64", not_of_64},
            {"!size=64", not_of_64},
            {"size <= 1.5KiB", at_most_1536},
            {"size>1MiB", more_than_1_mib},
            {"size>0.0009765625GiB", more_than_1_mib},
            {"lifetime<1us", short_life},
            {"lifetime<1000ns", short_life},
            {"lifetime>=0.2ms", long_life},
            {"lifetime>=0.0002s", long_life},
            {"thread=2", of_thread_2},
            {"free_thread=2", freed_by_2},
            {"free_thread!=2", not_freed_by_2},
            {"reads=0", unread},
            {"writes>=2", written_twice},
            {"writes>1", written_twice},
            {"interval<16", narrow},
            {"interval>=50% & size>0", half_used},
            {"born(m1..\"two words\")", born_between},
            {"born(300us..700us)", born_between},
            {"born( m1 .. 0.7ms )", born_between},
            {"born>=m1 & born<700us", born_between},
            {"born(\"two words\"..)", born_late},
            {"born(\"two words\"..end)", born_late},
            {"born(start..100us)", born_early},
            {"born(..100us)", born_early},
            {"died", died},
            {"died(start..end)", died},
            {"died(m1..700us)", died_between},
            {"died<m1", died_early},
            {"died & died(..m1)", died_early},
            {"live_at(m1)", live_at_m1},
            {"live_at(end)", live_at_end},
            {"live_at(5s)", live_at_end},
            {"!died", live_at_end},
            {"live_at(peak)", live_at_peak},
            {"live_at(500us)", live_at_half},
            {"live_at(\"two words\") & !live_at(m1)", new_at_m2},
            {"free_site=libx", freed_in_lib},
            {"free_site=*/libx.so", freed_in_lib},
            {"freed_in(nowhere)", none},
            {"type=node & (size<64 | died) & !thread=1", mixed},
            {"type=node&(size<64|died)&!(thread=1)", mixed},
            {"type=node && (size<64 || !live_at(end)) thread!=1", mixed},
            {"leaf | size>=4KiB", leaf_or_large},
            {"!(!leaf & size<4KiB)", leaf_or_large}};
#define KEYS (sizeof keys / sizeof *keys)

struct sums {
  uint64_t chunks, bytes, live_chunks, live_bytes, reads, writes;
  uint64_t of_point[4], sizes[65], at_peak;
};

static struct sums recount(bool (*has)(const struct hp_chunk_log *c)) {
  struct sums s = {0};
  for (size_t i = 0; i < CHUNKS; i++) {
    const struct hp_chunk_log *c = &chunks[i];
    if (!has(c))
      continue;
    s.chunks++;
    s.bytes += c->size;
    s.live_chunks += is_live(c);
    s.live_bytes += is_live(c) ? c->size : 0;
    s.reads += c->reads;
    s.writes += c->writes;
    s.of_point[c->point]++;
    s.sizes[hp_digits(c->size)]++;
    s.at_peak += lives_at(c, peak_time) ? c->size : 0;
  }
  return s;
}

/* Of the rows that a query of the same filter gives. */
static struct sums sum_of_rows(hp_profile *profile, const char *filter) {
  const struct hp_query query = {.sz = sizeof query, .filter = filter};
  const struct hp_point *const *rows;
  struct sums s = {0};
  size_t count;
  struct hp_error error;
  assert_int_equal(hp_profile_query(profile, &query, &rows, &count, &error),
                   HP_OK);
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = rows[i];
    assert_true(p->chunks > 0);
    s.chunks += p->chunks;
    s.bytes += p->bytes;
    s.live_chunks += p->live_chunks;
    s.live_bytes += p->live_bytes;
    s.reads += p->reads;
    s.writes += p->writes;
    s.of_point[p->id] += p->chunks;
    s.at_peak += p->bytes_at_global_peak;
    for (unsigned k = 0; k < p->sizes.count; k++)
      s.sizes[p->sizes.lowest + k] += p->sizes.counts[k];
  }
  return s;
}

static void each_key_picks_what_a_loop_picks(void **state) {
  (void)state;
  for (size_t i = 0; i < KEYS; i++) {
    hp_profile *profile = kept(keys[i].filter);
    const struct sums want = recount(keys[i].has);
    const struct sums rows = sum_of_rows(profile, keys[i].filter);
    const struct hp_chunk_set *set = hp_profile_set(profile);
    if (memcmp(&want, &rows, sizeof want) != 0)
      fail_msg("%s: %d chunks, %d bytes instead of %d, %d", keys[i].filter,
               (int)rows.chunks, (int)rows.bytes, (int)want.chunks,
               (int)want.bytes);
    assert_int_equal(set->chunks, want.chunks);
    assert_int_equal(set->bytes, want.bytes);
    assert_int_equal(set->live_chunks, want.live_chunks);
    assert_int_equal(set->live_bytes, want.live_bytes);
    assert_false(set->estimated);
    hp_profile_close(profile);
  }
}

static void a_set_and_the_rest_are_all(void **state) {
  (void)state;
  const struct sums whole = recount(all);
  for (size_t i = 0; i < KEYS; i++) {
    char rest[256];
    snprintf(rest, sizeof rest, "!(%s)",
             keys[i].filter[0] ? keys[i].filter : "size>=0");
    hp_profile *in = kept(keys[i].filter), *out = kept(rest);
    const struct hp_chunk_set *a = hp_profile_set(in), *b = hp_profile_set(out);
    if (a->chunks + b->chunks != whole.chunks ||
        a->bytes + b->bytes != whole.bytes ||
        a->live_bytes + b->live_bytes != whole.live_bytes)
      fail_msg("%s", keys[i].filter);
    hp_profile_close(in);
    hp_profile_close(out);
  }
}

static void the_whole_stays_what_it_is(void **state) {
  (void)state;
  hp_profile *whole = opened(path), *part = kept("size>=4KiB & thread=2");
  assert_null(hp_profile_set(whole));
  assert_memory_equal(hp_profile_global(whole), hp_profile_global(part),
                      sizeof(struct hp_global));
  hp_profile_close(whole);
  hp_profile_close(part);
}

/* ---- more than counts ---------------------------------------------------- */

static uint64_t peak_of(bool (*has)(const struct hp_chunk_log *c)) {
  uint64_t most = 0;
  for (size_t i = 0; i < CHUNKS; i++) {
    uint64_t bytes = 0;
    for (size_t k = 0; has(&chunks[i]) && k < CHUNKS; k++)
      if (has(&chunks[k]) && lives_at(&chunks[k], chunks[i].t0))
        bytes += chunks[k].size;
    most = bytes > most ? bytes : most;
  }
  return most;
}

static void peaks_are_those_of_the_set(void **state) {
  (void)state;
  hp_profile *profile = kept("born(m1..700us)");
  assert_true(hp_profile_set(profile)->peak_known);
  assert_int_equal(hp_profile_set(profile)->peak_bytes, peak_of(born_between));
  hp_profile_close(profile);
  profile = kept("");
  assert_int_equal(hp_profile_set(profile)->peak_bytes, peak_bytes);
  hp_profile_close(profile);
}

/* Whether the process had LEAST bytes while C lived. */
static bool overlaps(const struct hp_chunk_log *c, uint64_t least) {
  for (size_t i = 0; i < CHUNKS; i++)
    if (lives_at(c, chunks[i].t0) && bytes_at[i] >= least)
      return true;
  return false;
}

static void near_the_peak(void **state) {
  (void)state;
  static const struct {
    const char *filter;
    double share;
  } cases[] = {{"peak(0%)", 1}, {"peak(2.5%)", 0.975}};
  for (size_t i = 0; i < 2; i++) {
    uint64_t count = 0;
    for (size_t k = 0; k < CHUNKS; k++)
      count += overlaps(&chunks[k],
                        (uint64_t)((double)peak_bytes * cases[i].share) + !!i);
    hp_profile *profile = kept(cases[i].filter);
    assert_int_equal(hp_profile_set(profile)->chunks, count);
    assert_in_range(count, 1, CHUNKS - 1);
    hp_profile_close(profile);
  }
  hp_profile *profile = kept("peak(100%)");
  assert_int_equal(hp_profile_set(profile)->chunks, CHUNKS);
  hp_profile_close(profile);
}

static void a_part_forgets_what_no_log_has(void **state) {
  (void)state;
  hp_profile *profile = kept("size>=4KiB");
  const struct hp_query query = {.sz = sizeof query, .filter = "size>=4KiB"};
  const struct hp_point *const *rows;
  size_t count;
  struct hp_error error;
  assert_int_equal(hp_profile_query(profile, &query, &rows, &count, &error),
                   HP_OK);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < count; i++) {
    assert_true(rows[i]->is_part);
    assert_true(rows[i]->size.min >= 4096);
    assert_false(rows[i]->temporary_known);
    assert_int_equal(rows[i]->freed_count, 0);
    assert_int_equal(rows[i]->logged_chunks, rows[i]->chunks);
    struct hp_chunk_view views[CHUNKS];
    assert_int_equal(hp_point_chunks(profile, rows[i], 0, views, CHUNKS),
                     rows[i]->chunks);
  }
  hp_profile_close(profile);
}

/* ---- wrong use ----------------------------------------------------------- */

static void what_is_wrong_is_said_with_its_column(void **state) {
  (void)state;
  static const struct {
    const char *filter, *text;
  } cases[] = {
      {"size>=64KB", "size is compared with bytes such as 64, 64B, 4KiB, "
                     "1.5MiB, not \"64KB\" (at column 7)"},
      {"size>=", "not \"\" (at column 7)"},
      {"size>=1e3", "not \"1e3\""},
      {"size>=-1", "not \"-1\" (at column 7)"},
      {"(a | thread=-1) & b", "a whole number, not \"-1\" (at column 13)"},
      {"size>=0x10", "not \"0x10\""},
      {"size>=1.2.3", "not \"1.2.3\""},
      {"size>=99999999999999999999", "size is compared"},
      {"a & lifetime<1", "a time such as 500us, 1ms, 2s, not \"1\" (at column "
                         "14)"},
      {"thread=1.5", "a whole number, not \"1.5\""},
      {"free_thread=x", "a whole number"},
      {"reads>1KiB", "a whole number"},
      {"writes=%", "a whole number"},
      {"interval<1ms", "percent of the size"},
      {"born(1ms)", "born takes two instants"},
      {"born(1..2ms)", "a time since the start has a unit"},
      {"born(..)", "a range begins or ends somewhere"},
      {"born(1ms..2ms", "this ( has no ) (at column 5)"},
      {"died(m1)", "died takes two instants"},
      {"live_at()", "an instant is missing"},
      {"live_at(m1..m2)", "live_at takes one instant"},
      {"live_at>3", "live_at is written as in live_at(end) (at column 8)"},
      {"size>1 & live_at(m3)", "the program set no mark \"m3\"; it set m1, two "
                               "words (at column 10)"},
      {"peak(101%)", "percent such as peak(10%)"},
      {"peak(10)", "percent such as peak(10%)"},
      {"freed_in()", "a term has no pattern (at column 10)"},
      {"freed_in(\"a)", "this quotation mark has no end (at column 10)"},
      {"free_site<4", "free_site is written as in free_site=PATTERN"},
      {"type<4", "type is written as in type=PATTERN"},
      {"function=", "a term has no pattern"},
      {"flag=odd", "no flag is named \"odd\"; flags are unused"},
      {"accesses=no", "accesses= is known, shared or unknown, not \"no\""},
      {"rank=x", "not a list of ranks"},
      {"point=0x", "point= takes numbers of points"},
      {"old:leak", "old: and new: are of two runs that heapprof-diff compares"},
      {"member=x", "\"member=\" is unknown"},
      {"typ = node", "\"typ=\" is unknown"},
      {"typ!=node", "\"typ!=\" is unknown"},
      {"sze>3", "\"sze>\" is unknown"},
      {"sze >= 4KiB & size>4", "\"sze>=\" is unknown"},
      {"(lifetme<1ms)", "\"lifetme<\" is unknown"},
      {"(size>4", "this ( has no ) (at column 1)"},
      {"size>4)", "this ) has no ( (at column 7)"},
      {"size>4 &", "a condition is missing at the end (at column 9)"},
      {"| size>4", "a condition is missing before | (at column 1)"},
      {"a & & b", "a condition is missing before & (at column 5)"},
      {"()", "a condition is missing before )"},
      {"!", "a term has no pattern"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hp_error error = {0};
    hp_profile *fresh = opened(path);
    if (keep(fresh, cases[i].filter, NULL, &error) != HP_E_ARGUMENT ||
        !strstr(error.text, cases[i].text))
      fail_msg("%s: %s", cases[i].filter, error.text);
    assert_ptr_equal(strstr(error.text, "filter: "), error.text);
    hp_profile_close(fresh);
  }
}

static void only_once_and_by_whom_who_can(void **state) {
  (void)state;
  struct hp_error error;
  hp_profile *profile = opened(path);
  const struct hp_set_options nothing = {0};
  const struct hp_query query = {.sz = sizeof query, .filter = "size>4"};
  const struct hp_point *const *rows;
  size_t count;
  assert_int_equal(hp_profile_keep(profile, &nothing, &error), HP_E_ARGUMENT);
  assert_int_equal(hp_profile_query(profile, &query, &rows, &count, &error),
                   HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "size is of single chunks"));
  assert_int_equal(keep(profile, NULL, NULL, &error), HP_OK);
  assert_null(hp_profile_set(profile));
  assert_int_equal(keep(profile, "size>4", NULL, &error), HP_OK);
  assert_int_equal(keep(profile, "size>4", NULL, &error), HP_E_ARGUMENT);
  hp_profile_close(profile);
}

/* ---- logs that do not have all ------------------------------------------- */

static hp_status keep_of(const struct hp_build *build, const char *filter,
                         hp_profile **profile, struct hp_error *error) {
  char other[4096];
  snprintf(other, sizeof other, "%s/other.%d", scratch, (int)below(1u << 27));
  hp_build_write(build, other);
  *profile = opened(other);
  return keep(*profile, filter, NULL, error);
}

static void a_thinned_log_gives_its_error(void **state) {
  (void)state;
  struct hp_chunk_log few[] = {chunks[0], chunks[1], chunks[2]};
  struct hp_build build = the_build();
  struct hp_error error;
  hp_profile *profile;
  for (size_t i = 0; i < 3; i++) {
    few[i].point = 1;
    few[i].size = 100 * (i + 1);
    few[i].weight = i ? 4 : 1;
  }
  build.chunks = few;
  build.chunk_count = 3;
  assert_int_equal(keep_of(&build, "size>=200", &profile, &error), HP_OK);
  const struct hp_chunk_set *set = hp_profile_set(profile);
  assert_int_equal(set->chunks, 8);
  assert_int_equal(set->bytes, 2000);
  assert_true(set->estimated);
  assert_int_equal(set->chunks_error * set->chunks_error + 0.5, 24);
  assert_int_equal(set->bytes_error * set->bytes_error + 0.5, 12 * 130000);
  size_t intervals;
  assert_null(hp_set_intervals(profile, 0, &intervals));
  hp_profile_close(profile);
}

static void what_the_log_does_not_have_is_no_answer(void **state) {
  (void)state;
  struct hp_build build = the_build();
  struct hp_error error;
  hp_profile *profile;
  build.no_end = true;
  assert_int_equal(keep_of(&build, "a | size>4", &profile, &error),
                   HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "size needs the chunk log; this one was "
                                     "cut off"));
  assert_non_null(strstr(error.text, "(at column 5)"));
  hp_profile_close(profile);
  build.no_end = false;
  build.dropped_chunks = 7;
  assert_int_equal(keep_of(&build, "size>4", &profile, &error), HP_E_ARGUMENT);
  assert_non_null(strstr(error.text, "this one misses 7 chunks"));
  hp_profile_close(profile);
  /* Points can be asked all the same. */
  assert_int_equal(keep_of(&build, "type=leaf", &profile, &error), HP_OK);
  assert_false(hp_profile_set(profile)->is_of_log);
  hp_profile_close(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_key_picks_what_a_loop_picks),
      cmocka_unit_test(a_set_and_the_rest_are_all),
      cmocka_unit_test(the_whole_stays_what_it_is),
      cmocka_unit_test(peaks_are_those_of_the_set),
      cmocka_unit_test(near_the_peak),
      cmocka_unit_test(a_part_forgets_what_no_log_has),
      cmocka_unit_test(what_is_wrong_is_said_with_its_column),
      cmocka_unit_test(only_once_and_by_whom_who_can),
      cmocka_unit_test(a_thinned_log_gives_its_error),
      cmocka_unit_test(what_the_log_does_not_have_is_no_answer)};
  return cmocka_run_group_tests(tests, write_dump, remove_dump);
}
