// SplitCoroutines.cpp - see SplitCoroutines.h.
// Modules without coroutines, nearly all, are left as they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/SplitCoroutines.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"

using namespace llvm;

PreservedAnalyses
heapprof::SplitCoroutinesPass::run(Module &M, ModuleAnalysisManager &Analyses) {
  if (none_of(M, [](const Function &F) { return F.isPresplitCoroutine(); }))
    return PreservedAnalyses::all();
  return createModuleToPostOrderCGSCCPassAdaptor(
             CoroSplitPass(/*OptimizeFrame=*/true))
      .run(M, Analyses);
}
