// AllocationTypes.h - the pass that makes allocation calls carry their type.
// Runs first of all, before inlining can lose what the front end knew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ALLOCATION_TYPES_H
#define HEAPPROF_ALLOCATION_TYPES_H

#include "llvm/IR/PassManager.h"

namespace heapprof {

class AllocationTypesPass : public llvm::PassInfoMixin<AllocationTypesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);

  /// At -O0 too.
  static bool isRequired() { return true; }
};

} // namespace heapprof

#endif
