/* handed_over.c - see handed_over.h: copies and what is dropped meet by the line that
   calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/handed_over.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "finding/short_name.h"
#include "measure/paged_peak.h"
#include "profile/freed.h"
#include "profile/place.h"
#include "resolve/frame_role.h"
#include "text/member_name.h"

struct hp_handover {
  UT_hash_handle hh;
  uint64_t copies, copied_bytes, dropped;
  uint64_t dropped_bytes, dropped_most; /* between these two */
  char key[]; /* the class, and the line of the function that calls */
};

/* A function that calls such a one. */
struct hp_taker_call {
  UT_hash_handle hh;
  const char *function;
};

#define FEW 8u /* one of so many chunks may be others */
#define KEY_MOST 512u

static bool is_of_program(const struct hp_frame *frame) {
  return frame->function && hp_frame_is_of_program(frame) &&
         !hp_frame_is_included(frame);
}

/* ---- copies -------------------------------------------------------------- */

struct copy {
  struct hp_handed handed;
  const struct hp_frame *caller;
};

/* PARAMETER's class; *BY_REFERENCE: it is taken by &&, as "Row&&". */
static struct hp_text_part class_of(struct hp_text_part parameter,
                                    bool *by_reference) {
  if ((*by_reference = hp_part_ends(parameter, "&&")))
    parameter.length -= 2;
  return parameter;
}

/* Among the parameters of FUNCTION is one of the class SUBJECT, by value or
   *BY_REFERENCE; *FAILED: nobody knows. */
static bool takes_over(const char *function, const char *subject,
                       bool *by_reference, struct hp_store *store,
                       bool *failed) {
  const struct hp_text_part all = hp_member_parse(function).parameters;
  const char *end = all.begin + all.length, *begin = all.begin;
  int depth = 0;
  for (const char *at = begin; at <= end; at++) {
    if (at < end && (depth || *at != ',')) {
      depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
      continue;
    }
    struct hp_error error;
    const char *name;
    if (hp_short_name(&name, class_of(hp_part(begin, at), by_reference), store,
                      &error) != HP_OK) {
      *failed = true;
      return false;
    }
    if (strcmp(name, subject) == 0)
      return true;
    for (begin = at + 1; begin < end && *begin == ' ';)
      begin++;
  }
  return false;
}

/* Copies that a vector makes as it grows. */
static bool is_by_growth(const struct hp_point *point, size_t at) {
  for (size_t i = at; i < point->stack_count; i++)
    if (point->stack[i]->function &&
        strstr(point->stack[i]->function, "_move_if_noexcept"))
      return true;
  return false;
}

/* The outermost function in POINT's stack that copies; the stack's size if none does.
   Few names are worth to be taken apart. */
static size_t find_copying(const struct hp_point *point,
                           struct hp_member_name *name) {
  for (size_t i = point->stack_count; i-- > 0;) {
    const char *function = point->stack[i]->function;
    if (!function || !strstr(function, " const&)"))
      continue;
    *name = hp_member_parse(function);
    if (hp_member_copies(name))
      return is_by_growth(point, i) ? point->stack_count : i;
  }
  return point->stack_count;
}

/* The first function of the program outward of AT, but a container's. */
static size_t find_user(const struct hp_point *point, size_t at) {
  for (size_t i = at + 1; i < point->stack_count; i++) {
    const char *function = point->stack[i]->function;
    if (!is_of_program(point->stack[i]))
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (!hp_place_is_container(function, &name))
      return i;
  }
  return point->stack_count;
}

/* The first function of the program outward of TAKER that is another one. */
static size_t find_caller(const struct hp_point *point, size_t taker) {
  size_t caller = taker + 1;
  while (caller < point->stack_count &&
         (!is_of_program(point->stack[caller]) ||
          hp_is_same_function(point->stack[caller], point->stack[taker])))
    caller++;
  return caller;
}

/* No taker: POINT has no such copies.  False without memory. */
static bool find_copy(struct copy *copy, const struct hp_point *point,
                      struct hp_store *store) {
  struct hp_member_name name;
  struct hp_error error;
  bool failed = false;
  *copy = (struct copy){0};
  const size_t at = find_copying(point, &name);
  const size_t taker = find_user(point, at), caller = find_caller(point, taker);
  if (caller >= point->stack_count || !point->stack[caller]->line)
    return true;
  struct hp_handed *handed = &copy->handed;
  if (hp_short_name(&handed->subject, name.scope, store, &error) != HP_OK)
    return false;
  if (!takes_over(point->stack[taker]->function, handed->subject,
                  &handed->by_reference, store, &failed))
    return !failed;
  handed->taker = point->stack[taker];
  copy->caller = point->stack[caller];
  return true;
}

/* ---- where they meet ------------------------------------------------------ */

static struct hp_handover *find(const struct hp_handovers *all,
                                const char *subject,
                                const struct hp_frame *caller,
                                char key[KEY_MOST]) {
  struct hp_handover *found = NULL;
  snprintf(key, KEY_MOST, "%p %" PRIu32 " %s", (const void *)caller->function,
           caller->line, subject);
  HASH_FIND_STR(all->table, key, found);
  return found;
}

static bool add_call(struct hp_handovers *all, const char *function,
                     struct hp_store *store) {
  struct hp_taker_call *call = NULL;
  bool failed = false;
  HASH_FIND_PTR(all->calls, &function, call);
  if (call)
    return true;
  if (!(call = hp_store_take(store, 1, sizeof *call)))
    return false;
  call->function = function;
  HASH_ADD_PTR(all->calls, function, call);
  return !failed;
}

bool hp_handovers_add_copy(struct hp_handovers *all,
                           const struct hp_point *point,
                           struct hp_store *store) {
  struct copy copy;
  char key[KEY_MOST];
  if (!find_copy(&copy, point, store))
    return false;
  if (!copy.handed.taker)
    return true;
  struct hp_handover *to = find(all, copy.handed.subject, copy.caller, key);
  if (!to) {
    const size_t size = strlen(key) + 1;
    bool failed = false;
    if (!(to = hp_store_take(store, 1, sizeof *to + size)))
      return false;
    memcpy(to->key, key, size);
    HASH_ADD_STR(all->table, key, to);
    if (failed || !add_call(all, copy.caller->function, store))
      return false;
  }
  to->copies = hp_add(to->copies, point->chunks);
  to->copied_bytes = hp_add(to->copied_bytes, point->bytes);
  return true;
}

/* The caller that drops FREED's chunks with an object, or a container, *CLASS. */
static const struct hp_frame *dropped_by(const struct hp_freed *freed,
                                         struct hp_text_part *class) {
  class->length = 0;
  for (size_t i = 0; freed->has_stack && i < freed->stack_count; i++) {
    const char *function = freed->stack[i]->function;
    if (!function)
      continue;
    const struct hp_member_name name = strchr(function, '~')
                                           ? hp_member_parse(function)
                                           : (struct hp_member_name){0};
    if (name.member.length && *name.member.begin == '~')
      *class = name.scope;
    else if (is_of_program(freed->stack[i]))
      return class->length ? freed->stack[i] : NULL;
  }
  return NULL;
}

static bool calls_taker(const struct hp_handovers *all,
                        const struct hp_frame *caller) {
  struct hp_taker_call *call = NULL;
  HASH_FIND_PTR(all->calls, &caller->function, call);
  return call;
}

/* Where FREED's chunks are dropped with what is copied; *FOUND is NULL if they are not.
   False without memory. */
static bool find_dropped(struct hp_handover **found,
                         const struct hp_handovers *all,
                         const struct hp_freed *freed, struct hp_store *store) {
  struct hp_text_part class;
  struct hp_error error;
  const char *subject;
  char key[KEY_MOST];
  *found = NULL;
  const struct hp_frame *caller = dropped_by(freed, &class);
  if (!caller || !calls_taker(all, caller))
    return true;
  if (hp_short_name(&subject, class, store, &error) != HP_OK)
    return false;
  *found = find(all, subject, caller, key);
  return true;
}

bool hp_handovers_add_dropped(struct hp_handovers *all,
                              const struct hp_point *point,
                              struct hp_store *store) {
  for (size_t i = 0; all->table && i < point->freed_count; i++) {
    const uint64_t chunks = point->freed[i].chunks;
    struct hp_handover *to;
    if (!find_dropped(&to, all, &point->freed[i], store))
      return false;
    if (!to)
      continue;
    to->dropped = hp_add(to->dropped, chunks);
    const uint64_t share = hp_paged_share(point->bytes, chunks, point->chunks);
    to->dropped_bytes = hp_add(to->dropped_bytes, share);
    to->dropped_most = hp_add(to->dropped_most,
                              point->grown.chunks /* the last is the largest */
                                  ? hp_multiply(chunks, point->size.max)
                                  : share);
  }
  return true;
}

static bool are_nearly(uint64_t a, uint64_t b) {
  return a >= b - b / FEW && b >= a - a / FEW;
}

/* As many, and no larger than, what was dropped: others that the function copies would
   be other ones.  A copy has no spare room. */
static bool is_handed(const struct hp_handover *h) {
  return h && h->dropped && are_nearly(h->dropped, h->copies) &&
         h->dropped_most >= h->copied_bytes - h->copied_bytes / FEW &&
         h->dropped_bytes <= hp_multiply(2, h->copied_bytes);
}

struct hp_handed hp_handovers_find(const struct hp_handovers *all,
                                   const struct hp_point *point,
                                   struct hp_store *store) {
  struct copy copy;
  char key[KEY_MOST];
  if (!all->table || !find_copy(&copy, point, store) || !copy.handed.taker ||
      !is_handed(find(all, copy.handed.subject, copy.caller, key)))
    return (struct hp_handed){0};
  return copy.handed;
}

bool hp_handovers_have(const struct hp_handovers *all,
                       const struct hp_point *point, struct hp_store *store) {
  uint64_t chunks = 0;
  for (size_t i = 0; all->table && i < point->freed_count; i++) {
    struct hp_handover *to;
    if (find_dropped(&to, all, &point->freed[i], store) && is_handed(to))
      chunks = hp_add(chunks, point->freed[i].chunks);
  }
  return chunks && chunks >= point->chunks - point->chunks / FEW;
}

void hp_handovers_free(struct hp_handovers *all) {
  HASH_CLEAR(hh, all->table);
  HASH_CLEAR(hh, all->calls);
}
