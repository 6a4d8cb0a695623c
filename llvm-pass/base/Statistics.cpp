// Statistics.cpp - the counters of Statistics.h and their print-out.
// Printed in the order of the list, so that tests can compare the text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/Statistics.h"
#include "llvm/Support/raw_ostream.h"

namespace heapprof {

#define X(Name, Text)                                                          \
  llvm::TrackingStatistic Num##Name("heapprof", #Name, Text);
HEAPPROF_STATISTICS(X)
#undef X

void printStatistics() {
#define X(Name, Text)                                                          \
  if (uint64_t Value = Num##Name.getValue())                                   \
    llvm::errs() << "heapprof-stats: " #Name " " << Value << "  (" Text ")\n";
  HEAPPROF_STATISTICS(X)
#undef X
}

} // namespace heapprof
