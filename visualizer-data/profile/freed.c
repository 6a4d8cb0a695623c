/* freed.c - see freed.h: from raw records of frees to frames and nanoseconds.
   What only some chunks brought is never said of all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/freed.h"

#include <stdlib.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "resolve/site.h"
#include "resolve/stack.h"

/* A free while it is looked at. */
struct look {
  struct hp_profile *profile;
  const struct hp_dump *dump;
  const struct hp_dump_point *raw;
  const struct hp_free_sum *sum;
  const struct hp_point *view;
};

static bool has(const struct hp_frame *const *frames, size_t count,
                const struct hp_frame *frame) {
  for (size_t i = 0; i < count; i++)
    if (frames[i] == frame)
      return true;
  return false;
}

/* Whether SITE is code of the one CALL at TIME, and *FUNCTION the function that
   it is in, whatever was inlined there. */
static hp_status is_site(const struct look *look, uint64_t call, uint64_t time,
                         const struct hp_frame *site, bool *is,
                         const struct hp_frame **function,
                         struct hp_error *error) {
  const struct hp_frame *const *frames;
  size_t count;
  HP_TRY(hp_stack_resolve_at(&look->profile->scratch, look->profile->symbolizer,
                             look->dump, &call, 1, time, &frames, &count,
                             error));
  *is = count && site && has(frames, count, site);
  *function = count ? frames[count - 1] : NULL;
  return HP_OK;
}

bool hp_is_same_function(const struct hp_frame *a, const struct hp_frame *b) {
  return a && b && a->function && a->function == b->function &&
         a->module == b->module;
}

bool hp_is_same_call(const struct hp_frame *a, const struct hp_frame *b) {
  return a == b || (hp_is_same_function(a, b) && a->line &&
                    a->line == b->line && a->column == b->column);
}

size_t hp_frame_depth(const struct hp_point *point,
                      const struct hp_frame *frame) {
  size_t depth = 0;
  while (depth < point->stack_count && point->stack[depth] != frame)
    depth++;
  return depth;
}

void hp_freed_fork(const struct hp_point *point, const struct hp_freed *freed,
                   size_t *made, size_t *gone) {
  *made = point->stack_count;
  *gone = freed->stack_count;
  while (*made && *gone &&
         hp_is_same_call(point->stack[*made - 1], freed->stack[*gone - 1])) {
    --*made;
    --*gone;
  }
}

/* How much of both stacks is left where they are no longer the same, from the
   outermost frame inward. */
static void find_fork(const struct look *look, size_t *made, size_t *freed) {
  const struct hp_dump_point *raw = look->raw;
  const struct hp_free_sum *sum = look->sum;
  *made = raw->stack_count;
  *freed = sum->stack_count;
  while (*made && *freed && raw->stack[*made - 1] == sum->stack[*freed - 1]) {
    --*made;
    --*freed;
  }
}

/* Both stacks are the same from the caller of one function outward: what is
   left of each begins in it, at its own call.  A function that frees before it
   allocates does so in another of its activations, unless the compiler has put what
   comes last before.  Nothing is left of the free's where the function ended by a
   jump to it. */
static hp_status is_by_allocator(const struct look *look, struct hp_freed *to,
                                 struct hp_error *error) {
  const struct hp_dump_point *raw = look->raw;
  const struct hp_free_sum *sum = look->sum;
  size_t made, freed;
  find_fork(look, &made, &freed);
  if (raw->truncated || sum->truncated || made == raw->stack_count || !made ||
      sum->flags & (HP_FREE_STACKS | HP_FREE_REALLOC | HP_FREE_FOLDED) ||
      (!freed && made > 1))
    return HP_OK;
  bool is_made, is_freed;
  const struct hp_frame *maker, *freer;
  HP_TRY(is_site(look, raw->stack[made - 1], hp_stack_time(look->dump, raw),
                 look->view->site, &is_made, &maker, error));
  to->by_jump = !freed;
  to->by_allocator = to->in_its_function = is_made;
  if (!is_made || !freed)
    return HP_OK;
  HP_TRY(is_site(look, sum->stack[freed - 1], sum->first, to->site, &is_freed,
                 &freer, error));
  to->in_its_function = is_freed && hp_is_same_function(maker, freer);
  to->by_allocator =
      to->in_its_function && raw->stack[made - 1] < sum->stack[freed - 1];
  return HP_OK;
}

static bool has_stack(const struct hp_free_sum *sum) {
  return sum->stack_count > 1;
}

static hp_status look_at(struct hp_freed *to, const struct look *look,
                         double ticks_per_ns, struct hp_error *error) {
  const struct hp_free_sum *sum = look->sum;
  const struct hp_frame *const *frames, *const *leaf;
  size_t count, leaf_count;
  HP_TRY(hp_stack_resolve_at(&look->profile->store, look->profile->symbolizer,
                             look->dump, sum->stack, sum->stack_count,
                             sum->first, &frames, &count, error));
  HP_TRY(hp_stack_resolve_at(&look->profile->scratch, look->profile->symbolizer,
                             look->dump, sum->stack, 1, sum->first, &leaf,
                             &leaf_count, error));
  const size_t skip = hp_site_skip(frames, count);
  const bool other_stacks = sum->flags & (HP_FREE_STACKS | HP_FREE_PART);
  to->stack = frames + skip;
  to->stack_count = count - skip;
  to->has_stack = has_stack(sum);
  to->stack_is_all = !other_stacks && to->has_stack;
  to->site = hp_site_of(frames, count);
  to->site_is_all =
      !other_stacks || (to->site && has(leaf, leaf_count, to->site));
  to->size = sum->size;
  to->sizes_vary = sum->flags & HP_FREE_SIZES_VARY;
  to->reallocated = sum->flags & HP_FREE_REALLOC;
  to->chunks = sum->chunks;
  to->lived_ns = (double)sum->lives / ticks_per_ns;
  return is_by_allocator(look, to, error);
}

static int by_chunks(const void *left, const void *right) {
  const struct hp_freed *a = left, *b = right;
  if (a->chunks != b->chunks)
    return a->chunks > b->chunks ? -1 : 1;
  return (a->size > b->size) - (a->size < b->size);
}

/* Chunks of a size that is seldom may have been freed after those whose stacks were
   taken.  The call that freed them is known to be by the allocator if it is for all other
   sizes whose stacks are known. */
static void take_from_other_sizes(struct hp_freed *to,
                                  const struct hp_free_sum *sum,
                                  const struct hp_freed *freed,
                                  const struct hp_free_sum *sums) {
  bool is_known = false, by_allocator = true, in_its_function = true;
  if (has_stack(sum) || sum->flags & HP_FREE_REALLOC)
    return;
  for (const struct hp_free_sum *f = sums; f; f = f->next) {
    if (f->flags & HP_FREE_REST)
      continue;
    if (has_stack(f) && f->process == sum->process &&
        f->stack[0] == sum->stack[0] && freed->site == to->site) {
      is_known = true;
      by_allocator = by_allocator && freed->by_allocator;
      in_its_function = in_its_function && freed->in_its_function;
    }
    freed++;
  }
  to->by_allocator = to->by_allocator || (is_known && by_allocator);
  to->in_its_function = to->in_its_function || (is_known && in_its_function);
}

hp_status hp_freed_find(struct hp_profile *profile,
                        const struct hp_profile_process *process,
                        const struct hp_dump_point *raw,
                        struct hp_profile_point *point,
                        struct hp_error *error) {
  struct hp_point *view = &point->view;
  size_t count = 0;
  for (const struct hp_free_sum *f = raw->frees; f; f = f->next)
    count += !(f->flags & HP_FREE_REST);
  struct hp_freed *freed = hp_store_take(&profile->store, count, sizeof *freed);
  if (!freed)
    return hp_fail_memory(error);
  struct look look = {profile, process->dump, raw, NULL, view};
  size_t n = 0;
  for (const struct hp_free_sum *f = raw->frees; f; f = f->next) {
    if (f->flags & HP_FREE_REST)
      continue;
    look.sum = f;
    HP_TRY(look_at(&freed[n], &look, process[f->process].view.ticks_per_ns,
                   error));
    view->freed_chunks = hp_add(view->freed_chunks, freed[n++].chunks);
  }
  n = 0;
  for (const struct hp_free_sum *f = raw->frees; f; f = f->next)
    if (!(f->flags & HP_FREE_REST))
      take_from_other_sizes(&freed[n++], f, freed, raw->frees);
  if (n > 1)
    qsort(freed, n, sizeof *freed, by_chunks);
  view->freed = point->freed = freed;
  view->freed_count = n;
  hp_store_clear(&profile->scratch);
  return HP_OK;
}
