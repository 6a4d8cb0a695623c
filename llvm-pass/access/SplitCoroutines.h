// SplitCoroutines.h - splits coroutines that the optimiser leaves whole.
// So what they touch in their frames is seen as it will be: in the heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_SPLIT_COROUTINES_H
#define HEAPPROF_SPLIT_COROUTINES_H

#include "llvm/IR/PassManager.h"

namespace heapprof {

/// With ThinLTO coroutines are split when they are linked, behind the hooks: a
/// local variable would be on the stack for these and in the frame for the
/// program, and what hooks keep over a suspension would be in the frame, too,
/// for whichever thread resumes.
class SplitCoroutinesPass : public llvm::PassInfoMixin<SplitCoroutinesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);
};

} // namespace heapprof

#endif
