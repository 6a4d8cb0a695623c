/* finding.c - judges each point by the rules of docs/findings.md, then merges.
   A point gets one verdict of each family, so that no byte is counted twice.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "finding/container.h"
#include "finding/finding_text.h"
#include "type_text.h"

/* What is worth a change: a share of the whole, and more than a handful. */
#define HP_WORTH_SHARE 0.01
#define HP_WORTH_BYTES 4096u
#define HP_WORTH_WRITES 10000u   /* to memory that threads share */
#define HP_LOW_LIFETIME 0.5      /* lifetime score: one after the other */
#define HP_GENERATIONS 8u        /* so often the point's peak is allocated */
#define HP_CACHE_LINE 64u        /* bytes */
#define HP_LONG_LIFE_NS 5e7      /* a chunk lives long: 50 ms, and */
#define KEPT_LONG_NS 1000000000u /* in a run of a second */
#define LEAK_CHUNKS 100u         /* so many are no trifle, however small */
#define HP_LONG_LIFE 20u         /* 1/20 of the window, and */
#define HP_LONG_WAITS 2          /* as many of the longest wait */

/* Fewer chunks at one place are no pattern. */
static const uint64_t least_chunks[HP_RULE_COUNT] = {
    [HP_RULE_overrun] = 1,
    [HP_RULE_lost] = 1,
    [HP_RULE_zero_size] = 100,
    [HP_RULE_sort_copies] = 100,
    [HP_RULE_copied_to_read] = 100,
    [HP_RULE_growing] = 4,
    [HP_RULE_made_per_call] = 100,
    [HP_RULE_short_lived] = 100,
    [HP_RULE_unused] = 1,
    [HP_RULE_write_only] = 1,
    [HP_RULE_never_freed] = 16,
    [HP_RULE_low_coverage] = 1,
    [HP_RULE_still_reachable] = 1,
    [HP_RULE_freed_late] = 1,
    [HP_RULE_allocated_early] = 1,
    [HP_RULE_false_sharing] = 2,
    [HP_RULE_freed_elsewhere] = 1000};

struct hp_findings {
  struct hp_store store;
  struct hp_verdict *verdicts;
  struct hp_passages passages;
  struct known *known;
  size_t count, room, large; /* the first LARGE are worth a change */
  const struct hp_global *global;
};

const char *hp_finding_rule_name(enum hp_finding_rule rule) {
  static const char *const names[HP_RULE_COUNT] = {
#define X(name, verb) #name,
      HP_FINDING_RULES(X)
#undef X
  };
  return rule < HP_RULE_COUNT ? names[rule] : NULL;
}

const char *hp_finding_rule_verb(enum hp_finding_rule rule) {
  static const char *const verbs[HP_RULE_COUNT] = {
#define X(name, verb) verb,
      HP_FINDING_RULES(X)
#undef X
  };
  return rule < HP_RULE_COUNT ? verbs[rule] : NULL;
}

/* ---- merging --------------------------------------------------------------
 */

/* Of each verdict, by rule, subject and place. */
struct known {
  UT_hash_handle hh;
  size_t index;
  char key[];
};

static struct known *make_key(struct hp_findings *all,
                              const struct hp_finding *f) {
  const struct hp_frame *place = f->place;
  const char *texts[] = {f->subject, place->function, place->file,
                         place->module};
  size_t size = 64;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    size += texts[i] ? strlen(texts[i]) : 0;
  struct known *known = hp_store_take(&all->store, sizeof *known + size, 1);
  if (!known)
    return NULL;
  /* Lines of one function are told by number, code without by its address. */
  uint64_t where = place->line ? place->line : place->address;
  int used = snprintf(known->key, size, "%d %d %" PRIu64, (int)f->rule,
                      f->certain, where);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    used += snprintf(known->key + used, size - (size_t)used, "\n%s",
                     texts[i] ? texts[i] : "");
  return known;
}

static bool add_id(struct hp_verdict *to, uint64_t id) {
  if (to->finding.point_count == to->id_room) {
    size_t room = to->id_room ? 2 * to->id_room : 4;
    uint64_t *ids = reallocarray(to->ids, room, sizeof *ids);
    if (!ids)
      return false;
    to->ids = ids;
    to->id_room = room;
  }
  to->ids[to->finding.point_count++] = id;
  to->finding.points = to->ids;
  return true;
}

static void sum(struct hp_verdict *to, const struct hp_verdict *more) {
  struct hp_finding *a = &to->finding;
  const struct hp_finding *b = &more->finding;
  a->estimated = a->estimated || b->estimated;
  a->chunks = hp_add(a->chunks, b->chunks);
  a->bytes = hp_add(a->bytes, b->bytes);
  a->saved_chunks = hp_add(a->saved_chunks, b->saved_chunks);
  a->saved_peak_bytes = hp_add(a->saved_peak_bytes, b->saved_peak_bytes);
  a->saved_copied_bytes = hp_add(a->saved_copied_bytes, b->saved_copied_bytes);
  if (more->size_min < to->size_min)
    to->size_min = more->size_min;
  if (more->size_max > to->size_max)
    to->size_max = more->size_max;
  to->lived_ns += more->lived_ns;
  to->lived_chunks = hp_add(to->lived_chunks, more->lived_chunks);
  to->writes = hp_add(to->writes, more->writes);
  to->of_chunks = hp_add(to->of_chunks, more->of_chunks);
  to->of_bytes = hp_add(to->of_bytes, more->of_bytes);
  to->accessed = hp_add(to->accessed, more->accessed);
  to->chains = hp_add(to->chains, more->chains);
  if (more->growth.length > to->growth.length)
    to->growth = more->growth;
  to->held_chunks = hp_add(to->held_chunks, more->held_chunks);
  to->held_bytes = hp_add(to->held_bytes, more->held_bytes);
  if (more->overrun.beyond > to->overrun.beyond)
    to->overrun = more->overrun;
}

static hp_status add(struct hp_findings *all, const struct hp_verdict *verdict,
                     const struct hp_point *point, struct hp_error *error) {
  struct known *known = make_key(all, &verdict->finding), *old = NULL;
  struct hp_verdict *to;
  if (!known)
    return hp_fail_memory(error);
  HASH_FIND_STR(all->known, known->key, old);
  if (old) {
    to = &all->verdicts[old->index];
    sum(to, verdict);
  } else {
    if (all->count == all->room) {
      size_t room = all->room ? 2 * all->room : 16;
      struct hp_verdict *more = reallocarray(all->verdicts, room, sizeof *more);
      if (!more)
        return hp_fail_memory(error);
      all->verdicts = more;
      all->room = room;
    }
    bool failed = false;
    HASH_ADD_STR(all->known, key, known);
    if (failed)
      return hp_fail_memory(error);
    known->index = all->count;
    to = &all->verdicts[all->count++];
    *to = *verdict;
  }
  return add_id(to, point->id) ? HP_OK : hp_fail_memory(error);
}

/* ---- judging --------------------------------------------------------------
 */

/* A point and what its stack says. */
struct subject {
  const struct hp_point *point;
  struct hp_origin origin;
  uint64_t chunks; /* that are not empty */
  const char *type;
};

/* The share of the point's bytes at the global peak that BYTES of all have. */
static uint64_t at_peak(const struct hp_point *p, uint64_t bytes) {
  if (p->bytes == 0)
    return 0;
  return hp_clamp128((hp_u128)p->bytes_at_global_peak * bytes / p->bytes);
}

/* The container whose own memory the chunks are; NULL: none. */
static const char *container_of(const struct subject *s) {
  return s->origin.is_node ? NULL : s->origin.container;
}

static bool is_adaptor(const struct subject *s) {
  const char *container = container_of(s);
  return container && (strncmp(container, "std::stack<", 11) == 0 ||
                       strncmp(container, "std::queue<", 11) == 0 ||
                       strncmp(container, "std::deque<", 11) == 0);
}

static bool is_passed(const struct subject *s) {
  return is_adaptor(s) && !s->origin.constructs;
}

static struct hp_verdict verdict_of(const struct subject *s,
                                    enum hp_finding_rule rule, bool certain) {
  const struct hp_point *p = s->point;
  const char *container = container_of(s);
  struct hp_verdict v = {
      .finding = {.rule = rule,
                  .certain = certain,
                  .estimated = p->samples != 0,
                  .place = s->origin.place,
                  .subject = container ? container : s->type},
      .is_cxx = container != NULL,
      .is_text = s->origin.is_text,
      .is_adaptor = is_adaptor(s),
      .is_stream = container && strstr(container, "stringbuf"),
      .is_passed = is_passed(s),
      .fills = s->origin.fills,
      .is_copy = container && s->origin.copies,
      .by_library = s->origin.by_library && !s->origin.container,
      .size_min = p->size.defined ? p->size.min : 0,
      .size_max = p->size.defined ? p->size.max : 0,
      .writes = p->writes,
      .of_chunks = p->chunks,
      .of_bytes = p->bytes,
      .accessed = p->bytes_accessed};
  if (p->lifetime_ns.defined) {
    v.lived_chunks = p->chunks - p->live_chunks;
    v.lived_ns = p->lifetime_ns.mean * (double)v.lived_chunks;
  }
  return v;
}

static const struct hp_inference_value *shows(const struct hp_point *p,
                                              enum hp_inference i) {
  return p->inferences[i].flagged ? &p->inferences[i] : NULL;
}

/* A library's own chunks, too: its caller may have given it too little. */
static bool overrun(const struct subject *s, struct hp_verdict *v) {
  const struct hp_inference_value *shown = shows(s->point, HP_INF_overrun);
  if (!shown)
    return false;
  *v = verdict_of(s, HP_RULE_overrun, true);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->overrun = s->point->overrun;
  return true;
}

/* What is lost was live at the peak if it was there by then. */
static bool lost(const struct subject *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown = shows(p, HP_INF_lost);
  if (!shown)
    return false;
  *v = verdict_of(s, HP_RULE_lost, true);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->held_chunks = p->held_chunks;
  v->held_bytes = p->held_bytes;
  v->finding.saved_peak_bytes = at_peak(p, hp_add(shown->bytes, p->held_bytes));
  return true;
}

/* Whether every live chunk is known to be lost or not. */
static bool is_checked(const struct hp_point *p) {
  const uint64_t known = p->inferences[HP_INF_lost].chunks +
                         p->inferences[HP_INF_lost_indirectly].chunks +
                         p->inferences[HP_INF_still_reachable].chunks;
  return known == p->live_chunks || p->leak_suppressed;
}

static bool is_mostly(const struct hp_point *p, enum hp_inference i) {
  const uint64_t chunks = p->inferences[i].chunks;
  return chunks && chunks >= p->chunks - chunks;
}

/* What can still be reached is no waste; what was last used long ago may be. */
static bool is_idle(const struct hp_point *p) {
  const double useful = p->scores.useful_lifetime;
  return useful >= 0 &&
         useful + p->scores.useful_lifetime_error < HP_LOW_LIFETIME &&
         p->window_ns >= KEPT_LONG_NS;
}

static bool zero_size(const struct subject *s, struct hp_verdict *v) {
  const struct hp_inference_value *zero = shows(s->point, HP_INF_zero_size);
  if (!zero || s->origin.by_library)
    return false;
  *v = verdict_of(s, HP_RULE_zero_size, true);
  v->finding.chunks = v->finding.saved_chunks = zero->chunks;
  return true;
}

/* All of the point's chunks would not be made. */
static struct hp_verdict churn(const struct subject *s,
                               enum hp_finding_rule rule) {
  struct hp_verdict v = verdict_of(s, rule, false);
  v.finding.chunks = v.finding.saved_chunks = s->chunks;
  v.finding.bytes = s->point->bytes;
  return v;
}

/* Few live at one time of the many there were. */
static bool follow_each_other(const struct subject *s) {
  const struct hp_point *p = s->point;
  const struct hp_scores *scores = &p->scores;
  return p->peak_bytes <= p->bytes / HP_GENERATIONS && scores->lifetime >= 0 &&
         scores->lifetime < HP_LOW_LIFETIME && shows(p, HP_INF_short_lived);
}

/* Copying writes each word once; who changes the copy writes more. */
static bool is_copied_to_read(const struct subject *s) {
  const struct hp_point *p = s->point;
  uint64_t copying = p->bytes / sizeof(uint64_t);
  return p->accesses_known && s->origin.copies && follow_each_other(s) &&
         (p->reads > 0 || s->origin.by_library) &&
         (p->writes <= hp_multiply(2, p->chunks) || p->writes <= copying);
}

/* What grows only a little is not worth a reserve. */
static bool is_growing(const struct subject *s) {
  const struct hp_point *p = s->point;
  return shows(p, HP_INF_growing) &&
         p->growth.last_size / 4 >= p->growth.first_size;
}

static bool is_mostly_growing(const struct subject *s) {
  const uint64_t growing = s->point->grown.chunks;
  return growing >= s->chunks || growing >= s->chunks - growing;
}

static struct hp_verdict growth(const struct subject *s) {
  const struct hp_chains *grown = &s->point->grown;
  struct hp_verdict v =
      verdict_of(s, HP_RULE_growing, grown->likely_chunks == 0);
  v.growth = s->point->growth;
  v.chains = grown->chains;
  v.finding.chunks = grown->chunks;
  v.finding.bytes = grown->bytes;
  v.finding.saved_chunks = grown->chunks - grown->chains;
  v.finding.saved_copied_bytes = grown->copied_bytes;
  return v;
}

static bool made_again(const struct subject *s, struct hp_verdict *v) {
  if (is_copied_to_read(s))
    *v = churn(s, HP_RULE_copied_to_read);
  else if (is_growing(s) && (is_mostly_growing(s) || !follow_each_other(s)))
    *v = growth(s);
  else if (!follow_each_other(s))
    return false;
  else if (container_of(s) && !is_passed(s))
    *v = churn(s, HP_RULE_made_per_call);
  else
    *v = churn(s, HP_RULE_short_lived);
  return true;
}

/* Unused and write-only chunks; what a library does inside is not seen. */
static bool not_needed(const struct subject *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *unused = shows(p, HP_INF_unused);
  const struct hp_inference_value *write_only = shows(p, HP_INF_write_only);
  uint64_t empty = p->inferences[HP_INF_zero_size].chunks;
  if (s->origin.by_library)
    return false;
  if (unused && unused->chunks > empty && unused->bytes > 0) {
    *v = verdict_of(s, HP_RULE_unused, !p->accesses_shared);
    v->finding.chunks = unused->chunks - empty;
    v->finding.bytes = unused->bytes;
  } else if (write_only && write_only->bytes > 0) {
    *v = verdict_of(s, HP_RULE_write_only, !p->accesses_shared);
    v->finding.chunks = write_only->chunks;
    v->finding.bytes = write_only->bytes;
  } else {
    return false;
  }
  v->finding.saved_chunks = v->finding.chunks;
  v->finding.saved_peak_bytes = at_peak(p, v->finding.bytes);
  return true;
}

/* A program that waits for a processor is not idle: about as long stands the
   clock, whose ticker waits as its threads do. */
static double longest_wait_ns(const struct hp_point *p) {
  const struct hp_process *process = p->process;
  bool known = process && process->tick_max != UINT64_MAX;
  return known ? (double)process->tick_max / process->ticks_per_ns : 0;
}

/* In a run of some milliseconds a wait for the processor would be long. */
static bool lives_long(const struct hp_point *p) {
  return p->lifetime_ns.defined && p->lifetime_ns.mean >= HP_LONG_LIFE_NS &&
         p->lifetime_ns.mean >= HP_LONG_WAITS * longest_wait_ns(p) &&
         p->lifetime_ns.mean * HP_LONG_LIFE >= (double)p->window_ns;
}

static bool held_too_much(const struct subject *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown;
  uint64_t saved;
  /* What a process that was killed had not freed yet says nothing; nor does
     what one call of a library, such as setlocale, keeps for good. */
  if ((shown = shows(p, HP_INF_never_freed)) && p->ended_by_exit &&
      !is_checked(p) &&
      (!s->origin.by_library ||
       shown->chunks >= least_chunks[HP_RULE_never_freed]) &&
      is_mostly(p, HP_INF_never_freed)) {
    *v = verdict_of(s, HP_RULE_never_freed, false);
    saved = at_peak(p, shown->bytes);
  } else if ((shown = shows(p, HP_INF_still_reachable)) &&
             is_mostly(p, HP_INF_still_reachable) && !s->origin.by_library &&
             is_idle(p)) {
    *v = verdict_of(s, HP_RULE_still_reachable, false);
    saved = at_peak(p, shown->bytes);
  } else if (s->origin.by_library) {
    return false; /* its accesses are not seen */
  } else if ((shown = shows(p, HP_INF_low_coverage)) &&
             p->size.mean >= HP_CACHE_LINE) {
    *v = verdict_of(s, HP_RULE_low_coverage, false);
    saved = at_peak(p, p->bytes - p->bytes_accessed);
  } else if ((shown = shows(p, HP_INF_freed_late)) && lives_long(p)) {
    *v = verdict_of(s, HP_RULE_freed_late, false);
    saved = at_peak(p, shown->bytes);
  } else if ((shown = shows(p, HP_INF_allocated_early)) && lives_long(p)) {
    *v = verdict_of(s, HP_RULE_allocated_early, false);
    saved = at_peak(p, shown->bytes);
  } else {
    return false;
  }
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->finding.saved_peak_bytes = saved;
  return true;
}

/* Small chunks lie side by side, and threads that write to one cache line
   wait for each other. */
static bool crosses_threads(const struct subject *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shared = shows(p, HP_INF_multithread);
  const struct hp_inference_value *freed = shows(p, HP_INF_freed_elsewhere);
  if (shared && p->size.max < HP_CACHE_LINE &&
      p->writes / p->chunks >= HP_WORTH_WRITES / 10)
    *v = verdict_of(s, HP_RULE_false_sharing, false);
  else if (freed && freed->chunks >= p->chunks - freed->chunks)
    *v = verdict_of(s, HP_RULE_freed_elsewhere, false);
  else
    return false;
  const struct hp_inference_value *shown =
      v->finding.rule == HP_RULE_false_sharing ? shared : freed;
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  return true;
}

static hp_status judge_sort(struct hp_findings *all, const struct subject *s,
                            bool *found, struct hp_error *error) {
  const struct hp_frame *sorter;
  const char *subject;
  HP_TRY(hp_sort_find(&sorter, &subject, s->point, &all->store, error));
  *found = sorter != NULL;
  if (!sorter)
    return HP_OK;
  struct hp_verdict v = churn(s, HP_RULE_sort_copies);
  v.finding.place = sorter;
  v.finding.subject = subject;
  return add(all, &v, s->point, error);
}

static hp_status judge(struct hp_findings *all, const struct hp_point *point,
                       struct hp_error *error) {
  struct subject s = {.point = point};
  struct hp_verdict v;
  bool is_copy;
  if (point->chunks == 0)
    return HP_OK;
  HP_TRY(hp_origin_find(&s.origin, point, &all->passages, &all->store, error));
  if (!s.origin.place)
    return HP_OK;
  s.chunks = point->chunks - point->inferences[HP_INF_zero_size].chunks;
  if (point->type) {
    char *brief = hp_type_short(point->type);
    s.type = brief ? hp_store_text(&all->store, brief, strlen(brief)) : NULL;
    free(brief);
    if (!s.type)
      return hp_fail_memory(error);
  }
  if (overrun(&s, &v))
    HP_TRY(add(all, &v, point, error));
  bool is_lost = lost(&s, &v);
  if (is_lost)
    HP_TRY(add(all, &v, point, error));
  if (zero_size(&s, &v))
    HP_TRY(add(all, &v, point, error));
  if (crosses_threads(&s, &v))
    HP_TRY(add(all, &v, point, error));
  HP_TRY(judge_sort(all, &s, &is_copy, error));
  if (is_copy || (is_lost && is_mostly(point, HP_INF_lost)))
    return HP_OK;
  /* Who need not allocate at all need not hear how to do it better. */
  if (not_needed(&s, &v))
    return add(all, &v, point, error);
  if (made_again(&s, &v))
    HP_TRY(add(all, &v, point, error));
  if (!is_lost && held_too_much(&s, &v))
    HP_TRY(add(all, &v, point, error));
  return HP_OK;
}

/* ---- ranking --------------------------------------------------------------
 */

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : HP_NULL_SCORE;
}

static bool is_worth(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  if (f->chunks < least_chunks[f->rule])
    return false;
  if (f->rule == HP_RULE_overrun || f->rule == HP_RULE_lost)
    return true;
  if (f->rule == HP_RULE_false_sharing)
    return v->writes >= HP_WORTH_WRITES;
  if (f->rule == HP_RULE_freed_elsewhere)
    return f->share_of_allocations >= HP_WORTH_SHARE;
  return (f->share_of_allocations >= HP_WORTH_SHARE &&
          f->saved_chunks >= least_chunks[HP_RULE_short_lived]) ||
         (f->share_of_peak >= HP_WORTH_SHARE &&
          f->saved_peak_bytes >= HP_WORTH_BYTES) ||
         (f->share_of_bytes >= HP_WORTH_SHARE &&
          f->saved_copied_bytes >= HP_WORTH_BYTES);
}

static double rank(const struct hp_finding *f) {
  double shares[] = {f->share_of_allocations, f->share_of_peak,
                     f->share_of_bytes};
  double total = 0;
  for (int i = 0; i < 3; i++)
    total += shares[i] > 0 ? shares[i] : 0;
  return total;
}

/* A bug comes first, whatever it costs; a leak of next to nothing does not come
   before what costs something. */
static int class_of(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  if (f->rule == HP_RULE_overrun)
    return 2;
  if (f->rule == HP_RULE_lost && f->share_of_peak < HP_WORTH_SHARE &&
      f->chunks < LEAK_CHUNKS)
    return 0;
  return f->certain;
}

static int compare(const void *left, const void *right) {
  const struct hp_verdict *a = left, *b = right;
  bool a_worth = is_worth(a), b_worth = is_worth(b);
  double a_rank = rank(&a->finding), b_rank = rank(&b->finding);
  if (a_worth != b_worth)
    return a_worth ? -1 : 1;
  if (class_of(a) != class_of(b))
    return class_of(a) > class_of(b) ? -1 : 1;
  if (a_rank < b_rank || a_rank > b_rank)
    return a_rank > b_rank ? -1 : 1;
  /* Any order will do, as long as it is always the same. */
  return a->ids[0] < b->ids[0] ? -1 : a->ids[0] > b->ids[0];
}

static int compare_ids(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static hp_status finish(struct hp_findings *all, struct hp_error *error) {
  const struct hp_global *g = all->global;
  for (size_t i = 0; i < all->count; i++) {
    struct hp_verdict *v = &all->verdicts[i];
    struct hp_finding *f = &v->finding;
    uint64_t chunks =
        f->rule == HP_RULE_freed_elsewhere ? f->chunks : f->saved_chunks;
    f->share_of_allocations = share(chunks, g->chunks);
    f->share_of_peak = share(f->saved_peak_bytes, g->peak_bytes);
    f->share_of_bytes = share(f->saved_copied_bytes, g->bytes);
    qsort(v->ids, f->point_count, sizeof *v->ids, compare_ids);
  }
  if (all->count)
    qsort(all->verdicts, all->count, sizeof *all->verdicts, compare);
  while (all->large < all->count && is_worth(&all->verdicts[all->large]))
    if (!hp_finding_describe(&all->verdicts[all->large++], &all->store))
      return hp_fail_memory(error);
  return HP_OK;
}

hp_status hp_findings_make(hp_findings **out, const hp_profile *profile,
                           const struct hp_point *const *points, size_t count,
                           struct hp_error *error) {
  *out = NULL;
  struct hp_findings *all = calloc(1, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  all->global = hp_profile_global(profile);
  hp_status status = HP_OK;
  for (size_t i = 0; i < count && status == HP_OK; i++)
    if (!hp_passages_add(&all->passages, points[i], hp_origin_depth(points[i]),
                         &all->store))
      status = hp_fail_memory(error);
  for (size_t i = 0; i < count && status == HP_OK; i++)
    status = judge(all, points[i], error);
  if (status == HP_OK)
    status = finish(all, error);
  if (status != HP_OK) {
    hp_findings_free(all);
    return status;
  }
  *out = all;
  return HP_OK;
}

void hp_findings_free(hp_findings *findings) {
  if (!findings)
    return;
  for (size_t i = 0; i < findings->count; i++)
    free(findings->verdicts[i].ids);
  free(findings->verdicts);
  HASH_CLEAR(hh, findings->known);
  hp_passages_free(&findings->passages);
  hp_store_free(&findings->store);
  free(findings);
}

const struct hp_frame *hp_finding_place(const hp_findings *findings,
                                        const struct hp_point *p) {
  size_t depth = hp_origin_place(p, &findings->passages);
  return depth < p->stack_count ? p->stack[depth] : p->site;
}

size_t hp_finding_count(const hp_findings *findings) { return findings->large; }

const struct hp_finding *hp_finding_at(const hp_findings *findings, size_t i) {
  return i < findings->large ? &findings->verdicts[i].finding : NULL;
}

size_t hp_finding_small_count(const hp_findings *findings) {
  return findings->count - findings->large;
}
