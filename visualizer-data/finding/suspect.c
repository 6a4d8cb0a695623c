/* suspect.c - see suspect.h: numbers of a point that several rules need.
   Names of containers are those that container.c made short.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/suspect.h"

#include <string.h>

#include "base/saturate.h"
#include "measure/malloc_memory.h"
#include "measure/paged_peak.h"
#include "profile/freed.h"
#include "profile/place.h"
#include "profile/wrapper_name.h"
#include "resolve/enlarging.h"
#include "resolve/frame_role.h"
#include "resolve/type_symbol.h"

#define GENERATIONS 8u /* so often the point's peak is allocated */
#define FEW_ALONE 8u   /* one of so many chunks */

uint64_t hp_at_peak(const struct hp_point *p, uint64_t bytes) {
  return hp_paged_share(p->peak_touched_bytes, bytes, p->bytes);
}

#define FEW_OTHERS 8u /* one of so many chunks */

/* Mean time that the HELD chunks of P were in use for, at least; 0: not known.  What was
   used for a share of its life was used for no less until the last use of it, and from the
   first one on.  Chunks that are not HELD were used for no more than all of their lives. */
static double held_use_ns(const struct hp_point *p,
                          const struct hp_inference_value *held) {
  double used = p->scores.useful_lifetime - p->scores.useful_lifetime_error;
  if (held->chunks < p->chunks - p->chunks / FEW_OTHERS) {
    const double share = (double)held->chunks / (double)p->chunks;
    used = share > 0 ? (used - (1 - share)) / share : 0;
  }
  return p->accesses_known && used > 0 ? used * p->lived_ns : 0;
}

static double end_of(const struct hp_point *p) {
  return (double)(p->live_chunks ? p->window_ns : p->last_ns);
}

bool hp_is_needed_at_peak(const struct hp_point *p,
                          const struct hp_inference_value *held, bool early) {
  const double use_ns = held_use_ns(p, held);
  if (!p->process || use_ns <= 0)
    return false;
  const double peak = (double)p->process->peak_ns;
  return early ? end_of(p) - use_ns < peak
               : (double)p->first_ns + use_ns > peak;
}

/* The most bytes that PROCESS had live until TURN, or EARLY from then on. */
static uint64_t most_live(const struct hp_process *process, double turn,
                          bool early) {
  uint64_t most = 0;
  for (size_t i = 0; i < process->interval_count; i++) {
    const struct hp_interval *at = &process->intervals[i];
    const bool counts =
        early ? (double)at->begin_ns >= turn : (double)at->end_ns <= turn;
    if (counts && at->bytes_max > most)
      most = at->bytes_max;
  }
  return most;
}

/* Of P's chunks those that are in use at one time, if they begin or end evenly. */
static double share_in_use(const struct hp_point *p, double use_ns,
                           double spread_ns) {
  return p->chunks > 1 && spread_ns > 0 ? use_ns / (use_ns + spread_ns) : 1;
}

uint64_t hp_peak_above_held(const struct hp_point *p,
                            const struct hp_inference_value *held, bool early) {
  if (!p->process ||
      p->chunks_at_global_peak < p->chunks - p->chunks / FEW_OTHERS)
    return UINT64_MAX;
  const double use_ns = held_use_ns(p, held);
  const double begun = ((double)p->first_ns + (double)p->last_begun_ns) / 2;
  const double ended = begun + p->lived_ns;
  const double turn = early ? ended - use_ns : begun + use_ns;
  const double spread =
      2 * (early ? end_of(p) - ended : begun - (double)p->first_ns);
  const double idle = 1 - share_in_use(p, use_ns, spread);
  const uint64_t most = most_live(p->process, turn, early);
  const uint64_t own = (uint64_t)(idle * (double)p->bytes_at_global_peak);
  const uint64_t needed = most > own ? most - own : 0;
  return p->process->peak_bytes > needed ? p->process->peak_bytes - needed : 0;
}

uint64_t hp_unused_at_peak(const struct hp_point *p) {
  const uint64_t used =
      hp_paged_share(p->bytes_at_global_peak, p->bytes_accessed, p->bytes);
  return p->peak_touched_bytes > used ? p->peak_touched_bytes - used : 0;
}

/* Of what malloc takes at the peak that for chunks of 0 bytes, which no share of the
   bytes saves: as many of the live ones as of all. */
static uint64_t memory_of_empty(const struct hp_point *p) {
  const uint64_t live =
      hp_paged_share(p->chunks_at_global_peak,
                     p->inferences[HP_INF_zero_size].chunks, p->chunks);
  const uint64_t memory = hp_multiply(live, hp_malloc_size(0));
  return memory < p->peak_memory_bytes ? memory : p->peak_memory_bytes;
}

uint64_t hp_memory_of(const struct hp_point *p, uint64_t bytes) {
  return bytes > p->peak_touched_bytes
             ? bytes
             : hp_paged_share(p->peak_memory_bytes - memory_of_empty(p), bytes,
                              p->peak_touched_bytes);
}

uint64_t hp_memory_of_smaller(const struct hp_suspect *s,
                              const struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const uint64_t least = hp_multiply(p->chunks_at_global_peak, HP_MALLOC_LEAST);
  const uint64_t most =
      p->peak_memory_bytes > least ? p->peak_memory_bytes - least : 0;
  const uint64_t saved = v->finding.saved_peak_bytes;
  return saved < most ? saved : most;
}

#define PAGES_LEAST 8u /* chunks that others are like */

#define WATCHED_LEAST 4u /* chunks: fewer say nothing of others */

static uint64_t scaled(uint64_t part, uint64_t from, uint64_t to) {
  return from ? hp_clamp128((hp_u128)part * to / from) : 0;
}

bool hp_suspect_pages(const struct hp_suspect *s, bool sampled,
                      struct hp_page_evidence *evidence) {
  const struct hp_point *p = s->point;
  const struct hp_pages *few = &p->sampled_pages;
  *evidence = (struct hp_page_evidence){.pages = p->pages};
  if (p->accesses_known || !sampled)
    return !p->accesses_known && p->pages.chunks;
  if (few->chunks < PAGES_LEAST || p->pages.chunks > p->chunks ||
      p->pages.bytes > p->bytes)
    return false;
  const uint64_t chunks = p->chunks - p->pages.chunks;
  const uint64_t bytes = p->bytes - p->pages.bytes;
  evidence->looked_at = few->chunks;
  evidence->of = chunks;
  evidence->pages = (struct hp_pages){
      .chunks = chunks,
      .bytes = bytes,
      .touched = scaled(few->touched, few->bytes, bytes),
      .unused_chunks = scaled(few->unused_chunks, few->chunks, chunks),
      .unused_bytes = scaled(few->unused_bytes, few->bytes, bytes),
      .sparse_chunks = scaled(few->sparse_chunks, few->chunks, chunks),
      .sparse_bytes = scaled(few->sparse_bytes, few->bytes, bytes),
      .sparse_touched = scaled(few->sparse_touched, few->bytes, bytes)};
  return true;
}

void hp_verdict_by_pages(struct hp_verdict *v,
                         const struct hp_page_evidence *evidence) {
  v->finding.by_pages = true;
  v->finding.estimated |= evidence->looked_at != 0;
  v->looked.some = evidence->looked_at;
  v->looked.of = evidence->of;
}

#define OUTLIER_DIGITS                                                         \
  2u /* more than a size that most have: four times it, at least */

/* The digits of the size that most chunks of SIZES have. */
static unsigned usual_digits(const struct hp_histogram *sizes) {
  unsigned most = 0;
  for (unsigned i = 0; i < sizes->count; i++)
    if (sizes->counts[i] > sizes->counts[most])
      most = i;
  return most;
}

/* Far larger chunks of P, so few that none may be among the WATCHED: these do not speak for
   them, as the many small tables of a line not for one that has grown. */
static struct hp_inference_value outliers(const struct hp_point *p,
                                          uint64_t watched) {
  const struct hp_histogram *sizes = &p->sizes;
  struct hp_inference_value few = {0};
  for (unsigned i = sizes->count;
       i-- > usual_digits(sizes) + OUTLIER_DIGITS + 1;) {
    const uint64_t chunks = sizes->counts[i];
    const unsigned digits = sizes->lowest + i;
    const uint64_t largest =
        digits < 64 ? (UINT64_C(1) << digits) - 1 : UINT64_MAX;
    if (few.chunks + chunks > p->chunks / watched)
      break;
    few.chunks += chunks;
    few.bytes = hp_add(
        few.bytes,
        hp_multiply(chunks, largest < p->size.max ? largest : p->size.max));
  }
  return few;
}

bool hp_suspect_is_torn(const struct hp_suspect *s, uint64_t part,
                        struct hp_inference_value *shown) {
  const struct hp_point *p = s->point;
  const uint64_t watched = p->teardown.watched;
  if (s->origin.by_library || !hp_point_lives_long(p) || !watched ||
      part < watched - part || (watched < WATCHED_LEAST && watched < p->chunks))
    return false;
  const struct hp_inference_value few = outliers(p, watched);
  const uint64_t bytes = p->bytes > few.bytes ? p->bytes - few.bytes : 0;
  *shown = (struct hp_inference_value){
      .chunks = scaled(part, watched, p->chunks - few.chunks),
      .bytes = scaled(part, watched, bytes),
      .flagged = true};
  return true;
}

void hp_verdict_by_teardown(struct hp_verdict *v, const struct hp_suspect *s,
                            uint64_t part) {
  v->finding.certain = false;
  v->finding.estimated |= part < s->point->chunks;
  v->teardown.torn = part;
  v->teardown.watched = s->point->teardown.watched;
  v->teardown.taker = s->point->teardown.reader;
}

const char *hp_suspect_container(const struct hp_suspect *s) {
  return s->origin.is_node ? NULL : s->origin.container;
}

static bool is_adaptor(const struct hp_suspect *s) {
  const char *container = hp_suspect_container(s);
  return container && (strncmp(container, "std::stack<", 11) == 0 ||
                       strncmp(container, "std::queue<", 11) == 0 ||
                       strncmp(container, "std::deque<", 11) == 0);
}

bool hp_suspect_is_passed(const struct hp_suspect *s) {
  return is_adaptor(s) && !s->origin.constructs;
}

/* Its function is in the stack once, so that one call ends before the next begins. */
static bool is_called_once(const struct hp_point *p) {
  for (size_t i = hp_place_depth(p) + 1; i < p->stack_count; i++)
    if (hp_is_same_function(p->stack[i], p->place))
      return false;
  return true;
}

#define PAUSE_NS 5000.0 /* is more than what malloc and free take, and lasts */
#define PAUSE_SHARE 32u /* so many times as long as its chunk lives */

/* Between chunks there mostly is none.  What a function keeps to its next call lives for
   all of the time but for that which malloc and free take. */
static bool has_pauses(const struct hp_point *p) {
  if (!p->lifetime_ns.defined || p->chunks < 2)
    return false;
  const double lived = p->lifetime_ns.mean * (double)p->chunks;
  const double span = (double)(p->last_ns - p->first_ns);
  return span > lived * PAUSE_SHARE &&
         span - lived > PAUSE_NS * (double)p->chunks;
}

bool hp_point_is_freed_by_its_calls(const struct hp_point *p) {
  if (!p->freed_count || p->freed_chunks != p->chunks || p->live_chunks ||
      p->multithread_chunks || p->freed_elsewhere)
    return false;
  for (size_t i = 0; i < p->freed_count; i++)
    if (!p->freed[i].by_allocator &&
        !(p->freed[i].in_its_function && has_pauses(p)))
      return false;
  return true;
}

bool hp_point_is_gone_with_its_calls(const struct hp_point *p) {
  return p->place && hp_is_same_place(p->site, p->place) &&
         hp_point_is_freed_by_its_calls(p) && is_called_once(p);
}

bool hp_point_is_made_per_call(const struct hp_point *p) {
  const uint64_t threads = p->process ? p->process->threads : 1;
  return p->size.defined && hp_shows(p, HP_INF_short_lived) &&
         p->peak_bytes <= hp_multiply(p->size.max, threads) &&
         hp_point_is_gone_with_its_calls(p);
}

bool hp_suspect_follows_itself(const struct hp_suspect *s) {
  return hp_point_follows_itself(s->point) ||
         hp_point_is_made_per_call(s->point);
}

/* The lifetime score, without the groups of one chunk if few are in such: where the
   first chunk waits for a processor, it is a group by itself, whose 1 would count for
   as much as the group of all others. */
static double lifetime_of(const struct hp_point *p) {
  const uint64_t single = p->singleton_groups;
  if (single >= p->groups || single > p->chunks / FEW_ALONE)
    return p->scores.lifetime;
  const double sum = p->scores.lifetime * (double)p->groups;
  return (sum - (double)single) / (double)(p->groups - single);
}

/* Freed before their thread allocated anything else: one chunk would have done for
   all, however long the pauses between them are. */
static bool are_temporary(const struct hp_point *p) {
  return p->temporary_known &&
         p->temporary_chunks >= p->chunks - p->chunks / FEW_ALONE;
}

bool hp_point_follows_itself(const struct hp_point *p) {
  return p->peak_bytes <= p->bytes / GENERATIONS && p->scores.lifetime >= 0 &&
         (lifetime_of(p) < HP_LOW_LIFETIME || are_temporary(p)) &&
         hp_shows(p, HP_INF_short_lived);
}

uint64_t hp_outgrown_of(const struct hp_point *p) {
  uint64_t chunks = 0;
  for (size_t i = 0; i < p->freed_count; i++)
    if (!p->freed[i].reallocated &&
        hp_is_outgrown(p->freed[i].stack, p->freed[i].stack_count))
      chunks = hp_add(chunks, p->freed[i].chunks);
  return chunks < p->chunks ? chunks : p->chunks;
}

bool hp_are_mostly_outgrown(const struct hp_point *p) {
  const uint64_t outgrown = hp_outgrown_of(p);
  return outgrown && outgrown >= p->chunks - outgrown;
}

/* None of them goes with its container. */
bool hp_are_all_outgrown(const struct hp_point *p) {
  return hp_outgrown_of(p) >= p->chunks - p->chunks / 8;
}

/* They lived for longer, all in all, than all threads from the first to the last, or more
   than one of each thread stayed: not one after the other then, though most of them may. */
bool hp_point_overlaps(const struct hp_point *p) {
  const uint64_t threads =
      p->process && p->process->threads ? p->process->threads : 1;
  /* What grows has two while it copies the one to the other. */
  const double at_once =
      (double)threads *
      (1 + (p->chunks ? (double)hp_outgrown_of(p) / (double)p->chunks : 0));
  return p->lifetime_ns.defined &&
         (p->live_chunks > threads ||
          p->lifetime_ns.mean * (double)(p->chunks - p->live_chunks) >
              (double)(p->last_ns - p->first_ns) * at_once);
}

bool hp_point_has_several(const struct hp_point *p) {
  return p->process && !p->estimated && p->size.defined &&
         p->peak_bytes > hp_multiply(p->size.max, p->process->threads);
}

#define LONG_LIFE_NS 5e7 /* a chunk lives long: 50 ms, and */
#define LONG_LIFE 20u    /* 1/20 of the window, and */
#define LONG_WAITS 2     /* as many of the longest wait */

/* A program that waits for a processor is not idle: about as long stands the
   clock, whose ticker waits as its threads do. */
static double longest_wait_ns(const struct hp_point *p) {
  const struct hp_process *process = p->process;
  bool known = process && process->tick_max != UINT64_MAX;
  return known ? (double)process->tick_max / process->ticks_per_ns : 0;
}

/* In a run of some milliseconds a wait for the processor would be long. */
bool hp_point_lives_long(const struct hp_point *p) {
  return p->lifetime_ns.defined && p->lifetime_ns.mean >= LONG_LIFE_NS &&
         p->lifetime_ns.mean >= LONG_WAITS * longest_wait_ns(p) &&
         p->lifetime_ns.mean * LONG_LIFE >= (double)p->window_ns;
}

/* Records may have what no sizeof tells behind their end. */
bool hp_point_fits_type(const struct hp_point *p) {
  return !p->type || !p->element_size || !p->size.defined ||
         !hp_type_is_scalar(p->type) ||
         (p->size.min % p->element_size == 0 &&
          p->size.max % p->element_size == 0);
}

/* Where most chunks of the point were freed; sizes are listed apart. */
static void find_freer(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  for (size_t i = 0; i < p->freed_count; i++) {
    const struct hp_frame *by = p->freed[i].place;
    uint64_t chunks = 0;
    for (size_t k = i; k < p->freed_count; k++)
      if (hp_is_same_place(by, p->freed[k].place))
        chunks = hp_add(chunks, p->freed[k].chunks);
    if (chunks <= v->freed_chunks)
      continue;
    v->freed_chunks = chunks;
    v->finding.freed_by = by;
    if (chunks >= p->freed_chunks / 2)
      break;
  }
  /* What libc calls as the program ends frees global objects: nobody wrote it. */
  if (v->finding.freed_by && !hp_frame_is_of_program(v->finding.freed_by))
    v->finding.freed_by = NULL;
  v->freer = v->finding.freed_by;
  v->finding.freed_by_others = v->freed_chunks < p->freed_chunks;
  for (size_t i = 0; i < p->freed_count; i++)
    v->is_freer_of_some = v->is_freer_of_some || !p->freed[i].place_is_all;
}

/* Where POINT's stack has PLACE, or else another line of its function. */
static size_t depth_of(const struct hp_point *point,
                       const struct hp_frame *place) {
  const size_t depth = hp_frame_depth(point, place);
  size_t same = 0;
  if (depth < point->stack_count)
    return depth;
  while (same < point->stack_count &&
         !hp_is_same_function(point->stack[same], place))
    same++;
  return same;
}

/* Where a stripped program begins, which nothing names. */
static bool is_entry(const struct hp_point *p, size_t depth) {
  return depth + 1 == p->stack_count && !p->stack[depth]->function &&
         !hp_frame_is_of_program(p->stack[depth - 1]);
}

/* Its templates between a place of the program and who called them say little, in names of
   a thousand characters, and so do functions of an installed library that have no name.  One
   of a stripped program is a caller: else main would be said to call what it only leads to. */
static bool is_caller(const struct hp_point *p, size_t depth,
                      const struct hp_frame *place) {
  const struct hp_frame *f = p->stack[depth];
  const bool is_told = f->function || !(hp_frame_roles(f) & HP_ROLE_INSTALLED);
  return is_told && hp_frame_is_of_program(f) && !is_entry(p, depth) &&
         (!hp_frame_is_included(f) || hp_frame_is_included(place));
}

/* It says that it allocates, makes room or copies an object, which is no more than its
   caller asks of it; or is a template's, or a container's. */
static bool only_passes_on(const char *function) {
  const struct hp_member_name name = hp_member_parse(function);
  const struct hp_text_part bare = hp_bare_name(function);
  const char *template = strchr(function, '<');
  return hp_is_wrapper_name(bare) || hp_says_it_makes_room(function) ||
         hp_part_has(bare, "alloc") || hp_part_has(bare, "Alloc") ||
         hp_part_begins(bare, "operator new") || hp_member_copies(&name) ||
         hp_ends_as_container(name.scope) ||
         (template && template < function + strcspn(function, "("));
}

/* Inward of PLACE, which is P's, the innermost function of the program that does more;
   NULL: none. */
static const struct hp_frame *through_of(const struct hp_point *p,
                                         const struct hp_frame *place) {
  const size_t depth = hp_place_depth(p);
  if (depth == p->stack_count || p->stack[depth] != place)
    return NULL;
  for (size_t i = 0; i < depth; i++) {
    const struct hp_frame *f = p->stack[i];
    if (f->function && f->file && hp_frame_is_of_program(f) &&
        !hp_frame_is_included(f) && !only_passes_on(f->function))
      return hp_is_same_function(f, place) ? NULL : f;
  }
  return NULL;
}

void hp_verdict_put_at(struct hp_verdict *v, const struct hp_suspect *s,
                       const struct hp_frame *place) {
  const struct hp_point *p = s->point;
  struct hp_finding *f = &v->finding;
  f->place = place;
  f->caller_count = 0;
  for (size_t i = depth_of(p, place) + 1;
       i < p->stack_count && f->caller_count < HP_FINDING_CALLERS; i++)
    if (is_caller(p, i, place))
      f->callers[f->caller_count++] = p->stack[i];
  v->caller_chunks =
      f->caller_count ? p->chunks : 0; /* another stack may know */
  f->through = through_of(p, place);
  v->through_chunks = f->through ? p->chunks : 0;
}

static struct hp_container_use container_use_of(const struct hp_suspect *s) {
  const char *container = hp_suspect_container(s);
  return (struct hp_container_use){
      .is_adaptor = is_adaptor(s),
      .is_stream = container && strstr(container, "stringbuf"),
      .is_passed = hp_suspect_is_passed(s),
      .in_vain = s->origin.is_node && hp_origin_is_emplaced_in_vain(s->point),
      .is_copy = s->origin.container && s->origin.copies};
}

static struct hp_whole whole_of(const struct hp_point *p) {
  return (struct hp_whole){.size_min = p->size.defined ? p->size.min : 0,
                           .size_max = p->size.defined ? p->size.max : 0,
                           .chunks = p->chunks,
                           .bytes = p->bytes,
                           .writes = p->writes,
                           .accessed = p->bytes_accessed};
}

static struct hp_lives lives_of(const struct hp_point *p) {
  struct hp_lives lives = {.staying_chunks = p->live_chunks};
  hp_life_spans_of(&lives.spans, p);
  if (!p->lifetime_ns.defined)
    return lives;
  lives.lived_chunks = p->chunks - p->live_chunks;
  lives.lived_ns = p->lifetime_ns.mean * (double)lives.lived_chunks;
  if (hp_point_overlaps(p) || hp_point_has_several(p))
    lives.overlapping_ns = lives.lived_ns;
  return lives;
}

struct hp_verdict hp_verdict_of(const struct hp_suspect *s, bool certain) {
  const struct hp_point *p = s->point;
  const char *container = hp_suspect_container(s);
  struct hp_verdict v = {
      .finding = {.certain = certain,
                  .estimated = p->samples != 0,
                  .subject = container ? container : s->type},
      .origin = s->origin,
      .is_cxx = container != NULL,
      .use = container_use_of(s),
      .copied.what = s->origin.copied,
      .whole = whole_of(p),
      .lives = lives_of(p)};
  if (s->origin
          .container) /* it is the program's own, whoever allocates for it */
    v.origin.by_library = false;
  hp_verdict_put_at(&v, s, s->origin.place);
  find_freer(s, &v);
  return v;
}

struct hp_verdict hp_verdict_of_all(const struct hp_suspect *s) {
  struct hp_verdict v = hp_verdict_of(s, false);
  v.finding.chunks = v.finding.saved_chunks = s->chunks;
  v.finding.bytes = s->point->bytes;
  return v;
}
