/* operator_new.h - what operator new does, for its own names and for those with
   a type.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OPERATOR_NEW_H
#define HP_OPERATOR_NEW_H

#include "entry/entry.h"

/* Whether the program replaced any of the operators. */
bool hp_operators_are_replaced(void);

/* operator new: throws std::bad_alloc, or gives NULL.  The second two are for
   where there is no memory, or no such alignment. */
void *hp_entry_new_again(const struct hp_request *request);
void *hp_entry_new_nothrow_again(const struct hp_request *request);
HP_INLINE void *hp_entry_try_new(const struct hp_request *request) {
  if (HP_UNLIKELY(request->alignment & (request->alignment - 1))) {
    hp_count_failed(request->size);
    return NULL;
  }
  return hp_entry_allocate(request);
}
HP_INLINE void *hp_entry_new(const struct hp_request *request) {
  void *p = hp_entry_try_new(request);
  return HP_LIKELY(p != NULL) ? p : hp_entry_new_again(request);
}
HP_INLINE void *hp_entry_new_nothrow(const struct hp_request *request) {
  void *p = hp_entry_try_new(request);
  return HP_LIKELY(p != NULL) ? p : hp_entry_new_nothrow_again(request);
}

#endif
