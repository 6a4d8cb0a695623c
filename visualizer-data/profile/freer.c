/* freer.c - see freer.h: after places, which say what is made for whom.
   A filter moves nobody: the stacks of all points count.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/freer.h"

#include "base/failure.h"
#include "profile/passage.h"
#include "profile/place.h"

static bool add_all(struct hp_passages *passages, struct hp_profile *profile,
                    struct hp_store *store) {
  for (size_t i = 0; i < profile->point_count; i++) {
    const struct hp_point *p = &profile->points[i].view;
    const struct hp_frame *made = p->place ? p->place : p->site;
    for (size_t k = 0; k < p->freed_count; k++)
      if (!hp_passages_add_free(passages, &p->freed[k],
                                made ? made->function : NULL, store))
        return false;
  }
  return true;
}

hp_status hp_freers_find(struct hp_profile *profile, struct hp_error *error) {
  struct hp_passages passages = {0};
  struct hp_store store = {0};
  const bool good = add_all(&passages, profile, &store);
  for (size_t i = 0; i < profile->point_count && good; i++) {
    const struct hp_point *p = &profile->points[i].view;
    struct hp_freed *freed = profile->points[i].freed;
    const size_t from = hp_place_depth(p);
    for (size_t k = 0; k < p->freed_count; k++)
      freed[k].place =
          hp_passages_freer(&passages, &freed[k], p->stack, p->stack_count,
                            from, &freed[k].place_is_all);
  }
  hp_passages_free(&passages);
  hp_store_free(&store);
  return good ? HP_OK : hp_fail_memory(error);
}
