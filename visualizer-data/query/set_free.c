/* set_free.c - see set_free.h: each place is looked up once, then found by its address.
   What only some chunks brought is never said of all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_free.h"

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/pattern.h"
#include "resolve/site.h"
#include "resolve/stack.h"

/* A return address, and the record whose whole stack it is of. */
struct key {
  uint64_t pc;
  const struct hp_free_sum *sum;
};

struct hp_seen_free {
  UT_hash_handle hh;
  struct key key;
  const struct hp_frame *const *frames;
  size_t count;
  const struct hp_frame *site;
  size_t number;
};

/* The record that has every chunk of this size freed at PC, and one stack of all
   of them; NULL: there is none. */
static const struct hp_free_sum *whole_stack(const struct hp_dump_point *raw,
                                             uint64_t pc, uint64_t size) {
  const struct hp_free_sum *found = NULL;
  for (const struct hp_free_sum *f = raw->frees; f; f = f->next) {
    if (f->flags & (HP_FREE_REST | HP_FREE_SIZES_VARY) || f->size != size ||
        !f->stack_count || f->stack[0] != pc)
      continue;
    if (found || f->flags & (HP_FREE_STACKS | HP_FREE_PART) ||
        f->stack_count < 2)
      return NULL;
    found = f;
  }
  return found;
}

static hp_status look_up(struct hp_frees *frees, hp_profile *profile,
                         const struct hp_dump *dump, struct hp_seen_free *to,
                         uint64_t time) {
  const struct hp_free_sum *sum = to->key.sum;
  HP_TRY(hp_stack_resolve_at(
      &frees->store, profile->symbolizer, dump, sum ? sum->stack : &to->key.pc,
      sum ? sum->stack_count : 1, time, &to->frames, &to->count, NULL));
  to->site = hp_site_of(to->frames, to->count);
  return HP_OK;
}

static struct hp_seen_free *find(struct hp_frees *frees, hp_profile *profile,
                                 const struct hp_dump *dump,
                                 const struct hp_dump_point *raw,
                                 const struct hp_chunk_log *chunk) {
  const struct key key = {chunk->free_pc,
                          whole_stack(raw, chunk->free_pc, chunk->size)};
  struct hp_seen_free *seen;
  bool failed = false;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): two words, no gap */
  HASH_FIND(hh, frees->seen, &key, sizeof key, seen);
  if (seen)
    return seen;
  seen = hp_store_take(&frees->store, 1, sizeof *seen);
  if (seen) {
    seen->key = key;
    HASH_ADD(hh, frees->seen, key, sizeof key, seen);
  }
  if (!seen || failed ||
      look_up(frees, profile, dump, seen, chunk->t1) != HP_OK) {
    frees->failed = HP_E_MEMORY;
    return NULL;
  }
  return seen;
}

bool hp_set_free_place(struct hp_frees *frees, hp_profile *profile,
                       const struct hp_dump *dump,
                       const struct hp_dump_point *raw,
                       const struct hp_chunk_log *chunk,
                       struct hp_free_place *place) {
  struct hp_seen_free *seen = find(frees, profile, dump, raw, chunk);
  if (!seen)
    return false;
  *place = (struct hp_free_place){.frames = seen->frames,
                                  .count = seen->count,
                                  .site = seen->site,
                                  .is_whole = seen->key.sum,
                                  .number = &seen->number};
  return true;
}

static bool site_matches(const char *pattern, const struct hp_frame *site) {
  return site && (hp_pattern_finds(pattern, site->function) ||
                  hp_pattern_finds(pattern, site->file) ||
                  hp_pattern_finds(pattern, site->module));
}

bool hp_set_free_holds(struct hp_frees *frees, hp_profile *profile,
                       const struct hp_dump *dump,
                       const struct hp_dump_point *raw,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk) {
  const struct hp_seen_free *seen =
      frees->failed == HP_OK ? find(frees, profile, dump, raw, chunk) : NULL;
  if (!seen)
    return false;
  if (term->key == HP_KEY_FREE_SITE)
    return site_matches(term->pattern, seen->site);
  for (size_t i = 0; i < seen->count; i++)
    if (hp_pattern_finds(term->pattern, seen->frames[i]->function))
      return true;
  frees->shallow += !seen->key.sum;
  return false;
}

void hp_set_forget_frees(struct hp_frees *frees) {
  HASH_CLEAR(hh, frees->seen);
  frees->seen = NULL;
  hp_store_free(&frees->store);
}
