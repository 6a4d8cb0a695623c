// AccessFilter.h - tells which accesses cannot be to the heap.
// Says so only if it is certain; -heapprof-naive asks less of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_FILTER_H
#define HEAPPROF_ACCESS_FILTER_H

#include "access/Access.h"
#include "filter/PointerPlaces.h"

namespace heapprof {

class AccessFilter {
public:
  explicit AccessFilter(const PointerPlaces &Known) : Places(Known) {}

  /// Whether \p A needs no hook; the reason is counted.
  bool skips(const Access &A) const;

private:
  const PointerPlaces &Places;
};

} // namespace heapprof

#endif
