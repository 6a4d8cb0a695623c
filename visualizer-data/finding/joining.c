/* joining.c - see joining.h: numbers add up, points are listed once.
   Two causes stay two: nothing is joined across functions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/joining.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/growing_array.h"
#include "base/same_text.h"
#include "base/saturate.h"
#include "finding/copies.h"
#include "finding/finding_rule.h"
#include "function_text.h"
#include "profile/freed.h"

/* ---- lines --------------------------------------------------------------- */

static bool is_same_function(const struct hp_finding *a,
                             const struct hp_finding *b) {
  return a->place->function && a->place->function == b->place->function &&
         hp_is_same_text(a->place->file, b->place->file);
}

/* What starts the program has lines for all it does; other functions, called
   from the same place, do one thing. */
static bool is_one_job(const struct hp_finding *a, const struct hp_finding *b) {
  return is_same_function(a, b) && a->caller_count && b->caller_count &&
         (a->callers[0] == b->callers[0] ||
          hp_is_same_function(a->callers[0], b->callers[0]));
}

static uint64_t weight(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  return hp_add(f->saved_peak_memory, hp_add(f->saved_copied_bytes, f->bytes));
}

/* Both are of one container that is copied: a key that nobody reads, and its node; also
   where the copy is a member. */
static bool is_one_container(const struct hp_verdict *v,
                             const struct hp_verdict *to) {
  return v->origin.copies && to->use.is_copy && v->origin.container &&
         hp_is_same_text(v->origin.container, to->origin.container);
}

/* Or of one pair. */
static bool is_one_copy(const struct hp_verdict *v,
                        const struct hp_verdict *to) {
  return is_one_container(v, to) || (v->copied.is_pair && to->copied.is_pair);
}

/* MORE is part of TO, which tells of its points, too. */
static bool join_points(struct hp_verdict *to, struct hp_verdict *more) {
  struct hp_finding *f = &to->finding;
  if (!hp_is_same_text(f->subject, more->finding.subject) &&
      !is_one_container(more, to))
    f->subject = NULL;
  for (size_t i = 0; i < more->finding.point_count; i++)
    if (!hp_verdict_add_point(to, more->ids[i]))
      return false;
  hp_verdict_add(to, more);
  free(more->ids);
  more->ids = NULL;
  return true;
}

/* MORE is of the function of TO, by the same rule; of a line that TO has not yet, if it
   IS_OTHER, or of one that makes several things. */
static bool join_line(struct hp_verdict *to, struct hp_verdict *more,
                      bool is_other) {
  struct hp_finding *f = &to->finding;
  const struct hp_frame *place =
      weight(more) > weight(to) ? more->finding.place : f->place;
  if (!join_points(to, more))
    return false;
  f->place = place;
  f->other_lines += is_other;
  to->is_cxx = to->is_cxx || more->is_cxx;
  to->joined++;
  return true;
}

/* Of one line; what was joined before has those of several. */
static bool are_alike(const struct hp_verdict *a, uint64_t of_a,
                      const struct hp_verdict *b, uint64_t of_b) {
  const uint64_t x = of_a / (a->joined + 1), y = of_b / (b->joined + 1);
  return x <= hp_multiply(2, y) && y <= hp_multiply(2, x);
}

/* Arrays that grow side by side are as many.  One table beside a thousand vectors is
   another cause: how far it grows says nothing of them. */
static bool grow_alike(const struct hp_verdict *a, const struct hp_verdict *b) {
  return are_alike(a, a->growing.chains, b, b->growing.chains);
}

/* A hash table that grows links its nodes anew; what grows beside it may be copied. */
static bool copy_alike(const struct hp_verdict *a, const struct hp_verdict *b) {
  return (a->finding.saved_copied_bytes != 0) ==
         (b->finding.saved_copied_bytes != 0);
}

/* Parts of an object are as many as it is; of a ring one part hangs from the other, here
   so and there the other way round. */
static bool are_parts(const struct hp_verdict *a, const struct hp_verdict *b) {
  return !a->rule->joins_parts ||
         are_alike(a, hp_add(a->finding.chunks, a->held_chunks), b,
                   hp_add(b->finding.chunks, b->held_chunks));
}

/* One container may be filled by several lines, and one sum of objects is one statement of
   many. */
static bool joins_lines(const struct hp_verdict *v) {
  return v->rule->joins_lines || v->use.is_rebuilt || hp_is_by_operator(v);
}

static bool is_one_sum(const struct hp_verdict *a, const struct hp_verdict *b) {
  return hp_is_by_operator(a) == hp_is_by_operator(b) &&
         (!hp_is_by_operator(a) ||
          hp_is_same_text(a->finding.subject, b->finding.subject));
}

static bool is_told_alike(const struct hp_verdict *a,
                          const struct hp_verdict *b) {
  return a->rule == b->rule && a->use.is_rebuilt == b->use.is_rebuilt &&
         a->use.is_outgrown == b->use.is_outgrown &&
         a->use.is_filled_unread == b->use.is_filled_unread &&
         is_one_sum(a, b) &&
         (!a->use.is_rebuilt ||
          hp_is_same_text(a->origin.container, b->origin.container)) &&
         a->finding.certain == b->finding.certain &&
         a->finding.by_pages == b->finding.by_pages &&
         (a->teardown.watched != 0) == (b->teardown.watched != 0) &&
         a->origin.by_library == b->origin.by_library &&
         a->origin.by_header == b->origin.by_header &&
         a->origin.called_libc == b->origin.called_libc &&
         a->is_cxx == b->is_cxx && a->use.is_passed == b->use.is_passed &&
         a->use.is_stream == b->use.is_stream &&
         a->origin.sorter == b->origin.sorter &&
         hp_is_same_text(a->copied.what, b->copied.what) && grow_alike(a, b) &&
         copy_alike(a, b) && are_parts(a, b);
}

static bool is_other_line(const struct hp_verdict *a,
                          const struct hp_verdict *b) {
  return joins_lines(a) && joins_lines(b) && is_told_alike(a, b) &&
         is_one_job(&a->finding, &b->finding);
}

/* One line of a template, which is changed once for all that it is there for. */
static bool is_other_instance(const struct hp_verdict *a,
                              const struct hp_verdict *b) {
  const struct hp_finding *f = &a->finding, *other = &b->finding;
  return is_told_alike(a, b) &&
         (joins_lines(a) || ((a->rule->is_of_lives || a->rule->is_of_copies) &&
                             hp_is_same_text(f->subject, other->subject))) &&
         f->place->line == other->place->line &&
         f->place->column == other->place->column &&
         hp_is_same_text(f->place->file, other->place->file) &&
         hp_functions_are_of_one_template(f->place->function,
                                          other->place->function);
}

/* Chunks of one line that one line gives back, too late, are parts of what it makes, as
   an object's arrays, nodes and texts: whatever holds each, or takes it down. */
static bool is_part_kept(const struct hp_verdict *a,
                         const struct hp_verdict *b) {
  return a->rule == b->rule && a->rule->joins_lines && a->rule->is_of_lives &&
         a->finding.certain == b->finding.certain &&
         a->finding.by_pages == b->finding.by_pages &&
         a->origin.by_library == b->origin.by_library &&
         a->origin.by_header == b->origin.by_header &&
         a->origin.called_libc == b->origin.called_libc &&
         hp_is_same_place(a->finding.place, b->finding.place) &&
         a->finding.freed_by &&
         hp_is_same_place(a->finding.freed_by, b->finding.freed_by) &&
         is_one_job(&a->finding, &b->finding);
}

static bool is_told_with(const struct hp_verdict *v,
                         const struct hp_verdict *to) {
  return is_other_line(to, v) || is_part_kept(to, v);
}

/* What grows by few steps is the lesser part of what TO says grows. */
static bool is_larger_growth(const struct hp_verdict *v,
                             const struct hp_verdict *to) {
  return strcmp(to->rule->name, "growing") == 0 &&
         v->finding.chunks <= to->finding.chunks;
}

/* Chains are what TO counted: by few steps there is more of it. */
static bool join_outgrown(struct hp_verdict *to, struct hp_verdict *more) {
  const struct hp_finding f = to->finding;
  if (!join_points(to, more))
    return false;
  to->finding.chunks = f.chunks;
  to->finding.bytes = f.bytes;
  to->finding.saved_chunks = f.saved_chunks;
  to->finding.at_least = true;
  return true;
}

/* Of the chunks that other stacks make at the line of V some want a remedy that does for
   all: those of V are told with them. */
static bool yields_to(const struct hp_verdict *v, const struct hp_verdict *to) {
  if (v->use.is_outgrown && to->rule && !to->use.is_outgrown && to->is_cxx &&
      (is_larger_growth(v, to) ||
       strcmp(to->rule->name, "made_per_call") == 0) &&
      hp_is_same_text(v->origin.container, to->origin.container) &&
      hp_is_same_place(v->finding.place, to->finding.place))
    return true;
  return v->rule->yields_to && to->rule &&
         (strcmp(v->rule->yields_to, to->rule->name) == 0 ||
          (v->rule->yields_copies && to->rule->is_of_lives)) &&
         v->origin.by_library == to->origin.by_library &&
         v->origin.called_libc == to->origin.called_libc &&
         (v->rule->yields_copies ? is_one_copy(v, to)
                                 : v->finding.certain == to->finding.certain) &&
         hp_is_same_text(v->copied.what, to->copied.what) &&
         hp_is_same_place(v->finding.place, to->finding.place);
}

/* Verdicts by what those that are joined have in common.  A program may have as
   many as it has points. */
struct join_key {
  const void *rule, *function, *caller;
  uint64_t line;
};

struct alike {
  UT_hash_handle hh;
  struct join_key key;
  size_t first, last; /* verdicts, in their order */
};

struct join_index {
  struct alike *hash, *room;
  size_t *next; /* of each verdict, in its `alike` */
  bool *is_gone;
};

static bool index_open(struct join_index *x, size_t count) {
  *x = (struct join_index){.room = calloc(count + 1, sizeof *x->room),
                           .next = calloc(count + 1, sizeof *x->next),
                           .is_gone = calloc(count + 1, sizeof *x->is_gone)};
  return x->room && x->next && x->is_gone;
}

static void index_close(struct join_index *x) {
  HASH_CLEAR(hh, x->hash);
  free(x->room);
  free(x->next);
  free(x->is_gone);
}

static size_t index_first(const struct join_index *x,
                          const struct join_key *key) {
  struct alike *found;
  HASH_FIND(hh, x->hash, key, sizeof *key, found);
  return found ? found->first : SIZE_MAX;
}

static bool index_add(struct join_index *x, const struct join_key *key,
                      size_t number) {
  struct alike *found;
  x->next[number] = SIZE_MAX;
  HASH_FIND(hh, x->hash, key, sizeof *key, found);
  if (found) {
    x->next[found->last] = number;
    found->last = number;
    return true;
  }
  found = &x->room[number];
  *found = (struct alike){.key = *key, .first = number, .last = number};
  HASH_ADD(hh, x->hash, key, sizeof found->key, found);
  return found->hh.tbl != NULL;
}

static struct join_key place_key(const struct hp_verdict *v) {
  const struct hp_frame *place = v->finding.place;
  return place && place->function
             ? (struct join_key){.function = place->function,
                                 .line = place->line}
             : (struct join_key){.function = place};
}

static struct join_key line_key(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  return (struct join_key){.rule = v->rule,
                           .function = f->place->function,
                           .caller = f->caller_count ? f->callers[0]->function
                                                     : NULL};
}

static void leave_out(struct hp_verdict *verdicts, size_t *count,
                      const bool *is_gone) {
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (!is_gone[i])
      verdicts[kept++] = verdicts[i];
  *count = kept;
}

/* What V and OTHER say of the lives of one container that is copied at one line, the one
   that it is only read, the other that it is not. */
static bool contradicts(const struct hp_verdict *v,
                        const struct hp_verdict *other) {
  return v->rule->is_of_copies && other->rule->is_of_lives &&
         is_one_copy(v, other) &&
         hp_is_same_text(v->copied.what, other->copied.what) &&
         hp_is_same_place(v->finding.place, other->finding.place);
}

#define FEW_OTHERS 8u  /* one of so many */
#define NODE_WRITES 2u /* that copying takes, beside one of each word */

/* Written twice as often as a copy needs, as an array that is sorted is. */
static bool is_changed(const struct hp_verdict *v) {
  return v->whole.writes / 2 >
         hp_add(v->whole.bytes / sizeof(uint64_t),
                hp_multiply(NODE_WRITES, v->whole.chunks));
}

/* Buckets are only read where the nodes are changed; what holds of most chunks of a copy
   is said of all.  Who changes an array of texts changes one chunk, but many bytes. */
static bool settle_copy(struct hp_verdict *verdicts, size_t number,
                        struct join_index *x) {
  struct hp_verdict *v = &verdicts[number];
  const struct join_key key = place_key(v);
  uint64_t others = 0, changed_bytes = 0;
  size_t most = SIZE_MAX;
  bool good = true;
  for (size_t k = index_first(x, &key); k != SIZE_MAX; k = x->next[k]) {
    if (x->is_gone[k] || !contradicts(v, &verdicts[k]))
      continue;
    others = hp_add(others, verdicts[k].finding.chunks);
    if (is_changed(&verdicts[k]))
      changed_bytes = hp_add(changed_bytes, verdicts[k].finding.bytes);
    if (most == SIZE_MAX ||
        verdicts[k].finding.chunks > verdicts[most].finding.chunks)
      most = k;
  }
  if (most == SIZE_MAX)
    return true;
  if (others > v->finding.chunks / FEW_OTHERS ||
      changed_bytes > v->finding.bytes / FEW_OTHERS)
    return x->is_gone[number] = join_points(&verdicts[most], v);
  for (size_t k = index_first(x, &key); k != SIZE_MAX && good; k = x->next[k])
    if (!x->is_gone[k] && contradicts(v, &verdicts[k]))
      good = x->is_gone[k] = join_points(v, &verdicts[k]);
  return good;
}

static bool yield(struct hp_verdict *verdicts, size_t *count,
                  struct join_index *x) {
  bool good = true;
  for (size_t i = 0; i < *count && good; i++) {
    const struct join_key key = place_key(&verdicts[i]);
    good = index_add(x, &key, i);
  }
  for (size_t i = 0; i < *count && good; i++)
    if (verdicts[i].rule->is_of_copies)
      good = settle_copy(verdicts, i, x);
  for (size_t i = 0; i < *count && good; i++) {
    if (x->is_gone[i] ||
        (!verdicts[i].rule->yields_to && !verdicts[i].use.is_outgrown))
      continue;
    const struct join_key key = place_key(&verdicts[i]);
    size_t k = index_first(x, &key);
    while (k != SIZE_MAX &&
           (k == i || x->is_gone[k] || !yields_to(&verdicts[i], &verdicts[k])))
      k = x->next[k];
    if (k != SIZE_MAX)
      good = x->is_gone[i] =
          verdicts[i].use.is_outgrown && verdicts[k].growing.longest.length
              ? join_outgrown(&verdicts[k], &verdicts[i])
              : join_points(&verdicts[k], &verdicts[i]);
  }
  leave_out(verdicts, count, x->is_gone);
  return good;
}

/* The line of V among those that TO has. */
static struct join_key line_within(const struct hp_verdict *to,
                                   const struct hp_verdict *v) {
  const struct hp_frame *place = v->finding.place;
  return (struct join_key){.rule = to,
                           .function = place->function,
                           .line = place->line ? place->line : place->address};
}

static bool join_to(struct hp_verdict *to, struct hp_verdict *more,
                    struct join_index *lines, size_t number) {
  const struct join_key key = line_within(to, more);
  const bool is_other = index_first(lines, &key) == SIZE_MAX;
  return join_line(to, more, is_other) &&
         (!is_other || index_add(lines, &key, number));
}

static bool join_by_function(struct hp_verdict *verdicts, size_t *count,
                             struct join_index *x, struct join_index *lines) {
  bool good = true;
  for (size_t i = 0; i < *count && good; i++) {
    if (!joins_lines(&verdicts[i]) || !verdicts[i].finding.place)
      continue;
    const struct join_key key = line_key(&verdicts[i]);
    size_t k = index_first(x, &key);
    while (k != SIZE_MAX && !is_told_with(&verdicts[i], &verdicts[k]))
      k = x->next[k];
    const struct join_key own = line_within(&verdicts[i], &verdicts[i]);
    if (k == SIZE_MAX)
      good = index_add(x, &key, i) && index_add(lines, &own, i);
    else
      good = x->is_gone[i] = join_to(&verdicts[k], &verdicts[i], lines, i);
  }
  leave_out(verdicts, count, x->is_gone);
  return good;
}

static bool join_others(struct hp_verdict *verdicts, size_t *count,
                        struct join_index *x) {
  struct join_index lines;
  const bool good = index_open(&lines, *count) &&
                    join_by_function(verdicts, count, x, &lines);
  index_close(&lines);
  return good;
}

static bool join_instance(struct hp_verdict *to, struct hp_verdict *more) {
  const size_t lines = more->finding.other_lines;
  if (!join_line(to, more, false))
    return false;
  if (to->finding.other_lines < lines)
    to->finding.other_lines = lines;
  to->finding.other_instances++;
  return true;
}

static bool join_instances(struct hp_verdict *verdicts, size_t *count,
                           struct join_index *x) {
  bool good = true;
  for (size_t i = 0; i < *count && good; i++) {
    const struct hp_frame *place = verdicts[i].finding.place;
    if (!place || !place->function || !place->line)
      continue;
    const struct join_key key = {.rule = verdicts[i].rule, .line = place->line};
    size_t k = index_first(x, &key);
    while (k != SIZE_MAX && !is_other_instance(&verdicts[k], &verdicts[i]))
      k = x->next[k];
    good = k == SIZE_MAX
               ? index_add(x, &key, i)
               : (x->is_gone[i] = join_instance(&verdicts[k], &verdicts[i]));
  }
  leave_out(verdicts, count, x->is_gone);
  return good;
}

static bool with_index(struct hp_verdict *verdicts, size_t *count,
                       bool (*join)(struct hp_verdict *, size_t *,
                                    struct join_index *)) {
  struct join_index x;
  bool good = index_open(&x, *count) && join(verdicts, count, &x);
  index_close(&x);
  return good;
}

bool hp_join_lines(struct hp_verdict *verdicts, size_t *count) {
  return with_index(verdicts, count, yield) &&
         with_index(verdicts, count, join_others) &&
         with_index(verdicts, count, join_instances);
}

/* ---- rules --------------------------------------------------------------- */

/* Half of the points of MORE, which ascend, are among those of F. */
static bool has_points_of(const struct hp_finding *f,
                          const struct hp_finding *more) {
  size_t common = 0;
  for (size_t i = 0, k = 0; i < more->point_count; i++) {
    while (k < f->point_count && f->points[k] < more->points[i])
      k++;
    common += k < f->point_count && f->points[k] == more->points[i];
  }
  return 2 * common >= more->point_count;
}

/* A line may have several causes: other points, other things.  Without debug
   information nobody knows that two places are on one. */
static bool is_one_cause(const struct hp_verdict *v,
                         const struct hp_verdict *more) {
  const struct hp_finding *f = &v->finding, *other = &more->finding;
  if (!is_same_function(f, other))
    return false;
  return has_points_of(f, other) ||
         (f->place->line && f->place->line == other->place->line &&
          f->subject && hp_is_same_text(f->subject, other->subject) &&
          v->rule->is_of_lives && more->rule->is_of_lives);
}

static bool attach(struct hp_finding *f, const struct hp_finding *more,
                   struct hp_store *store) {
  const struct hp_finding **also =
      hp_store_take(store, f->also_count + 1, sizeof *also);
  struct hp_finding *kept = hp_store_take(store, 1, sizeof *kept);
  uint64_t *points = hp_store_take(store, more->point_count, sizeof *points);
  if (!also || !kept || !points)
    return false;
  memcpy(points, more->points, more->point_count * sizeof *points);
  *kept = *more;
  kept->points = points;
  if (f->also_count)
    memcpy(also, f->also, f->also_count * sizeof *also);
  also[f->also_count++] = kept;
  f->also = also;
  return true;
}

bool hp_join_rules(struct hp_verdict *verdicts, size_t *count, size_t *large,
                   struct hp_store *store) {
  size_t kept = 0;
  bool good = true;
  for (size_t i = 0; i < *large; i++) {
    size_t k = 0;
    while (k < kept && !is_one_cause(&verdicts[k], &verdicts[i]))
      k++;
    if (k == kept) {
      verdicts[kept++] = verdicts[i];
      continue;
    }
    good = good && attach(&verdicts[k].finding, &verdicts[i].finding, store);
    free(verdicts[i].ids);
    verdicts[i].ids = NULL;
  }
  if (kept < *large) /* there may be none at all */
    memmove(&verdicts[kept], &verdicts[*large],
            (*count - *large) * sizeof *verdicts);
  *count -= *large - kept;
  *large = kept;
  return good;
}
