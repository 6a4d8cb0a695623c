/* library_object.c - see library_object.h: by names of functions that the place called.
   The chunk that lives longest of an object is there as often as that.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/library_object.h"

#include <math.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/saturate.h"
#include "finding/finding_words.h"
#include "profile/wrapper_name.h"

#define TIMES 8u /* so often all were gone: made again and again */

/* ---- which ----------------------------------------------------------------- */

/* Takes the memory of what is thrown. */
static bool makes_exception(const char *function) {
  static const char maker[] = "__cxa_allocate_exception";
  return strncmp(function, maker, sizeof maker - 1) == 0;
}

/* Classes of exceptions that have a text. */
static bool has_reason(struct hp_text_part scope) {
  static const char *const classes[] = {"logic_error", "runtime_error",
                                        "out_of_range", "invalid_argument"};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (hp_part_has(scope, classes[i]))
      return true;
  return hp_part_ends(scope, "_error");
}

static enum hp_standard_object of_function(const char *function) {
  if (makes_exception(function))
    return HP_OBJECT_EXCEPTION;
  const struct hp_member_name name = hp_member_parse(function);
  const struct hp_text_part member = hp_bare_name(function);
  if (!hp_part_begins(name.scope, "std"))
    return HP_OBJECT_NONE;
  if (hp_part_has(name.scope, "::basic_regex<"))
    return HP_OBJECT_REGEX;
  if (hp_part_is(member, "regex_match") || hp_part_is(member, "regex_search") ||
      hp_part_is(member, "regex_replace") ||
      hp_part_has(name.scope, "::regex_iterator<") ||
      hp_part_has(name.scope, "::regex_token_iterator<"))
    return HP_OBJECT_MATCH;
  if (hp_part_is(name.scope, "std::locale") ||
      hp_part_is(name.scope, "std::__1::locale"))
    return HP_OBJECT_LOCALE;
  if (hp_part_has(name.scope, "::num_get<"))
    return HP_OBJECT_NUMBER;
  if (hp_part_is(member, "basic_istringstream"))
    return HP_OBJECT_STREAM;
  if (hp_part_is(name.scope, "std::thread") ||
      hp_part_is(name.scope, "std::__1::thread") ||
      hp_part_is(name.scope, "std::jthread") || hp_part_is(member, "async"))
    return HP_OBJECT_THREAD;
  if (has_reason(name.scope))
    return HP_OBJECT_EXCEPTION;
  return HP_OBJECT_NONE;
}

enum hp_standard_object hp_object_of(const struct hp_point *point) {
  enum hp_standard_object object = HP_OBJECT_NONE;
  for (size_t i = hp_place_innermost(point); !object && i-- > 0;)
    if (i < point->stack_count && point->stack[i]->function)
      object = of_function(point->stack[i]->function);
  return object;
}

/* ---- how often ------------------------------------------------------------- */

struct object_key {
  const void *function;
  uint64_t line, object;
};

/* Chunks of one kind inside the object, whoever called its place. */
struct kind {
  struct kind *next;
  uint64_t way; /* through the library */
  double rank;
  struct hp_object_use use;
};

struct hp_object_entry {
  UT_hash_handle hh;
  struct object_key key;
  struct kind *kinds;
};

/* Functions are the same text if they are the same (heapprof.h). */
static uint64_t way_of(const struct hp_point *point) {
  uint64_t way = 14695981039346656037u;
  for (size_t i = 0; i < hp_place_innermost(point); i++) {
    way = (way ^ (uintptr_t)point->stack[i]->function) * 1099511628211u;
    way = (way ^ point->stack[i]->line) * 1099511628211u;
  }
  return way;
}

static struct hp_object_entry *find(const struct hp_object_uses *all,
                                    const struct hp_point *point,
                                    struct object_key *key) {
  struct hp_object_entry *found;
  *key = (struct object_key){.function = point->place->function,
                             .line = point->place->line ? point->place->line
                                                        : point->place->address,
                             .object = (uint64_t)hp_object_of(point)};
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
  HASH_FIND(hh, all->hash, key, sizeof *key, found);
  return found;
}

/* The longer it lives, the better it says how often there is one.  What libc keeps for
   threads to come says nothing of them. */
static double rank_of(const struct hp_point *point) {
  const char *innermost = point->stack[0]->function;
  if (hp_object_of(point) == HP_OBJECT_EXCEPTION && innermost &&
      !makes_exception(innermost))
    return -1; /* its text, which a constructor may make that throws nothing */
  if (hp_object_of(point) == HP_OBJECT_THREAD)
    return (double)point->generations;
  return point->lifetime_ns.defined && !point->live_chunks
             ? point->lifetime_ns.mean
             : INFINITY;
}

/* The entry of POINT's place; a new one if there was none, NULL without memory. */
static struct hp_object_entry *entry_of(struct hp_object_uses *all,
                                        const struct hp_point *point,
                                        struct hp_store *store) {
  struct object_key key;
  struct hp_object_entry *entry = find(all, point, &key);
  bool failed = false;
  if (entry || !(entry = hp_store_take(store, 1, sizeof *entry)))
    return entry;
  *entry = (struct hp_object_entry){.key = key};
  HASH_ADD(hh, all->hash, key, sizeof entry->key, entry);
  return failed ? NULL : entry;
}

bool hp_object_uses_add(struct hp_object_uses *all,
                        const struct hp_point *point, struct hp_store *store) {
  if (!point->place || !hp_object_of(point))
    return true;
  struct hp_object_entry *entry = entry_of(all, point, store);
  const uint64_t way = way_of(point);
  struct kind *kind = entry ? entry->kinds : NULL;
  while (kind && kind->way != way)
    kind = kind->next;
  if (!entry || (!kind && !(kind = hp_store_take(store, 1, sizeof *kind))))
    return false;
  if (kind->way != way) {
    *kind = (struct kind){.next = entry->kinds, .way = way};
    entry->kinds = kind;
  }
  const double rank = rank_of(point);
  kind->rank = rank > kind->rank ? rank : kind->rank;
  kind->use.made = hp_add(kind->use.made, point->chunks);
  if (point->generations > kind->use.times)
    kind->use.times = point->generations;
  return true;
}

struct hp_object_use hp_object_uses_find(const struct hp_object_uses *all,
                                         const struct hp_point *point) {
  struct object_key key;
  const struct hp_object_entry *entry =
      point->place ? find(all, point, &key) : NULL;
  const struct kind *best = entry ? entry->kinds : NULL;
  for (const struct kind *k = best; k; k = k->next)
    if (k->rank > best->rank)
      best = k;
  return best && best->rank >= 0 ? best->use : (struct hp_object_use){0};
}

void hp_object_uses_free(struct hp_object_uses *all) {
  HASH_CLEAR(hh, all->hash);
}

/* ---- the rule -------------------------------------------------------------- */

static const struct {
  const char *name, *does, *remedy;
} objects[] = {
    [HP_OBJECT_REGEX] = {"std::regex", "makes a std::regex anew each time",
                         "Make it once: a static const or a member, or outside "
                         "of the loop."},
    [HP_OBJECT_MATCH] =
        {"std::match_results", "matches by a std::regex, which allocates",
         "Give it a std::smatch or std::cmatch that is kept; what else it "
         "allocates another way to match saves, such as a few comparisons by "
         "hand."},
    [HP_OBJECT_LOCALE] = {"std::locale", "makes a std::locale anew each time",
                          "Make it once, and hand on copies, which share it."},
    [HP_OBJECT_STREAM] =
        {"std::istringstream", "makes a std::istringstream anew each time",
         "Keep one, and give it each text by clear() and str(); or read "
         "numbers by std::from_chars or strtol, which take none."},
    [HP_OBJECT_NUMBER] = {"std::istream",
                          "reads numbers from a stream, which allocates for "
                          "each",
                          "Read them by std::from_chars or strtod, which take "
                          "none."},
    [HP_OBJECT_THREAD] = {"std::thread", "starts threads again and again",
                          "Start them once, and give them work through a "
                          "queue."},
    [HP_OBJECT_EXCEPTION] = {"exception", "makes exceptions again and again",
                             "Where that is no rare failure, return it: a "
                             "bool, an error code or a std::optional takes no "
                             "memory."}};

bool hp_is_object_per_call(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->object || s->object_use.times < TIMES || s->origin.copied)
    return false;
  *v = hp_verdict_of_all(s);
  v->object = s->object;
  v->objects = s->object_use.made;
  v->finding.subject = objects[s->object].name;
  return true;
}

void hp_put_object_per_call(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  fprintf(out, " %s", objects[v->object].does);
  if (v->objects && v->object != HP_OBJECT_MATCH &&
      v->object != HP_OBJECT_NUMBER)
    fprintf(out, ", %s in all", hp_told_count(&v->finding, v->objects).s);
  if (v->objects && v->finding.chunks / v->objects > 1)
    fprintf(out,
            v->object == HP_OBJECT_MATCH ? ", %s times for each match"
                                         : ", of %s allocations each",
            hp_told_count(&v->finding, v->finding.chunks / v->objects).s);
}

void hp_put_object_per_call_remedy(FILE *out, const struct hp_verdict *v) {
  fputs(objects[v->object].remedy, out);
}

bool hp_is_inside_object(const struct hp_suspect *s) {
  return s->object == HP_OBJECT_REGEX || s->object == HP_OBJECT_MATCH ||
         s->object == HP_OBJECT_LOCALE || s->object == HP_OBJECT_NUMBER;
}
