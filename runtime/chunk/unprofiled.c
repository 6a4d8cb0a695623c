/* unprofiled.c - see unprofiled.h: which chunks may do without a record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/unprofiled.h"

#include "chunk/plain.h"
#include "chunk/sample.h"
#include "system/limit.h"

/* A sample stands for others, which are known by it alone. */
void hp_unprofiled_count(struct hp_thread *self, size_t size) {
  if (!hp_recording)
    return;
  const uint64_t stands_for = hp_sample_weight(size);
  self->unprofiled_chunks += stands_for;
  self->unprofiled_bytes =
      hp_add_saturated(self->unprofiled_bytes, stands_for * size);
}

/* Large ones take little more than plainly: there is no memory for them. */
static bool may_be(const struct hp_request *request) {
  return hp_memory_is_limited() &&
         hp_slot_need(request->size,
                      hp_front_for(request->size, request->alignment)) <=
             HP_SMALL_MAX;
}

void *hp_unprofiled_allocate(struct hp_thread *self,
                             const struct hp_request *request) {
  if (!may_be(request)) {
    hp_count_failed(request->size);
    return NULL;
  }
  void *p = hp_plain_allocate(self, request);
  if (p)
    hp_unprofiled_count(self, request->size);
  return p;
}
