/* passage.c - counts callers and types of each function, as far as it matters.
   Only points whose type a wrapper's caller said, or nobody, take part.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passage.h"

#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#define HP_CALLERS 4u /* places that make a passage, */
#define HP_TYPES 3u   /* or types */
#define HP_DEEP 6u    /* functions that a way leads through */

struct caller {
  const char *function;
  uint32_t line;
};

struct hp_passage {
  UT_hash_handle hh;
  const char *function;
  size_t caller_count, type_count;
  struct caller callers[HP_CALLERS];
  const char *types[HP_TYPES];
};

static bool takes_part(const struct hp_point *point) {
  return !point->type || (point->type_provenance &&
                          strcmp(point->type_provenance, "wrapper") == 0);
}

static bool same(const struct caller *a, const struct caller *b) {
  return a->line == b->line && (a->function == b->function ||
                                (a->function && b->function &&
                                 strcmp(a->function, b->function) == 0));
}

static void add_caller(struct hp_passage *passage, const struct hp_frame *f) {
  struct caller caller = {f->function, f->line};
  for (size_t i = 0; i < passage->caller_count; i++)
    if (same(&passage->callers[i], &caller))
      return;
  if (passage->caller_count < HP_CALLERS)
    passage->callers[passage->caller_count++] = caller;
}

static void add_type(struct hp_passage *passage, const char *type) {
  for (size_t i = 0; i < passage->type_count; i++)
    if (strcmp(passage->types[i], type) == 0)
      return;
  if (passage->type_count < HP_TYPES)
    passage->types[passage->type_count++] = type;
}

static struct hp_passage *find(const struct hp_passages *passages,
                               const char *function) {
  struct hp_passage *found;
  HASH_FIND_STR(passages->functions, function, found);
  return found;
}

bool hp_passages_add(struct hp_passages *passages, const struct hp_point *point,
                     size_t depth, struct hp_store *store) {
  bool failed = false;
  for (size_t i = depth; takes_part(point) && i + 1 < point->stack_count &&
                         i < depth + HP_DEEP && !failed;
       i++) {
    const char *function = point->stack[i].function;
    if (!function)
      return true;
    struct hp_passage *passage = find(passages, function);
    if (!passage) {
      passage = hp_store_take(store, 1, sizeof *passage);
      if (!passage)
        return false;
      passage->function = function;
      HASH_ADD_KEYPTR(hh, passages->functions, function, strlen(function),
                      passage);
    }
    add_caller(passage, &point->stack[i + 1]);
    if (point->type)
      add_type(passage, point->type);
  }
  return !failed;
}

size_t hp_passages_skip(const struct hp_passages *passages,
                        const struct hp_point *point, size_t depth) {
  size_t to = depth;
  while (takes_part(point) && to + 1 < point->stack_count &&
         to < depth + HP_DEEP && point->stack[to].function) {
    const struct hp_passage *passage =
        find(passages, point->stack[to].function);
    if (!passage ||
        (passage->caller_count < HP_CALLERS && passage->type_count < HP_TYPES))
      break;
    to++;
  }
  return to;
}

void hp_passages_free(struct hp_passages *passages) {
  HASH_CLEAR(hh, passages->functions);
}
