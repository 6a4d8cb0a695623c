/* aggregate_few.c - see aggregate_few.h, and how their record is made of them: by the
   9th chunk, or for a dump.
   All is as if there had been a record from the first one on, to the last bit: what
   would make a difference is not noted in an entry.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate_few.h"

#include "profile/aggregate_groups.h"
#include "system/real_libc.h"

#define MORE_MASK (((uint64_t)1 << ENTRY_MORE_BITS) - 1)

/* ---- the chunks of an entry ---------------------------------------------- */

struct few {
  struct entry *items;
  uint32_t count;
};

static struct few few_of(const struct entry *entry) {
  if (entry->form == FORM_FEW)
    return (struct few){block_at((uint32_t)entry->more), entry->classes};
  return (struct few){(struct entry *)(uintptr_t)entry,
                      entry->form != FORM_NONE};
}

static struct only *apart_of(const struct entry *entry) {
  return block_at((uint32_t)entry->more);
}

/* 0: it lives. */
HP_INLINE uint64_t life_of(const struct entry *entry) {
  if (entry->form == FORM_APART)
    return apart_of(entry)->life;
  return entry->form == FORM_LIVE ? 0 : entry->more >> ENTRY_SIZE_BITS;
}

/* Its last event. */
HP_INLINE uint64_t time_of(const struct entry *entry) {
  return t0_of(entry) + life_of(entry);
}

/* ---- a chunk begins ------------------------------------------------------ */

/* One that says to have begun before the peak, or with it, comes too late. */
static bool begin_entry(struct entry *entry, uint64_t t0, uint64_t size,
                        uint32_t weight) {
  if (weight != 1 || hp_all.sampled || size >> ENTRY_MORE_BITS ||
      t0 >> ENTRY_T0_BITS || t0 <= hp_all.peak_latest)
    return false;
  *entry =
      (struct entry){.t0_low = t0 & (((uint64_t)1 << ENTRY_T0_LOW_BITS) - 1),
                     .form = FORM_LIVE,
                     .t0_high = t0 >> ENTRY_T0_LOW_BITS & 15,
                     .more = size & MORE_MASK};
  return true;
}

/* Whether FEW may be more, and no event of them is after T0. */
static bool may_join(struct few few, uint64_t t0) {
  uint32_t weighed = 1;
  for (uint32_t i = 0; i < few.count; i++) {
    weighed += few.items[i].form == FORM_APART ? 3 : 1;
    if (time_of(&few.items[i]) > t0)
      return false;
  }
  return weighed <= FEW_MAX;
}

static size_t few_size(uint32_t count) { return count * sizeof(struct entry); }

/* Room for one more of ENTRY's; false without memory. */
static bool make_room(struct entry *entry, struct few few) {
  const size_t old = few_size(few.count);
  if (entry->form == FORM_FEW && few_size(few.count + 1) <= hp_pool_size(old))
    return true;
  const uint32_t made = take_block(few_size(few.count + 1));
  if (!made)
    return false;
  hp_real_memcpy(block_at(made), few.items, old);
  if (entry->form == FORM_FEW)
    give_block((uint32_t)entry->more, old);
  *entry = (struct entry){
      .classes = few.count & CLASS_BITS, .form = FORM_FEW, .more = made};
  return true;
}

bool hp_aggregate_begin_few(struct entry *entry, uint64_t t0, uint64_t size,
                            uint32_t weight) {
  struct entry begun;
  const struct few few = few_of(entry);
  if (!begin_entry(&begun, t0, size, weight) || !may_join(few, t0))
    return false;
  if (!few.count) {
    *entry = begun;
    return true;
  }
  if (!make_room(entry, few))
    return false;
  few_of(entry).items[few.count] = begun;
  entry->classes = (few.count + 1) & CLASS_BITS;
  return true;
}

/* ---- a chunk ends -------------------------------------------------------- */

/* Not too late for a peak after that end. */
static bool fits_entry(const struct hp_chunk_log *chunk) {
  return chunk->t1 > chunk->t0 && chunk->t1 > hp_all.peak_latest &&
         !(chunk->t1 >> ENTRY_T0_BITS) && chunk->weight == 1 &&
         !((chunk->size | chunk->reads | chunk->writes) >> ONLY_BITS) &&
         !hp_growth_counts(chunk);
}

/* NULL: there is none such, or another one has an event then or later. */
static struct entry *find_live(struct few few,
                               const struct hp_chunk_log *chunk) {
  struct entry *found = NULL;
  for (uint32_t i = 0; i < few.count; i++) {
    struct entry *item = &few.items[i];
    if (time_of(item) >= chunk->t1)
      return NULL;
    if (!found && item->form == FORM_LIVE && t0_of(item) == chunk->t0 &&
        item->more == chunk->size)
      found = item;
  }
  return found;
}

uint32_t hp_aggregate_live_few(const struct entry *entry) {
  const struct few few = few_of(entry);
  uint32_t live = 0;
  for (uint32_t i = 0; i < few.count; i++)
    live += few.items[i].form == FORM_LIVE;
  return live;
}

struct entry *hp_aggregate_ending(struct entry *entry,
                                  const struct hp_chunk_log *chunk) {
  struct entry *found =
      fits_entry(chunk) ? find_live(few_of(entry), chunk) : NULL;
  if (found)
    return found;
  return hp_aggregate_live_few(entry) && hp_aggregate_widen(entry) ? entry
                                                                   : NULL;
}

static void set_apart(struct entry *entry, const struct hp_chunk_log *chunk,
                      uint64_t life, uint64_t span, uint32_t classes) {
  struct hp_chunk_measure shares = {0};
  if (hp_has_shares(classes))
    hp_measure_shares(&shares, chunk);
  const uint32_t block = take_block(sizeof(struct only));
  if (!block)
    return; /* all sums have failed */
  *(struct only *)block_at(block) =
      (struct only){.size = (uint32_t)chunk->size,
                    .span = (uint32_t)span,
                    .reads = (uint32_t)chunk->reads,
                    .writes = (uint32_t)chunk->writes,
                    .active = (uint32_t)shares.active,
                    .error = (uint32_t)shares.error,
                    .life = life & (((uint64_t)1 << ENTRY_T0_BITS) - 1),
                    .is_active = shares.active >> ONLY_BITS & 1,
                    .is_error = shares.error >> ONLY_BITS & 1,
                    .is_sample = (classes & IS_SAMPLE) != 0};
  entry->form = FORM_APART;
  entry->more = block;
}

void hp_aggregate_end_entry(struct entry *entry,
                            const struct hp_chunk_log *chunk, uint64_t life,
                            uint64_t span, uint32_t classes) {
  entry->classes = classes & CLASS_BITS;
  entry->form = FORM_ENDED;
  if (span || chunk->reads || chunk->writes || chunk->size >> ENTRY_SIZE_BITS ||
      life >> (ENTRY_MORE_BITS - ENTRY_SIZE_BITS))
    set_apart(entry, chunk, life, span, classes);
  else
    entry->more = (chunk->size | life << ENTRY_SIZE_BITS) & MORE_MASK;
}

/* ---- the record ---------------------------------------------------------- */

/* What an entry says of its chunk. */
struct one {
  uint64_t t0, end; /* UINT64_MAX: it lives */
  uint64_t size;
  uint32_t classes;
  const struct only *only; /* or NULL */
};
struct all {
  uint32_t count;
  struct one items[FEW_MAX];
};

static HP_NOINLINE void read_all(const struct entry *entry, struct all *all) {
  const struct few few = few_of(entry);
  all->count = few.count;
  for (uint32_t i = 0; i < few.count; i++) {
    const struct entry *item = &few.items[i];
    struct one *one = &all->items[i];
    one->classes = item->classes;
    one->only = NULL;
    one->t0 = one->end = t0_of(item);
    one->size = item->more;
    if (item->form == FORM_LIVE) {
      one->end = UINT64_MAX;
    } else if (item->form == FORM_ENDED) {
      one->size &= ((uint64_t)1 << ENTRY_SIZE_BITS) - 1;
      one->end += item->more >> ENTRY_SIZE_BITS;
    } else {
      one->only = apart_of(item);
      one->size = one->only->size;
      one->end += one->only->life;
    }
  }
}

static struct hp_aggregate_brief brief_of(const struct all *all) {
  struct hp_aggregate_brief brief = {.chunks = all->count};
  uint64_t until = 0; /* one is live */
  for (uint32_t i = 0; i < all->count; i++) {
    const struct one *one = &all->items[i];
    const bool is_live = one->end == UINT64_MAX;
    brief.bytes += one->size;
    brief.live_chunks += is_live;
    brief.live_bytes += is_live ? one->size : 0;
    brief.generations += i && until <= one->t0;
    until = one->end > until ? one->end : until;
  }
  return brief;
}

struct hp_aggregate_brief hp_aggregate_brief_few(const struct entry *entry) {
  struct all all;
  read_all(entry, &all);
  return brief_of(&all);
}

/* The bytes of those up to number LAST that were live when it began. */
static uint64_t live_with(const struct all *all, uint32_t last) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i <= last; i++)
    if (all->items[i].end > all->items[last].t0)
      bytes += all->items[i].size;
  return bytes;
}

static void put_peaks(struct record *r, const struct all *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    const struct one *one = &all->items[i];
    const uint64_t live = live_with(all, i);
    r->peak_bytes = live > r->peak_bytes ? live : r->peak_bytes;
    if (one->t0 > hp_all.peak_latest || one->end <= hp_all.peak_latest)
      continue;
    r->at_peak_bytes += one->size;
    r->at_peak_chunks++;
  }
}

/* Not inline: there are several calls. */
static HP_NOINLINE void count_one(uint32_t *histogram, uint64_t value) {
  count_value(histogram, value, 1);
}

/* BYTES: of all. */
static void put_sizes(struct record *r, const struct all *all, uint32_t point,
                      uint64_t bytes) {
  r->size = all->items[0].size;
  for (uint32_t i = 1; i < all->count && !r->varied; i++)
    if (all->items[i].size != r->size)
      r->varied = take_block(sizeof(struct varied));
  if (!r->varied)
    return;
  struct varied *v = block_at(r->varied);
  v->size_min = r->size;
  r->size = bytes;
  v->element_size = element_size_of(point);
  for (uint32_t i = 0; i < all->count; i++) {
    const uint64_t size = all->items[i].size;
    v->size_min = size < v->size_min ? size : v->size_min;
    v->size_max = size > v->size_max ? size : v->size_max;
    v->elements += elements_of(size, v->element_size);
    count_one(&v->sizes, size);
  }
}

/* The first one that ended after TIME. */
static const struct one *next_ended(const struct all *all, uint64_t time) {
  const struct one *next = NULL;
  uint64_t end = UINT64_MAX;
  for (uint32_t i = 0; i < all->count; i++)
    if (all->items[i].end > time && all->items[i].end < end) {
      next = &all->items[i];
      end = next->end;
    }
  return next;
}

static void note_end(struct record *r, struct shares *shares,
                     const struct one *one) {
  const struct only *only = one->only;
  const uint64_t life = one->end - one->t0;
  note_life(r, life, 1);
  r->live_chunks--;
  struct class *class = class_of(r, one->classes);
  if (class)
    add_to_class(class, 1, one->size, only ? only->span : 0);
  struct group *group = group_of(r, one->t0);
  group->end = one->end; /* the latest */
  add_lives(group, life, 0);
  if (!only)
    return;
  r->reads += only->reads;
  r->writes += only->writes;
  if (hp_has_shares(one->classes))
    hp_aggregate_sum_shares(
        shares, one->t0, 1,
        only->active | (uint64_t)only->is_active << ONLY_BITS,
        only->error | (uint64_t)only->is_error << ONLY_BITS, only->is_sample);
}

struct record hp_aggregate_widened(const struct entry *entry,
                                   struct shares *shares) {
  *shares = (struct shares){0};
  if (entry->form == FORM_FULL) {
    const struct record full = *record_of(entry);
    if (full.shares)
      *shares = *(const struct shares *)block_at(full.shares);
    return full;
  }
  struct all all;
  read_all(entry, &all);
  const struct hp_aggregate_brief brief = brief_of(&all);
  struct record r = {.peak = hp_all.peak,
                     .generations = brief.generations & UINT16_MAX};
  if (!all.count)
    return r;
  put_peaks(&r, &all);
  put_sizes(&r, &all, (uint32_t)(entry - entry_at(0)), brief.bytes);
  for (; r.chunks < all.count; r.chunks++)
    join_group(&r, all.items[r.chunks].t0, 1);
  r.live_chunks = all.count;
  const struct one *one = NULL;
  while ((one = next_ended(&all, one ? one->end : 0)))
    note_end(&r, shares, one);
  r.live_bytes = brief.live_bytes;
  return r;
}

void hp_aggregate_give_blocks(struct record *r) {
  hp_aggregate_give_groups(r);
  if (r->varied) {
    const struct varied *v = block_at(r->varied);
    hp_histogram_give(v->sizes, &hp_all.blocks);
    give_block(r->varied, sizeof *v);
  }
  hp_histogram_give(r->lives, &hp_all.blocks);
  if (r->classes) {
    const struct classes *classes = block_at(r->classes);
    give_block(r->classes, classes_size(classes->capacity));
  }
}

static void give_few(const struct entry *entry) {
  const struct few few = few_of(entry);
  for (uint32_t i = 0; i < few.count; i++)
    if (few.items[i].form == FORM_APART)
      give_block((uint32_t)few.items[i].more, sizeof(struct only));
  if (entry->form == FORM_FEW)
    give_block((uint32_t)entry->more, few_size(few.count));
}

struct record *hp_aggregate_widen(struct entry *entry) {
  struct record *r = hp_arena_take(&hp_all.records, sizeof *r);
  if (!r) {
    hp_all.failed = true;
    return NULL;
  }
  struct shares shares;
  *r = hp_aggregate_widened(entry, &shares);
  give_few(entry);
  if (shares.active || shares.error || shares.first_samples) {
    struct shares *kept = hp_aggregate_shares_of(r);
    if (kept)
      *kept = shares;
  }
  entry->form = FORM_FULL;
  entry->more = (uint64_t)(r - record_at(0)) & MORE_MASK;
  return r;
}
