/* plain.c - see plain.h: the primary's slots in tighter classes, and the
   secondary's once more.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/plain.h"

#include "heap/primary.h"
#include "heap/secondary.h"
#include "heap/warm_slots.h"
#include "hook_abi.h"
#include "origin/type.h"
#include "system/real_libc.h"

bool hp_plain_in_operators;
uint32_t hp_plain_operator_classes;

void hp_plain_start(bool operators_are_replaced) {
  if (!hp_sampling || operators_are_replaced)
    return;
  hp_plain_in_operators = true;
  hp_plain_operator_classes = HP_PLAIN_CLASS_COUNT;
}

HP_INLINE uintptr_t offset_of(const void *p) {
  return (uintptr_t)p - HP_PLAIN_BASE;
}

HP_INLINE unsigned class_of(uintptr_t offset) {
  return (unsigned)(offset >> HP_PLAIN_REGION_SHIFT);
}

/* ---- large ones ---------------------------------------------------------- */

/* The name of the slot whose chunk begins at P, or would begin there; NULL if
   there is none that was used. */
static struct hp_chunk *large_at(const void *p) {
  uintptr_t offset = offset_of(p);
  unsigned shift = (unsigned)(offset >> HP_REGION_SHIFT);
  if (shift < HP_CLASS_COUNT + HP_CLASS_MIN_SHIFT)
    return NULL;
  unsigned size_class = shift - HP_CLASS_MIN_SHIFT;
  if (offset - hp_heap_class_base(size_class) >=
      hp_secondary_bytes(size_class, HP_PLAIN))
    return NULL;
  struct hp_chunk *chunk = hp_heap_record(offset, shift);
  size_t front = hp_front_of(hp_large_record(chunk, HP_PLAIN)->word);
  return offset - (uintptr_t)chunk == front ? chunk : NULL;
}

static HP_NOINLINE void *allocate_large(const struct hp_request *request) {
  if (request->size > hp_allocator_max_size())
    return NULL;
  struct hp_chunk *chunk =
      hp_secondary_take(request->size, request->alignment, HP_PLAIN);
  if (!chunk)
    return NULL;
  size_t front = hp_large_front(chunk, request->size, request->alignment);
  hp_large_record(chunk, HP_PLAIN)->word =
      HP_RECORD_LIVE | hp_front_code(front) << HP_RECORD_FRONT_SHIFT |
      request->size;
  void *p = (void *)(hp_large_slot(chunk, HP_PLAIN) + front);
  if (request->zeroed && hp_slot_is_warm(chunk, HP_PLAIN))
    hp_real_memset(p, 0, request->size);
  return p;
}

static HP_NOINLINE size_t large_size(const void *p) {
  struct hp_chunk *chunk = large_at(p);
  uint64_t word = chunk ? hp_large_record(chunk, HP_PLAIN)->word : 0;
  return word & HP_RECORD_LIVE ? word & HP_SIZE_MAX : SIZE_MAX;
}

static HP_NOINLINE void free_large(const void *p) {
  struct hp_chunk *chunk = large_at(p);
  struct hp_cold *record = hp_large_record(chunk, HP_PLAIN);
  const uint64_t word = record->word;
  record->word = 0;
  hp_secondary_give(chunk, HP_PLAIN, word);
}

static bool resize_large(const void *p, size_t size) {
  const struct hp_chunk *chunk = large_at(p);
  struct hp_cold *record = hp_large_record(chunk, HP_PLAIN);
  const uint64_t word = record->word;
  if (size > hp_allocator_max_size() || !hp_secondary_fits(chunk, word, size))
    return false;
  hp_secondary_resized(chunk, HP_PLAIN, word, size);
  record->word = (word & ~HP_SIZE_MAX) | size;
  return true;
}

/* ---- small ones ---------------------------------------------------------- */

/* A thread's cache begins when it is first used: most have none. */
static struct hp_cache *cache_of(struct hp_thread *self, unsigned size_class) {
  struct hp_cache *cache = &self->plain[size_class];
  if (HP_UNLIKELY(!cache->max)) {
    cache->range = HP_PLAIN;
    cache->max = (uint16_t)hp_cache_max_of(hp_plain_slot_size(size_class));
  }
  return cache;
}

/* A slot of the classes from *SIZE_CLASS, which becomes the slot's, to LAST: a
   class may be full. */
static void *take(struct hp_thread *self, unsigned *size_class, unsigned last) {
  void *p = NULL;
  bool nested = self->in_plain;
  if (!nested)
    hp_plain_enter(self);
  for (unsigned c = *size_class; !p && c <= last; c++) {
    p = nested ? hp_primary_take_shared(c, HP_PLAIN)
               : hp_primary_take(cache_of(self, c), c);
    *size_class = c;
  }
  if (!nested)
    hp_plain_leave(self);
  return p;
}

/* Slots of a power of two are aligned to their size. */
static size_t aligned_size(size_t size, size_t alignment) {
  return (size_t)1 << hp_heap_slot_shift(
             hp_slot_class(size > alignment ? size : alignment));
}

static void *allocate_small(struct hp_thread *self, size_t size,
                            size_t alignment) {
  bool aligned = alignment > 16;
  unsigned c = hp_plain_class(aligned ? aligned_size(size, alignment) : size);
  void *p = take(self, &c, aligned ? c : HP_PLAIN_CLASS_COUNT - 1);
  if (p)
    hp_plain_begin(p, c, size);
  return p;
}

static void free_small(struct hp_thread *self, void *p) {
  unsigned size_class = class_of(offset_of(p));
  *hp_plain_size_word(p, size_class) = 0;
  if (self->in_plain) {
    hp_primary_give_shared(size_class, HP_PLAIN, p);
    return;
  }
  hp_plain_enter(self);
  struct hp_cache *cache = cache_of(self, size_class);
  if (cache->count >= cache->max)
    hp_primary_drain(cache, size_class, cache->max / 2);
  cache->free[cache->count++] = p;
  hp_plain_leave(self);
}

/* ---- both ---------------------------------------------------------------- */

/* A scope's type is for its first allocation, sampled or not. */
static void take_scope(const struct hp_request *request) {
  if (HP_UNLIKELY(__heapprof_scoped_type != NULL))
    (void)hp_type_of_chunk(request->caller.type, request->size,
                           request->caller.pc);
}

void *hp_plain_allocate(struct hp_thread *self,
                        const struct hp_request *request) {
  size_t size = request->size, alignment = request->alignment;
  void *p;
  if (HP_LIKELY(size <= HP_PLAIN_SMALL_MAX && alignment <= HP_SMALL_MAX)) {
    p = allocate_small(self, size, alignment);
    if (request->zeroed && p)
      hp_real_memset(p, 0, size);
  } else {
    p = allocate_large(request);
  }
  if (HP_UNLIKELY(!p)) {
    hp_count_failed(size);
    return NULL;
  }
  hp_live_add(self, size);
  take_scope(request);
  return p;
}

size_t hp_plain_size(const void *p) {
  uintptr_t offset = offset_of(p);
  unsigned size_class = class_of(offset);
  if (size_class >= HP_PLAIN_CLASS_COUNT)
    return large_size(p);
  const uint16_t *word = hp_plain_size_word(p, size_class);
  return word && *word ? *word - (size_t)1 : SIZE_MAX;
}

bool hp_plain_free(struct hp_thread *self, void *p) {
  const size_t size = hp_plain_size(p);
  if (size == SIZE_MAX)
    return false;
  hp_live_take(self, size);
  hp_plain_give(self, p);
  return true;
}

void hp_plain_give(struct hp_thread *self, void *p) {
  if (class_of(offset_of(p)) < HP_PLAIN_CLASS_COUNT)
    free_small(self, p);
  else
    free_large(p);
}

bool hp_plain_resize(void *p, size_t size) {
  uintptr_t offset = offset_of(p);
  unsigned size_class = class_of(offset);
  if (size_class >= HP_PLAIN_CLASS_COUNT)
    return resize_large(p, size);
  if (size > HP_PLAIN_SMALL_MAX || hp_plain_class(size) != size_class)
    return false;
  hp_plain_begin(p, size_class, size);
  return true;
}
