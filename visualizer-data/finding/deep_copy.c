/* deep_copy.c - walks a stack from its outermost frame to the constructor.
   Functions are the same text if they are the same (heapprof.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/deep_copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "finding/short_name.h"
#include "profile/place.h"
#include "resolve/frame_role.h"
#include "resolve/type_symbol.h"
#include "text/member_name.h"

/* ---- the copy ------------------------------------------------------------ */

static bool is_of_class(const struct hp_member_name *name,
                        struct hp_text_part class) {
  const size_t length = class.length;
  return name->scope.length >= length &&
         memcmp(name->scope.begin, class.begin, length) == 0 &&
         (name->scope.length == length ||
          strncmp(name->scope.begin + length, "::", 2) == 0);
}

static bool is_of_program(const struct hp_frame *frame) {
  return frame->function && hp_frame_is_of_program(frame);
}

/* The outermost copy constructor or copy assignment of the program in POINT's
   stack; the stack's size if there is none. */
static size_t find_outermost(struct hp_member_name *name,
                             const struct hp_point *point) {
  for (size_t i = point->stack_count; i-- > 0;) {
    if (!is_of_program(point->stack[i]))
      continue;
    *name = hp_member_parse(point->stack[i]->function);
    if (hp_member_copies(name))
      return i;
  }
  return point->stack_count;
}

/* The first function outward of AT that is neither CLASS's own nor of a container
   that takes the copy in. */
static const struct hp_frame *find_user(const struct hp_point *point, size_t at,
                                        struct hp_text_part class) {
  struct hp_text_part container = {"", 0};
  for (size_t i = at + 1; i < point->stack_count; i++) {
    const char *function = point->stack[i]->function;
    if (!is_of_program(point->stack[i]))
      continue;
    const struct hp_member_name name = hp_member_parse(function);
    if (hp_place_is_container(function, &name))
      container = name.scope;
    else if (!is_of_class(&name, class) &&
             (!container.length || !is_of_class(&name, container)))
      return point->stack[i];
  }
  return NULL;
}

/* A vector that grows copies AT, what its class could move without throwing. */
static bool is_by_growth(const struct hp_point *point, size_t at) {
  for (size_t i = at; i < point->stack_count; i++) {
    const char *function = point->stack[i]->function;
    if (function && strstr(function, "_move_if_noexcept"))
      return true;
    if (i > at && is_of_program(point->stack[i]))
      return false;
  }
  return false;
}

/* Who calls AT, the constructor, is an operator as + is. */
static bool is_by_operator(const struct hp_point *point, size_t at) {
  size_t i = at + 1;
  while (i < point->stack_count && !is_of_program(point->stack[i]))
    i++;
  if (i == point->stack_count)
    return false;
  const struct hp_member_name name = hp_member_parse(point->stack[i]->function);
  return hp_member_is_arithmetic(&name);
}

hp_status hp_deep_copy_find(struct hp_deep_copy *copy,
                            const struct hp_point *point,
                            struct hp_store *store, struct hp_error *error) {
  struct hp_member_name name;
  *copy = (struct hp_deep_copy){0};
  if (hp_type_is_resource_block(point->type))
    return HP_OK;
  const size_t at = find_outermost(&name, point);
  if (at == point->stack_count)
    return HP_OK;
  copy->place = find_user(point, at, name.scope);
  copy->by_header = copy->place && point->place &&
                    hp_frame_is_included(copy->place) &&
                    !hp_frame_is_included(point->place);
  if (copy->by_header)
    copy->place = point->place;
  copy->by_growth = is_by_growth(point, at);
  copy->by_operator = is_by_operator(point, at);
  return copy->place ? hp_short_name(&copy->subject, name.scope, store, error)
                     : HP_OK;
}

/* ---- originals ------------------------------------------------------------ */

struct hp_original {
  UT_hash_handle hh;
  uint64_t copies, gone; /* chunks */
  char key[];            /* class and where the function's text lies */
};

/* The one of CLASS and FUNCTION; made if there is none and STORE is not NULL. */
static struct hp_original *find(struct hp_originals *all, const char *class,
                                const char *function, struct hp_store *store) {
  struct hp_original *found = NULL, *more;
  char key[512];
  const int length =
      snprintf(key, sizeof key, "%p %s", (const void *)function, class);
  if (length < 0)
    return NULL;
  HASH_FIND_STR(all->table, key, found);
  if (found || !store)
    return found;
  const size_t size = strlen(key) + 1;
  bool failed = false;
  if (!(more = hp_store_take(store, 1, sizeof *more + size)))
    return NULL;
  memcpy(more->key, key, size);
  HASH_ADD_STR(all->table, key, more);
  return failed ? NULL : more;
}

/* Each function around the constructor of CLASS at AT may be who copies what it
   made. */
static bool add_around(struct hp_originals *all, const struct hp_point *point,
                       size_t at, const char *class, struct hp_store *store) {
  const char *before = NULL;
  for (size_t i = at + 1; i < point->stack_count; i++) {
    const char *function = point->stack[i]->function;
    if (!is_of_program(point->stack[i]) || function == before)
      continue;
    struct hp_original *original = find(all, class, function, store);
    if (!original)
      return false;
    original->gone = hp_add(original->gone, point->chunks);
    before = function;
  }
  return true;
}

/* Of constructors of one class that call each other the outermost one counts. */
static bool add_gone(struct hp_originals *all, const struct hp_point *point,
                     struct hp_store *store) {
  struct hp_member_name name;
  struct hp_text_part around = {"", 0};
  struct hp_error error;
  const char *class;
  for (size_t i = point->stack_count; i-- > 0;) {
    if (!is_of_program(point->stack[i]))
      continue;
    name = hp_member_parse(point->stack[i]->function);
    if (!hp_member_is_constructor(&name) ||
        (around.length && is_of_class(&name, around)))
      continue;
    around = name.scope;
    if (hp_short_name(&class, name.scope, store, &error) != HP_OK ||
        !add_around(all, point, i, class, store))
      return false;
  }
  return true;
}

/* FUNCTION, in POINT's stack, made what is not in a constructor of CLASS. */
static bool is_filled_by(const struct hp_point *point, const char *function,
                         struct hp_text_part class) {
  for (size_t i = 0; i < point->stack_count; i++) {
    if (!is_of_program(point->stack[i]))
      continue;
    if (point->stack[i]->function == function)
      return true;
    const struct hp_member_name name =
        hp_member_parse(point->stack[i]->function);
    if (hp_member_is_constructor(&name) && is_of_class(&name, class))
      return false;
  }
  return false;
}

/* Who has FREED's object, by whose destructor its chunks go, and the outermost such
   CLASS; NULL: it is no part of an object. */
static const char *dropped_by(const struct hp_freed *freed,
                              struct hp_text_part *class) {
  class->length = 0;
  for (size_t i = 0; freed->has_stack && i < freed->stack_count; i++) {
    if (!is_of_program(freed->stack[i]))
      continue;
    const char *function = freed->stack[i]->function;
    const struct hp_member_name name = hp_member_parse(function);
    if (name.member.length && *name.member.begin == '~')
      *class = name.scope;
    else
      return class->length ? function : NULL;
  }
  return NULL;
}

/* An object may get its members by assignment, and be dropped by who filled it. */
static bool add_dropped(struct hp_originals *all, const struct hp_point *point,
                        struct hp_store *store) {
  for (size_t i = 0; i < point->freed_count; i++) {
    struct hp_text_part class;
    struct hp_error error;
    const char *name, *function = dropped_by(&point->freed[i], &class);
    if (!function || !is_filled_by(point, function, class))
      continue;
    if (hp_short_name(&name, class, store, &error) != HP_OK)
      return false;
    struct hp_original *original = find(all, name, function, store);
    if (!original)
      return false;
    original->gone = hp_add(original->gone, point->freed[i].chunks);
  }
  return true;
}

/* Of the line that copies, told from others of its function. */
static struct hp_original *find_line(struct hp_originals *all,
                                     const struct hp_deep_copy *copy,
                                     struct hp_store *store) {
  char class[256];
  snprintf(class, sizeof class, "%" PRIu32 " %s", copy->place->line,
           copy->subject);
  return find(all, class, copy->place->function, store);
}

bool hp_originals_add(struct hp_originals *all, const struct hp_point *point,
                      const struct hp_deep_copy *copy, bool soon_gone,
                      struct hp_store *store) {
  if (copy->by_growth) /* of copies that it dropped, with their number */
    return true;
  if (!copy->place)
    return !soon_gone ||
           (add_gone(all, point, store) && add_dropped(all, point, store));
  struct hp_original *original =
      find(all, copy->subject, copy->place->function, store);
  struct hp_original *line = find_line(all, copy, store);
  if (!original || !line)
    return false;
  original->copies = hp_add(original->copies, point->chunks);
  line->copies = hp_add(line->copies, soon_gone ? 0 : point->chunks);
  line->gone = hp_add(line->gone, soon_gone ? point->chunks : 0);
  return true;
}

bool hp_originals_are_gone(const struct hp_originals *all,
                           const struct hp_deep_copy *copy) {
  struct hp_originals table = *all; /* is only looked at */
  const struct hp_original *original =
      find(&table, copy->subject, copy->place->function, NULL);
  return original && original->gone >= original->copies / 2 && original->gone;
}

bool hp_originals_are_copied_for_short(const struct hp_originals *all,
                                       const struct hp_deep_copy *copy) {
  struct hp_originals table = *all; /* is only looked at */
  const struct hp_original *line =
      copy->place->line ? find_line(&table, copy, NULL) : NULL;
  return line && line->gone && line->gone >= line->copies / 2;
}

void hp_originals_free(struct hp_originals *all) { HASH_CLEAR(hh, all->table); }
