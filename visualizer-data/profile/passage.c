/* passage.c - counts callers and types of each call, as far as it matters.
   Types count of points whose type a wrapper's caller said, or nobody.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/passage.h"

#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "profile/freed.h"
#include "profile/wrapper_name.h"
#include "resolve/frame_role.h"
#include "resolve/site.h"
#include "resolve/type_symbol.h"
#include "text/member_name.h"

#define HP_CALLERS 4u /* places that make a passage, */
#define HP_NAMED 2u   /* places, if it is called so */
#define HP_TYPES 3u   /* or types */
#define HP_DEEP 6u    /* functions that a way leads through */
#define HP_SHARED 2u  /* places that share a member which keeps room */

/* Functions are the same text if they are the same (heapprof.h). */
struct caller {
  const char *function;
  uint64_t line;
};

/* A line that calls one function, such as f(strdup(text)), may call others. */
struct call {
  const char *function;
  uint64_t line;
  const char *callee; /* NULL: whoever that is */
};

/* A function that makes several allocations calls each from a line of its
   own; only what one line is called for tells a wrapper. */
struct hp_passage {
  UT_hash_handle hh;
  size_t caller_count, type_count, any_count;
  struct caller callers[HP_CALLERS];
  struct caller any[HP_SHARED];     /* callers for whatever type */
  const char *types[HP_TYPES];      /* by one callee */
  uint64_t size_min, size_max;      /* of arrays, in bytes; 0: none */
  bool makes_records, calls_itself; /* of a function, whatever the line; */
  bool serves;                      /* some line of it is for several types */
  /* Of records: some size is no multiple of one's, or no power of two. */
  bool is_cut, is_uneven;
  /* Of what has no type, or bytes: the sizes, and whether some is no power of two. */
  uint64_t asked_min, asked_max; /* 0: none */
  bool asked_uneven;
  struct call key;
};

#define HP_ANY_LINE UINT64_MAX /* in the key of what is said of a function */
static const char itself[] =
    ""; /* in that of what a line asks the allocator for */

/* Bytes are as good as no type: a strndup knows no more of them. */
static bool takes_part(const struct hp_point *point) {
  return !point->type || point->element_size == 1 ||
         (point->type_provenance &&
          strcmp(point->type_provenance, "wrapper") == 0);
}

static bool same(const struct caller *a, const struct caller *b) {
  return a->line == b->line && a->function == b->function;
}

static void add_to(struct caller *callers, size_t *count, size_t most,
                   const struct hp_frame *f) {
  struct caller caller = {f->function, f->line};
  for (size_t i = 0; i < *count; i++)
    if (same(&callers[i], &caller))
      return;
  if (*count < most)
    callers[(*count)++] = caller;
}

static void add_caller(struct hp_passage *passage, const struct hp_frame *f) {
  add_to(passage->callers, &passage->caller_count, HP_CALLERS, f);
}

static void add_type(struct hp_passage *passage, const char *type) {
  for (size_t i = 0; i < passage->type_count; i++)
    if (strcmp(passage->types[i], type) == 0)
      return;
  if (passage->type_count < HP_TYPES)
    passage->types[passage->type_count++] = type;
}

/* The passage that calls as FUNCTION does at LINE; NULL: there is none. */
static struct hp_passage *find_call(const struct hp_passages *passages,
                                    struct call key) {
  struct hp_passage *found;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
  HASH_FIND(hh, passages->functions, &key, sizeof key, found);
  return found;
}

static struct hp_passage *find_at(const struct hp_passages *passages,
                                  const char *function, uint64_t line) {
  return find_call(passages, (struct call){function, line, NULL});
}

static struct hp_passage *find(const struct hp_passages *passages,
                               const struct hp_frame *f) {
  return find_at(passages, f->function, f->line);
}

/* One more; NULL without memory. */
static struct hp_passage *add_call(struct hp_passages *passages,
                                   struct call key, struct hp_store *store) {
  struct hp_passage *more = hp_store_take(store, 1, sizeof *more);
  bool failed = false;
  if (!more)
    return NULL;
  more->key = key;
  HASH_ADD(hh, passages->functions, key, sizeof more->key, more);
  return failed ? NULL : more;
}

static struct hp_passage *add_at(struct hp_passages *passages,
                                 const char *function, uint64_t line,
                                 struct hp_store *store) {
  return add_call(passages, (struct call){function, line, NULL}, store);
}

static struct hp_passage *add(struct hp_passages *passages,
                              const struct hp_frame *f,
                              struct hp_store *store) {
  return add_at(passages, f->function, f->line, store);
}

/* What the frame AT of POINT's stack, whose innermost is DEPTH, calls there. */
static struct call call_of(const struct hp_point *point, size_t depth,
                           size_t at) {
  const struct hp_frame *f = point->stack[at];
  return (struct call){f->function, f->line,
                       at > depth ? point->stack[at - 1]->function : itself};
}

/* What is said of that call; NULL without memory. */
static struct hp_passage *said_of(struct hp_passages *passages,
                                  const struct hp_point *point, size_t depth,
                                  size_t at, struct hp_store *store) {
  const struct call call = call_of(point, depth, at);
  struct hp_passage *said = find_call(passages, call);
  return said ? said : add_call(passages, call, store);
}

/* That there is one.  False without memory. */
static bool add_call_of(struct hp_passages *passages,
                        const struct hp_point *point, size_t depth, size_t at,
                        struct hp_store *store) {
  return at >= point->stack_count || !point->stack[at]->function ||
         !point->stack[at - 1]->function ||
         said_of(passages, point, depth, at, store);
}

static size_t types_by(const struct hp_passages *passages,
                       const struct hp_point *point, size_t depth, size_t at) {
  const struct call call = call_of(point, depth, at);
  const struct hp_passage *types =
      call.callee ? find_call(passages, call) : NULL;
  return types ? types->type_count : 0;
}

/* ---- records ahead of what was asked for ---------------------------------- */

static bool is_record(const struct hp_point *point) {
  return point->type && point->element_size > 1 &&
         !hp_type_is_scalar(point->type);
}

static void add_size(struct hp_passage *passage, const struct hp_point *point,
                     uint64_t bytes) {
  passage->is_cut |= bytes % point->element_size != 0;
  passage->is_uneven |= (bytes & (bytes - 1)) != 0;
}

/* The line AT of the stack makes records with as many bytes behind them as it was asked
   for; a block of a pool, which belongs to nobody who asked, is a power of two. */
static bool is_headed(const struct hp_passages *passages,
                      const struct hp_point *point, size_t at) {
  const struct hp_passage *passage =
      is_record(point) && at < point->stack_count && point->stack[at]->function
          ? find(passages, point->stack[at])
          : NULL;
  return passage && passage->is_cut && passage->is_uneven;
}

/* ---- arrays -------------------------------------------------------------- */

/* Of numbers or pointers: as long as whoever asks for one says. */
static bool is_array(const struct hp_point *point) {
  return point->type && point->element_size > 1 && point->size.defined &&
         hp_type_is_scalar(point->type);
}

static void add_array(struct hp_passage *passage,
                      const struct hp_point *point) {
  if (!passage->size_max || point->size.min < passage->size_min)
    passage->size_min = point->size.min;
  if (point->size.max > passage->size_max)
    passage->size_max = point->size.max;
}

/* ---- bytes --------------------------------------------------------------- */

static void add_asked(struct hp_passage *passage,
                      const struct hp_point *point) {
  const uint64_t min = point->size.min, max = point->size.max;
  if (!passage->asked_min || min < passage->asked_min)
    passage->asked_min = min;
  if (max > passage->asked_max)
    passage->asked_max = max;
  passage->asked_uneven |= (min & (min - 1)) != 0 || (max & (max - 1)) != 0;
}

/* The frame AT of the stack is a line that makes room by its name, also of C++ where
   it is told a size and nothing else, whatever that is: blocks of a pool are of one
   size, or of powers of two. */
static bool makes_room(const struct hp_passages *passages,
                       const struct hp_point *point, size_t at) {
  const char *function = point->stack[at]->function;
  if (hp_says_it_makes_room(function))
    return true;
  const struct hp_passage *passage = find(passages, point->stack[at]);
  return passage && passage->asked_uneven &&
         passage->asked_min < passage->asked_max &&
         hp_is_size_allocator_name(function) &&
         !hp_is_same_scope(function, point->stack[at + 1]->function);
}

/* What is said of FUNCTION; NULL without memory. */
static struct hp_passage *whole(struct hp_passages *passages,
                                const char *function, struct hp_store *store) {
  struct hp_passage *all = find_at(passages, function, HP_ANY_LINE);
  return all ? all : add_at(passages, function, HP_ANY_LINE, store);
}

/* False without memory. */
static bool add_type_of(struct hp_passages *passages,
                        const struct hp_point *point, size_t depth, size_t at,
                        struct hp_store *store) {
  struct hp_passage *types = said_of(passages, point, depth, at, store),
                    *all = whole(passages, point->stack[at]->function, store);
  if (!types || !all)
    return false;
  add_type(types, point->type);
  all->serves |= types->type_count > 1;
  return true;
}

/* Each line of the function AT knows its type, and who calls is for all: no xalloc. */
static bool knows_types(const struct hp_passages *passages,
                        const struct hp_point *point, size_t depth, size_t at) {
  const struct hp_passage *all =
      find_at(passages, point->stack[at]->function, HP_ANY_LINE);
  return types_by(passages, point, depth, at) == 1 && !(all && all->serves) &&
         types_by(passages, point, depth, at + 1) > 1;
}

/* False without memory. */
static bool add_record(struct hp_passages *passages, const char *function,
                       struct hp_store *store) {
  struct hp_passage *all = whole(passages, function, store);
  if (all)
    all->makes_records = true;
  return all;
}

/* ---- functions that call themselves -------------------------------------- */

/* The function at AT of the stack is called by itself, if by others in between. */
static bool calls_itself(const struct hp_point *point, size_t at) {
  for (size_t i = at + 1; i < point->stack_count; i++)
    if (point->stack[i]->function == point->stack[at]->function)
      return true;
  return false;
}

/* False without memory. */
static bool add_caller_of_itself(struct hp_passages *passages,
                                 const char *function, struct hp_store *store) {
  struct hp_passage *all = whole(passages, function, store);
  if (all)
    all->calls_itself = true;
  return all;
}

/* An AllocateFloatMtx(rows, columns), or a dmatrix(first, last, 1, columns), whose callers say how much; no alloc_table, of
   which the array is a part. */
static bool allocates_arrays(const struct hp_passages *passages,
                             const struct hp_point *point, size_t at) {
  if (!is_array(point) || at + 1 >= point->stack_count ||
      !point->stack[at]->function ||
      !hp_is_array_maker_name(point->stack[at]->function))
    return false;
  const struct hp_passage *passage = find(passages, point->stack[at]);
  const struct hp_passage *all =
      find_at(passages, point->stack[at]->function, HP_ANY_LINE);
  return passage && passage->any_count == HP_SHARED &&
         passage->size_min < passage->size_max && !(all && all->makes_records);
}

bool hp_passages_add(struct hp_passages *passages, const struct hp_point *point,
                     size_t depth, struct hp_store *store) {
  const bool bytes = point->element_size == 1;
  if (!add_call_of(passages, point, depth, depth + 1, store))
    return false;
  for (size_t i = depth; i + 1 < point->stack_count && i < depth + HP_DEEP &&
                         point->stack[i]->function;
       i++) {
    struct hp_passage *passage = find(passages, point->stack[i]);
    if (!passage && !(passage = add(passages, point->stack[i], store)))
      return false;
    add_to(passage->any, &passage->any_count, HP_SHARED, point->stack[i + 1]);
    if (calls_itself(point, i) &&
        !add_caller_of_itself(passages, point->stack[i]->function, store))
      return false;
    if (is_record(point) && point->size.defined) {
      add_size(passage, point, point->size.min);
      add_size(passage, point, point->size.max);
    }
    if (is_array(point))
      add_array(passage, point);
    else if (is_record(point) &&
             ((i == depth && !takes_part(point)) ||
              hp_is_array_maker_name(point->stack[i]->function)) &&
             !add_record(passages, point->stack[i]->function, store))
      return false;
    if (!takes_part(point))
      continue;
    add_caller(passage, point->stack[i + 1]);
    if (point->size.defined)
      add_asked(passage, point);
    if (point->type && !bytes && !add_type_of(passages, point, depth, i, store))
      return false;
  }
  return true;
}

bool hp_passages_calls(const struct hp_passages *passages,
                       const struct hp_frame *f,
                       const struct hp_frame *callee) {
  return f->function && callee->function &&
         find_call(passages,
                   (struct call){f->function, f->line, callee->function});
}

bool hp_passages_is_shared(const struct hp_passages *passages,
                           const struct hp_frame *f) {
  const struct hp_passage *passage = f->function ? find(passages, f) : NULL;
  return passage && passage->any_count == HP_SHARED;
}

/* What always asks for the same size itself, not by a container whose sizes are rounded,
   knows what it makes, whoever calls it, unless its name or its callers' types say that it
   serves them.  So does a job_new, which makes a record and beside it buffers: parts of
   that. */
static bool makes_its_own(const struct hp_passages *passages,
                          const struct hp_passage *passage, size_t types,
                          bool serves, const char *function) {
  if (passage->asked_min != passage->asked_max)
    return false;
  const struct hp_passage *all = find_at(passages, function, HP_ANY_LINE);
  return (all && all->makes_records) ||
         (!serves && types < 2 && passage->asked_min);
}

/* The first may be one by its callers alone, if it says so or is not a maker of one type
   behind an allocator's pointer, as a new_item.  One that calls it knows what it
   allocates if that is always the same: of two types, its callers say them. */
static bool passes_on(const struct hp_passage *passage, size_t types,
                      bool first, bool is_named, const struct hp_point *point) {
  size_t callers = is_named ? HP_NAMED : HP_CALLERS;
  first = first && (is_named || !is_record(point));
  return types == HP_TYPES ||
         (passage->caller_count >= callers &&
          (first || types > 1 || !point->type || point->element_size == 1));
}

/* One that calls itself and is not called as an allocator, as execute(node) of an
   interpreter, does more than pass memory on, however many its callers are. */
static bool is_at_work(const struct hp_passages *passages,
                       const char *function) {
  const struct hp_passage *all = find_at(passages, function, HP_ANY_LINE);
  return all && all->calls_itself && !hp_says_it_makes_room(function);
}

static bool is_passed(const struct hp_passages *passages,
                      const struct hp_point *point, size_t innermost, size_t at,
                      bool first) {
  const struct hp_passage *passage =
      at + 1 < point->stack_count && point->stack[at]->function
          ? find(passages, point->stack[at])
          : NULL;
  if (!passage)
    return false;
  const char *function = point->stack[at]->function;
  const size_t types = types_by(passages, point, innermost, at);
  const bool is_named = makes_room(passages, point, at);
  return passes_on(passage, types, first, is_named, point) &&
         !(first && makes_its_own(passages, passage, types, is_named || at > 0,
                                  function)) &&
         !is_at_work(passages, function);
}

/* Called by several, and by its name for memory. */
static bool allocates_for_others(const struct hp_passages *passages,
                                 const struct hp_point *point, size_t at) {
  return at + 1 < point->stack_count && point->stack[at]->function &&
         hp_says_it_makes_room(point->stack[at]->function) &&
         hp_passages_is_shared(passages, point->stack[at]);
}

size_t hp_passages_skip(const struct hp_passages *passages,
                        const struct hp_point *point, size_t innermost,
                        size_t depth) {
  size_t to = depth;
  const bool is_of_any = takes_part(point),
             headed = is_headed(passages, point, depth);
  while (to < depth + HP_DEEP) {
    if ((is_of_any && is_passed(passages, point, innermost, to, to == depth)) ||
        allocates_arrays(passages, point, to) ||
        (headed && allocates_for_others(passages, point, to)))
      to++;
    /* An xalloc that only a wrapper calls, at one line, is one, too. */
    else if (to + 1 < point->stack_count && point->stack[to]->function &&
             makes_room(passages, point, to) &&
             ((is_of_any &&
               is_passed(passages, point, innermost, to + 1, false) &&
               !knows_types(passages, point, innermost, to)) ||
              (headed && allocates_for_others(passages, point, to + 1))))
      to += 2;
    else
      break;
  }
  return to;
}

/* ---- frees --------------------------------------------------------------- */

static size_t site_of(const struct hp_freed *freed) {
  size_t at = 0;
  while (at < freed->stack_count && freed->stack[at] != freed->site)
    at++;
  return at;
}

bool hp_passages_add_free(struct hp_passages *passages,
                          const struct hp_freed *freed, const char *made,
                          struct hp_store *store) {
  const size_t depth = site_of(freed);
  for (size_t i = depth; i + 1 < freed->stack_count && i < depth + HP_DEEP &&
                         freed->stack[i]->function;
       i++) {
    struct hp_passage *passage = find(passages, freed->stack[i]);
    if (!passage && !(passage = add(passages, freed->stack[i], store)))
      return false;
    add_caller(passage, freed->stack[i + 1]);
    if (made)
      add_type(passage, made);
  }
  return true;
}

/* What fclose or a container frees, who called it frees. */
static size_t past_libraries(const struct hp_freed *freed, size_t depth) {
  const size_t to = hp_site_outside(freed->stack, freed->stack_count, depth);
  return to < freed->stack_count
             ? hp_site_past_nameless(freed->stack, freed->stack_count, to)
             : depth;
}

/* In WORD and perhaps a number: mem_free2. */
static bool ends_in(const char *function, const char *word) {
  const char *at = strcasestr(function, word);
  return at && !at[strlen(word) + strspn(at + strlen(word), "0123456789")];
}

/* A function of C that is called as libc's: xfree, jv_mem_free, qh_memfree, or free_dvector.  A
   list_free is none, which frees what a list has. */
static bool is_named_free(const char *function) {
  static const char *const names[] = {
#define HP_FREER(name) name,
#include "profile/plumbing.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(function, names[i]) == 0)
      return true;
  static const char vectors[] = "free_";
  if (strncmp(function, vectors, sizeof vectors - 1) == 0 &&
      hp_is_array_name(function + sizeof vectors - 1))
    return true;
  return !strchr(function, '(') &&
         (ends_in(function, "mem_free") || ends_in(function, "memfree"));
}

/* F is a line that frees for many, whom several call. */
static bool is_called_by_passage(const struct hp_passages *passages,
                                 const struct hp_frame *f) {
  const struct hp_passage *passage = f->function ? find(passages, f) : NULL;
  return passage && passage->type_count == HP_TYPES &&
         passage->caller_count >= HP_NAMED;
}

/* Of a container of the program's own by its name: who has it drops what it holds. */
static bool is_of_container(const char *function) {
  return hp_is_container_name(hp_member_parse(function).scope);
}

/* A class's operator delete, of which who destroys is the caller: a delete expression, or
   what ends a coroutine. */
static bool is_of_class(const char *function) {
  const struct hp_member_name name = hp_member_parse(function);
  return name.scope.length && hp_part_begins(name.member, "operator delete");
}

/* A line of a destructor frees what one or two places make.  An xrealloc frees what it
   moves, and so does libc inside an xasprintf. */
static bool passes_frees_on(const struct hp_passages *passages,
                            const struct hp_freed *freed, size_t at) {
  const struct hp_frame *f = freed->stack[at];
  if (!f->function)
    return false;
  if (is_named_free(f->function) ||
      hp_is_wrapper_name(hp_bare_name(f->function)) ||
      is_of_container(f->function) || is_of_class(f->function))
    return true;
  const struct hp_passage *passage = find(passages, f);
  if (!passage || passage->type_count < HP_TYPES)
    return false;
  /* One behind a pointer is called by a wrapper alone, at one line. */
  return passage->caller_count >= HP_NAMED ||
         (at + 1 < freed->stack_count &&
          is_called_by_passage(passages, freed->stack[at + 1]));
}

static bool is_among(const struct hp_frame *f,
                     const struct hp_frame *const *frames, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hp_is_same_function(frames[i], f))
      return true;
  return false;
}

/* Nobody drops what it has and makes it anew: its callers do neither.  What was passed
   over where the chunk was made, as an xalloc(p, n) that frees if n is 0, is here, too. */
static bool is_freer_for(const struct hp_passages *passages,
                         const struct hp_freed *freed, size_t at,
                         const struct hp_frame *const *stack, size_t count,
                         size_t place) {
  const struct hp_frame *f = freed->stack[at];
  if (hp_frame_is_included(f))
    return true; /* also one that called back for what it drops */
  return !is_among(f, stack + place, count - place) &&
         (is_among(f, stack, place) || passes_frees_on(passages, freed, at));
}

/* One frame outward of AT, and past what is no code of the program's. */
static size_t outward(const struct hp_freed *freed, size_t at) {
  do
    at++;
  while (at + 1 < freed->stack_count &&
         !hp_frame_is_of_program(freed->stack[at]));
  return at;
}

#define HP_NESTED 24u /* functions of an installed header, one in another */

static size_t most_of(const struct hp_freed *freed, size_t at) {
  return hp_frame_is_included(freed->stack[at]) ? HP_NESTED : HP_DEEP;
}

const struct hp_frame *hp_passages_freer(const struct hp_passages *passages,
                                         const struct hp_freed *freed,
                                         const struct hp_frame *const *stack,
                                         size_t count, size_t place,
                                         bool *sure) {
  const size_t depth = site_of(freed);
  size_t to = past_libraries(freed, depth);
  bool passes = false;
  while (to < freed->stack_count && to < depth + most_of(freed, to) &&
         freed->stack[to]->function &&
         (passes = is_freer_for(passages, freed, to, stack, count, place)) &&
         to + 1 < freed->stack_count)
    to = outward(freed, to);
  *sure = to == depth && !passes ? freed->site_is_all : freed->stack_is_all;
  return to == depth ? freed->site : freed->stack[to];
}

void hp_passages_free(struct hp_passages *passages) {
  HASH_CLEAR(hh, passages->functions);
}
