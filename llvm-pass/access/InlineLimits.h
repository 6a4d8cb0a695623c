// InlineLimits.h - which accesses can be counted without a call.
// Those of few bytes and counts: a call for the rest of them has to hold both.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_INLINE_LIMITS_H
#define HEAPPROF_INLINE_LIMITS_H

#include "access/Access.h"

namespace heapprof {

inline bool mayInline(const MergedAccess &A) {
  return A.High - A.Low <= HP_SLOW_BYTES_MAX && A.Reads <= HP_SLOW_COUNT_MAX &&
         A.Writes <= HP_SLOW_COUNT_MAX;
}

} // namespace heapprof

#endif
