// system_call.h - a call of the system that leaves errno as it is.
// It returns a negative errno where it is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HP_SYSTEM_CALL_H
#define HP_SYSTEM_CALL_H

#include "system/forbidden_calls.h"
#include "system/raw_call.h"

#include "sanitizer_common/sanitizer_internal_defs.h"

using __sanitizer::uptr;

// All but an exit comes here, so that what the program has forbidden itself is
// not done on its threads.
inline long system_call(long number, uptr a = 0, uptr b = 0, uptr c = 0,
                        uptr d = 0, uptr e = 0, uptr f = 0) {
  const uptr argument[6] = {a, b, c, d, e, f};
  if (HP_UNLIKELY(hp_forbids(number)))
    return hp_call_instead(number, argument);
  return hp_raw_call(number, argument);
}

#endif
