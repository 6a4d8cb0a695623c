/* plain.h - chunks that are not sampled: a slot, a size and nothing more.
   They lie where no hook looks for a record, so that an access costs nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PLAIN_H
#define HP_PLAIN_H

#include "chunk/live_bytes.h"
#include "chunk/plain_guard.h"
#include "chunk/request.h"
#include "chunk/sample.h"
#include "heap/slot_class.h"
#include "hook_abi.h"

/* The path of most allocations when there is sampling: a size class, the
   thread's cache and the size word of the slot, no lock, no clock and no
   stack.  heap.h draws where things are. */

/* True if P lies in the range of such chunks. */
HP_INLINE bool hp_plain_owns(const void *p) {
  return (uintptr_t)p - HP_PLAIN_BASE < HP_PLAIN_SIZE;
}

/* The size word of the slot at P, of SIZE_CLASS; NULL: none begins there that was
   ever used. */
HP_INLINE uint16_t *hp_plain_size_word(const void *p, unsigned size_class) {
  const struct hp_slot_class *of = &hp_plain_classes[size_class];
  const uintptr_t at = (uintptr_t)p - of->base;
  if (HP_UNLIKELY(at >= hp_primary_bytes(size_class, HP_PLAIN)))
    return NULL;
  const struct hp_slot_place place = hp_slot_place(of, at);
  if (HP_UNLIKELY(!place.is_start))
    return NULL;
  return &hp_plain_size_words(of)[place.number];
}

/* What a size word holds. */
#define HP_PLAIN_SMALL_MAX ((size_t)UINT16_MAX - 1)

/* What hp_allocate() promises. */
void *hp_plain_allocate(struct hp_thread *self,
                        const struct hp_request *request);

/* Bytes requested for the live chunk that begins at P, in the range; SIZE_MAX
   if there is none. */
size_t hp_plain_size(const void *p);

/* Ends the chunk at P, in the range; false if there is none. */
bool hp_plain_free(struct hp_thread *self, void *p);

/* Gives the slot of a chunk back that is known to be there, and that the live
   bytes no longer hold. */
void hp_plain_give(struct hp_thread *self, void *p);

/* Makes the chunk at P one of SIZE bytes where it is.  False: a new chunk of that
   size would get another slot, so that it has to move.  P is a live chunk; its
   caller changes the live bytes. */
bool hp_plain_resize(void *p, size_t size);

/* ---- the usual cases, where a program calls in --------------------------- */

/* P: a slot of SIZE_CLASS. */
HP_INLINE void hp_plain_begin(const void *p, unsigned size_class, size_t size) {
  const struct hp_slot_class *of = &hp_plain_classes[size_class];
  const uintptr_t at = (uintptr_t)p - of->base;
  hp_plain_size_words(of)[hp_slot_place(of, at).number] = (uint16_t)(size + 1);
}

/* The operators new and delete ask these two instead of hp_sampling and
   HP_PLAIN_CLASS_COUNT: false and 0 where the program replaced some of them, since
   then none of them may take the quick way. */
extern HP_HIDDEN bool hp_plain_in_operators;
extern HP_HIDDEN uint32_t hp_plain_operator_classes;

/* A chunk of SIZE bytes as malloc gives it: not sampled, and from the thread's
   cache.  NULL: it takes more than that, or no chunk is to be plain (IS_WANTED is
   false); nothing was done.  TYPE is the chunk's, if the call says it: a scope is not
   for what containers allocate (hp_type_choose). */
HP_INLINE void *hp_plain_quick_if(bool is_wanted, size_t size,
                                  const struct hp_type_descriptor *type) {
  if (HP_LIKELY(!is_wanted))
    return NULL;
  struct hp_thread *self = hp_thread_self;
  if (HP_UNLIKELY(__heapprof_scoped_type != NULL) &&
      !(type && type->flags & HP_TYPE_OF_CONTAINER))
    return NULL;
  if (HP_UNLIKELY(size > HP_PLAIN_SMALL_MAX || !self || self->in_plain))
    return NULL;
  hp_plain_enter(self);
  const unsigned size_class = hp_plain_class(size);
  struct hp_cache *cache = &self->plain[size_class];
  void *p = NULL;
  if (HP_LIKELY(cache->count) && HP_LIKELY(hp_live_has_room(self, size)) &&
      HP_LIKELY(hp_sample_passes(self, size))) {
    self->live_room -= (int64_t)size;
    p = cache->free[--cache->count];
    hp_plain_begin(p, size_class, size);
  }
  hp_plain_leave(self);
  return p;
}

HP_INLINE void *hp_plain_quick_allocate(size_t size,
                                        const struct hp_type_descriptor *type) {
  return hp_plain_quick_if(hp_sampling, size, type);
}

/* Ends the plain chunk at P if the thread's cache can take its slot, which is of
   one of the first CLASSES classes.  False: it takes more than that; nothing was
   done. */
HP_INLINE bool hp_plain_quick_free_of(void *p, uint32_t classes) {
  uintptr_t offset = (uintptr_t)p - HP_PLAIN_BASE;
  unsigned size_class = (unsigned)(offset >> HP_PLAIN_REGION_SHIFT);
  if (HP_LIKELY(offset >> HP_PLAIN_REGION_SHIFT >= classes))
    return false;
  struct hp_thread *self = hp_thread_self;
  if (HP_UNLIKELY(!self || self->in_plain))
    return false;
  uint16_t *word = hp_plain_size_word(p, size_class);
  if (HP_UNLIKELY(!word))
    return false;
  hp_plain_enter(self);
  struct hp_cache *cache = &self->plain[size_class];
  int64_t room = self->live_room + (*word - 1); /* with the chunk's bytes */
  bool done = HP_LIKELY(*word) && HP_LIKELY(cache->count < cache->max) &&
              HP_LIKELY(room <= HP_LIVE_SLACK);
  if (HP_LIKELY(done)) {
    self->live_room = room;
    *word = 0;
    cache->free[cache->count++] = p;
  }
  hp_plain_leave(self);
  return done;
}

HP_INLINE bool hp_plain_quick_free(void *p) {
  return hp_plain_quick_free_of(p, HP_PLAIN_CLASS_COUNT);
}

/* Once, after hp_sample_start(). */
void hp_plain_start(bool operators_are_replaced);

#endif
