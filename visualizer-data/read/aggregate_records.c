/* aggregate_records.c - decodes and checks the records of the file aggregates.
   What is missing counts as 0, so that every sum has to add up as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/aggregate_records.h"

#include <string.h>

#include "base/saturate.h"
#include "read/free_records.h"
#include "read/global_records.h"
#include "read/mapping_records.h"
#include "read/member_records.h"

#define CHUNKS_MAX (((uint64_t)1 << 48) - 1) /* what a class can count */
#define CLASSES_END (1u << 17)               /* one past all bits there are */

/* ---- lists --------------------------------------------------------------- */

static bool take_sample(struct hp_cursor at, struct hp_sample *sample) {
  return hp_take_varint(&at, &sample->count) &&
         hp_take_wide(&at, &sample->active) &&
         hp_take_wide(&at, &sample->square) &&
         hp_take_wide(&at, &sample->error) && hp_is_at_end(&at);
}

/* How many items of NUMBERS varints each what is left of AT has, one more if it ends
   within one: a field has most of its bytes in long numbers. */
static size_t items_in(struct hp_cursor at, size_t numbers) {
  size_t varints = 0;
  for (const uint8_t *byte = at.at; byte < at.end; byte++)
    varints += *byte < 0x80;
  return varints / numbers + 1;
}

static bool take_classes(struct hp_store *store, struct hp_cursor at,
                         struct hp_summary *s, bool *memory) {
  s->class_count = 0;
  s->classes = hp_store_take(store, items_in(at, 4), sizeof *s->classes);
  if (!s->classes)
    return *memory = false;
  while (!hp_is_at_end(&at)) {
    uint64_t n[4];
    if (!hp_take_varints(&at, n, 4) || n[0] >= CLASSES_END || n[1] == 0)
      return false;
    s->classes[s->class_count++] =
        (struct hp_class_sum){(uint32_t)n[0], n[1], n[2], n[3]};
  }
  return true;
}

static bool take_groups(struct hp_store *store, struct hp_cursor at,
                        struct hp_summary *s, bool *memory) {
  s->group_count = 0;
  s->groups = hp_store_take(store, items_in(at, 6), sizeof *s->groups);
  if (!s->groups)
    return *memory = false;
  uint64_t before = 0;
  while (!hp_is_at_end(&at)) {
    uint64_t n[4];
    struct hp_group_sum *group = &s->groups[s->group_count++];
    if (!hp_take_varints(&at, n, 4) || !hp_take_wide(&at, &group->lives))
      return false;
    group->first = before + n[0];
    group->last = before = group->first + n[1];
    group->end = group->first + n[2];
    group->chunks = n[3];
    if (n[0] > INT64_MAX || n[1] > INT64_MAX || n[2] > INT64_MAX ||
        group->last > INT64_MAX || group->end > INT64_MAX || n[3] == 0)
      return false;
  }
  return true;
}

static bool take_counts(struct hp_store *store, struct hp_cursor at,
                        struct hp_digit_counts *counts, bool *memory) {
  uint64_t lowest;
  uint64_t *values = hp_store_take(store, items_in(at, 1), sizeof *values);
  if (!values)
    return *memory = false;
  if (!hp_take_varint(&at, &lowest) || lowest > 64)
    return false;
  *counts = (struct hp_digit_counts){(unsigned)lowest, 0, values};
  for (; !hp_is_at_end(&at); counts->count++)
    if (counts->count + lowest > 64 ||
        !hp_take_varint(&at, &values[counts->count]))
      return false;
  return true;
}

static bool take_sampling(struct hp_cursor at, struct hp_sampling *s) {
  return hp_take_wide(&at, &s->v) && hp_take_wide(&at, &s->vss) &&
         hp_take_wide(&at, &s->vsy) && hp_take_wide(&at, &s->vyy) &&
         hp_take_wide(&at, &s->known_v) && hp_take_wide(&at, &s->va) &&
         hp_take_wide(&at, &s->vaa) && hp_is_at_end(&at);
}

/* What old dumps have: runs of ascending sizes, of which nobody knows whether one
   took over from the other.  They copied as much as the longest, at most. */
static bool take_growth(struct hp_cursor at, struct hp_summary *s) {
  uint64_t n[6];
  if (!hp_take_varints(&at, n, 6) || !hp_is_at_end(&at) || n[2] == 0 ||
      n[2] > n[0])
    return false;
  const uint64_t runs = n[0] / n[2] + (n[0] % n[2] != 0);
  const uint64_t copied = hp_multiply(n[5], runs);
  s->growth[HP_CHAIN_ALIKE] =
      (struct hp_growth_sum){.chains = runs,
                             .chunks = n[0],
                             .bytes = n[1],
                             .copied = copied < n[1] ? copied : n[1],
                             .length = n[2],
                             .first = n[3],
                             .last = n[4],
                             .longest_copied = n[5]};
  return true;
}

static bool take_chains(struct hp_cursor at, struct hp_summary *s) {
  while (!hp_is_at_end(&at)) {
    uint64_t n[9];
    if (!hp_take_varints(&at, n, 9) || n[0] >= HP_CHAIN_COUNT || n[2] == 0 ||
        n[5] < HP_GROWING_CHAIN || n[1] > n[2] / HP_GROWING_CHAIN)
      return false;
    s->growth[n[0]] =
        (struct hp_growth_sum){n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]};
  }
  return true;
}

static bool take_held(struct hp_cursor at, struct hp_summary *s) {
  uint64_t n[2];
  if (!hp_take_varints(&at, n, 2) || !hp_is_at_end(&at))
    return false;
  s->held_chunks = n[0];
  s->held_bytes = n[1];
  return true;
}

static bool take_overrun(struct hp_cursor at, struct hp_summary *s) {
  uint64_t n[4];
  if (!hp_take_varints(&at, n, 4) || !hp_is_at_end(&at))
    return false;
  s->overrun = (struct hp_overrun_sum){n[0], n[1], n[2], n[3]};
  return true;
}

static bool take_pages(struct hp_cursor at, struct hp_page_sum *p) {
  uint64_t n[HP_PAGE_SUM_COUNT];
  if (!hp_take_varints(&at, n, HP_PAGE_SUM_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(p, n, sizeof *p);
  return p->unused_chunks <= p->chunks &&
         p->sparse_chunks <= p->chunks - p->unused_chunks &&
         p->touched <= p->bytes && p->resident <= p->touched &&
         p->sparse_touched <= p->sparse_bytes;
}

static bool take_stale(struct hp_cursor at, struct hp_stale_sum *p) {
  uint64_t n[HP_STALE_SUM_COUNT];
  if (!hp_take_varints(&at, n, HP_STALE_SUM_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(p, n, sizeof *p);
  return p->chunks && p->stale <= p->resident;
}

static bool take_resizes(struct hp_cursor at, struct hp_resize_sum *r) {
  uint64_t n[HP_RESIZE_SUM_COUNT];
  if (!hp_take_varints(&at, n, HP_RESIZE_SUM_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(r, n, sizeof *r);
  return r->in_place <= r->calls && r->grown <= r->calls &&
         r->shrunk <= r->calls - r->grown && r->jump_from <= r->jump_to;
}

static bool take_teardown(struct hp_cursor at, struct hp_teardown_sum *t) {
  uint64_t n[HP_TEARDOWN_COUNT];
  if (!hp_take_varints(&at, n, HP_TEARDOWN_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(t, n, sizeof *t);
  return t->freed <= t->watched && t->torn <= t->freed && t->late <= t->torn &&
         t->unread <= t->torn && t->useful / HP_TEARDOWN_UNIT <= t->freed &&
         t->settled / HP_TEARDOWN_UNIT <= t->freed;
}

static bool take_initialised(struct hp_cursor at,
                             struct hp_initialised_sum *i) {
  uint64_t n[HP_INITIALISED_COUNT];
  if (!hp_take_varints(&at, n, HP_INITIALISED_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(i, n, sizeof *i);
  return i->filled <= i->chunks && i->settled <= i->bytes &&
         i->only <= i->settled;
}

static bool take_contents(struct hp_cursor at, struct hp_contents_sum *c) {
  uint64_t n[HP_CONTENTS_SUM_COUNT];
  if (!hp_take_varints(&at, n, HP_CONTENTS_SUM_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(c, n, sizeof *c);
  return c->chosen_chunks <= c->chunks && c->chosen_bytes <= c->bytes &&
         c->parts_chunks <= c->chunks && c->zero <= c->bytes &&
         c->uniform_chunks <= c->chunks && c->uniform_bytes <= c->bytes &&
         c->sparse_chunks <= c->chunks && c->sparse_bytes <= c->bytes &&
         c->sparse_zero <= c->sparse_bytes && c->sparse_zero <= c->zero &&
         c->chosen_sparse_chunks <= c->sparse_chunks &&
         c->chosen_sparse_bytes <= c->sparse_bytes &&
         c->chosen_sparse_zero <= c->sparse_zero && c->different <= c->chunks &&
         c->different_bytes <= c->bytes && c->single <= c->different &&
         c->single_bytes <= c->different_bytes &&
         c->chosen_single <= c->single &&
         c->chosen_single <= c->chosen_chunks &&
         c->chosen_single_bytes <= c->single_bytes && c->unkept <= c->single;
}

static bool take_blocks(struct hp_cursor at, struct hp_block_sum *b) {
  uint64_t n[HP_BLOCK_SUM_COUNT];
  if (!hp_take_varints(&at, n, HP_BLOCK_SUM_COUNT) || !hp_is_at_end(&at))
    return false;
  memcpy(b, n, sizeof *b);
  return b->most_bytes <= b->object_bytes && b->mean_bytes <= b->most_bytes &&
         b->idle_chunks <= b->chunks && b->idle_bytes <= b->bytes;
}

/* ---- checks -------------------------------------------------------------- */

/* The first rule of a record that does not hold; NULL if all do. */

static const char *check_classes(const struct hp_summary *s, uint64_t *live) {
  uint64_t chunks = 0, bytes = 0;
  *live = 0;
  for (size_t i = 0; i < s->class_count; i++) {
    const struct hp_class_sum *class = &s->classes[i];
    if (class->chunks > s->chunks - chunks)
      return "its classes have more chunks than the point";
    if (class->span > class->bytes)
      return "more bytes of a class were accessed than it has";
    chunks += class->chunks;
    bytes = hp_add(bytes, class->bytes);
    *live += class->classes & HP_CLASS_LIVE ? class->chunks : 0;
  }
  if (chunks != s->chunks || bytes != s->bytes)
    return "its classes do not add up to the point";
  return NULL;
}

static const char *check_groups(const struct hp_summary *s) {
  uint64_t chunks = 0;
  for (size_t i = 0; i < s->group_count; i++) {
    if (s->groups[i].chunks > s->chunks - chunks)
      return "its lifetime groups have more chunks than the point";
    chunks += s->groups[i].chunks;
  }
  return chunks == s->chunks ? NULL
                             : "its lifetime groups do not add up to the point";
}

static bool adds_up(const struct hp_digit_counts *counts, uint64_t sum) {
  for (unsigned i = 0; i < counts->count; i++) {
    if (counts->counts[i] > sum)
      return false;
    sum -= counts->counts[i];
  }
  return sum == 0;
}

static bool is_share(hp_wide sum, uint64_t count) {
  return sum <= (hp_wide)count << 32;
}

static bool is_sample(const struct hp_sample *sample, uint64_t chunks) {
  return sample->count <= chunks && is_share(sample->active, sample->count) &&
         is_share(sample->error, sample->count) &&
         sample->square <= (hp_wide)sample->count << 64;
}

static const char *check_record(const struct hp_summary *s) {
  uint64_t live;
  if (s->chunks == 0 || s->chunks > CHUNKS_MAX)
    return "an impossible number of chunks";
  const char *wrong = check_classes(s, &live);
  if (!wrong)
    wrong = check_groups(s);
  if (wrong)
    return wrong;
  uint64_t ended = s->chunks - live;
  if (!adds_up(&s->sizes, s->chunks) || !adds_up(&s->lives, ended))
    return "a histogram does not add up to the point";
  if (s->size_min > s->size_max)
    return "impossible sizes";
  if ((s->life_max == 0) != (ended == 0) || s->life_min > s->life_max ||
      s->life_max > INT64_MAX || s->life_sum > (hp_wide)s->life_max * ended ||
      s->life_sum < (hp_wide)s->life_min * ended)
    return "impossible lives";
  if (s->peak_bytes > s->bytes || s->at_peak_bytes > s->peak_bytes ||
      s->at_peak_chunks > s->chunks)
    return "an impossible peak";
  if (!is_share(s->active, s->chunks) ||
      !is_share(s->active_error, s->chunks) ||
      !is_sample(&s->first, s->chunks) || !is_sample(&s->later, s->chunks))
    return "an impossible sum of shares";
  if (s->members.use_count && s->members.use_count != s->members.count)
    return "times of other rows than it has";
  const struct hp_sampling *v = &s->sampling;
  if (s->samples > s->chunks || (v->v && !s->samples) || v->known_v > v->v ||
      v->vyy > v->vss || v->vsy > v->vss)
    return "impossible sums of sampling";
  return NULL;
}

/* ---- records ------------------------------------------------------------- */

static bool take_field(struct hp_dump *dump, const struct hp_field *field,
                       struct hp_summary *s, uint64_t *point, bool *has_tau,
                       bool *memory) {
  struct hp_store *store = &dump->store;
  switch (field->tag) {
#define NUMBER(name)                                                           \
  case HP_AGGREGATE_##name:                                                    \
    return hp_field_u64(field, &s->name);
    NUMBER(chunks)
    NUMBER(bytes)
    NUMBER(size_min)
    NUMBER(size_max)
    NUMBER(life_min)
    NUMBER(life_max)
    NUMBER(reads)
    NUMBER(writes)
    NUMBER(elements)
    NUMBER(peak_bytes)
    NUMBER(at_peak_bytes)
    NUMBER(at_peak_chunks)
    NUMBER(samples)
#undef NUMBER
  case HP_AGGREGATE_point:
    return hp_field_u64(field, point);
  case HP_AGGREGATE_process:
    return hp_field_process(dump, field, &s->process);
  case HP_AGGREGATE_tau:
    return *has_tau = hp_field_u64(field, &s->tau);
  case HP_AGGREGATE_life_sum:
    return hp_field_wide(field, &s->life_sum);
  case HP_AGGREGATE_active:
    return hp_field_wide(field, &s->active);
  case HP_AGGREGATE_active_error:
    return hp_field_wide(field, &s->active_error);
  case HP_AGGREGATE_sample_first:
    return take_sample(field->contents, &s->first);
  case HP_AGGREGATE_sample_later:
    return take_sample(field->contents, &s->later);
  case HP_AGGREGATE_classes:
    return take_classes(store, field->contents, s, memory);
  case HP_AGGREGATE_groups:
    return take_groups(store, field->contents, s, memory);
  case HP_AGGREGATE_sizes:
    return take_counts(store, field->contents, &s->sizes, memory);
  case HP_AGGREGATE_lives:
    return take_counts(store, field->contents, &s->lives, memory);
  case HP_AGGREGATE_sampling:
    return take_sampling(field->contents, &s->sampling);
  case HP_AGGREGATE_growth:
    return take_growth(field->contents, s);
  case HP_AGGREGATE_chains:
    return take_chains(field->contents, s);
  case HP_AGGREGATE_temporary:
    s->knows_temporary = true;
    return hp_field_u64(field, &s->temporary) && s->temporary <= CHUNKS_MAX;
  case HP_AGGREGATE_generations:
    return hp_field_u64(field, &s->generations) && s->generations <= CHUNKS_MAX;
  case HP_AGGREGATE_held:
    return take_held(field->contents, s);
  case HP_AGGREGATE_overrun:
    return take_overrun(field->contents, s);
  case HP_AGGREGATE_pages:
    return take_pages(field->contents, &s->pages);
  case HP_AGGREGATE_stale:
    return take_stale(field->contents, &s->stale);
  case HP_AGGREGATE_sampled_pages:
    return take_pages(field->contents, &s->sampled_pages);
  case HP_AGGREGATE_resizes:
    return take_resizes(field->contents, &s->resizes);
  case HP_AGGREGATE_teardown:
    return take_teardown(field->contents, &s->teardown);
  case HP_AGGREGATE_initialised:
    return take_initialised(field->contents, &s->initialised);
  case HP_AGGREGATE_contents:
    return take_contents(field->contents, &s->contents);
  case HP_AGGREGATE_content_bits:
    return hp_take_content_bits(store, field->contents, &s->content_bits,
                                memory);
  case HP_AGGREGATE_blocks:
    return take_blocks(field->contents, &s->blocks);
  case HP_AGGREGATE_members:
    return hp_take_members(store, field->contents, &s->members, memory);
  case HP_AGGREGATE_shared_lines:
    return hp_take_lines(store, field->contents, &s->members, memory);
  case HP_AGGREGATE_member_uses:
    return hp_take_member_uses(store, field->contents, &s->members, memory);
  default:
    return true;
  }
}

static hp_status take_record(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_cursor *record,
                             struct hp_error *error) {
  struct hp_summary s = {0};
  uint64_t point = 0;
  bool has_tau = false, memory = true;
  while (!hp_is_at_end(record)) {
    struct hp_field field;
    if (!hp_take_field(record, &field))
      return HP_FAIL_BLOCK("record %" PRIu64 ": a field is cut",
                           dump->aggregate_count);
    bool good = take_field(dump, &field, &s, &point, &has_tau, &memory);
    if (!memory)
      return hp_fail_memory(error);
    if (!good)
      return HP_FAIL_BLOCK("point %" PRIu64 ": field with tag %" PRIu64
                           " is malformed",
                           point, field.tag);
  }
  const char *wrong = check_record(&s);
  if (wrong)
    return HP_FAIL_BLOCK("point %" PRIu64 ": %s", point, wrong);
  if (!has_tau)
    s.tau = UINT64_MAX; /* dump_reader.c knows the window */
  struct hp_dump_point *of = hp_dump_point_of(dump, point);
  if (!of)
    return HP_FAIL_BLOCK("aggregates of allocation point %" PRIu64
                         ", which the points file does not have",
                         point);
  if (of->last_summary && of->last_summary->process >= s.process)
    return HP_FAIL_BLOCK("point %" PRIu64
                         " is there twice, or its processes are "
                         "not in order",
                         point);
  struct hp_summary *kept = hp_store_take(&dump->store, 1, sizeof *kept);
  if (!kept)
    return hp_fail_memory(error);
  *kept = s;
  if (of->last_summary)
    of->last_summary->next = kept;
  else
    of->summary = kept;
  of->last_summary = kept;
  dump->aggregate_count++;
  return HP_OK;
}

static hp_status take_interval(struct hp_dump *dump,
                               const struct hp_block *block, const char *file,
                               struct hp_cursor *record,
                               struct hp_error *error) {
  struct hp_interval in = {0};
  uint64_t process = 0;
  while (!hp_is_at_end(record)) {
    struct hp_field field;
    if (!hp_take_field(record, &field))
      return HP_FAIL_BLOCK("interval %" PRIu64 ": a field is cut",
                           dump->interval_count);
    bool good = true;
    switch (field.tag) {
#define NUMBER(name, member)                                                   \
  case HP_TIMELINE_##name:                                                     \
    good = hp_field_u64(&field, &in.member);                                   \
    break;
      NUMBER(begin, begin_ns)
      NUMBER(end, end_ns)
      NUMBER(bytes_min, bytes_min)
      NUMBER(bytes_max, bytes_max)
      NUMBER(chunks_min, chunks_min)
      NUMBER(chunks_max, chunks_max)
      NUMBER(allocations, allocations)
      NUMBER(bytes, bytes)
      NUMBER(resident_min, resident_min)
      NUMBER(resident_max, resident_max)
#undef NUMBER
    case HP_TIMELINE_process:
      good = hp_field_process(dump, &field, &process);
      break;
    }
    if (!good)
      return HP_FAIL_BLOCK("interval %" PRIu64 ": field with tag %" PRIu64
                           " is malformed",
                           dump->interval_count, field.tag);
  }
  struct hp_dump_process *of = &dump->processes[process];
  size_t n = of->interval_count;
  if (n == HP_TIMELINE_MAX)
    return HP_FAIL_BLOCK("more than %u intervals", HP_TIMELINE_MAX);
  if (in.begin_ns > in.end_ns || in.end_ns > INT64_MAX ||
      in.begin_ns != (n ? of->intervals[n - 1].end_ns : 0) ||
      in.bytes_min > in.bytes_max || in.chunks_min > in.chunks_max ||
      in.resident_min > in.resident_max)
    return HP_FAIL_BLOCK("interval %" PRIu64
                         ": it begins behind its end, or not "
                         "where the one before ends, or a minimum is too great",
                         dump->interval_count);
  if (!of->intervals)
    of->intervals = hp_store_take(&dump->store, HP_TIMELINE_MAX, sizeof in);
  if (!of->intervals)
    return hp_fail_memory(error);
  of->intervals[of->interval_count++] = in;
  dump->interval_count++;
  return HP_OK;
}

hp_status hp_take_aggregates(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  if (block->kind == HP_BLOCK_END)
    return hp_take_checkpoint(dump, block, file, error);
  hp_record_consumer *const takers[] = {[HP_BLOCK_AGGREGATES] = take_record,
                                        [HP_BLOCK_TIMELINE] = take_interval,
                                        [HP_BLOCK_FREES] = hp_take_free,
                                        [HP_BLOCK_MAPPINGS] = hp_take_mapping,
                                        [HP_BLOCK_GLOBALS] = hp_take_global};
  return hp_each_record(dump, block, file, takers[block->kind], error);
}
