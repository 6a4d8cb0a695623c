// HeapProfPass.cpp - collect, filter, emit; function by function.
// Instruments a module once, whatever pipelines it goes through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeapProfPass.h"
#include "AccessCollector.h"
#include "AccessFilter.h"
#include "FunctionFilter.h"
#include "HookEmitter.h"
#include "InterceptionGuard.h"
#include "ModuleConstructor.h"
#include "Options.h"
#include "Statistics.h"

using namespace llvm;

namespace heapprof {

PreservedAnalyses HeapProfPass::run(Module &M,
                                    ModuleAnalysisManager &Analyses) {
  // -ffat-lto-objects optimises the same module twice in one compile step.
  if (M.getModuleFlag(HP_MODULE_FLAG)) {
    ++NumModulesSeenBefore;
    if (PrintStats)
      printStatistics();
    return PreservedAnalyses::all();
  }
  const DataLayout &DL = M.getDataLayout();
  if (DL.isBigEndian() || DL.getPointerSizeInBits(0) != 64) {
    M.getContext().emitError(
        "heapprof: only 64-bit little-endian targets are supported");
    return PreservedAnalyses::all();
  }
  Ignorelist List;
  std::string Error;
  if (!List.read(IgnorelistFiles, Error)) {
    M.getContext().emitError("heapprof: ignore list: " + Error);
    return PreservedAnalyses::all();
  }

  auto &FunctionAnalyses =
      Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FunctionFilter WhichFunctions(M, List);
  AccessCollector Collector(M);
  AccessFilter WhichAccesses;
  HookEmitter Emitter(M);
  for (Function &F : M) {
    if (WhichFunctions.skips(F))
      continue;
    Emitter.beginFunction(F);
    for (const Access &A : Collector.collect(F))
      if (!WhichAccesses.skips(A))
        Emitter.emit(A);
    keepLibraryCalls(F, FunctionAnalyses.getResult<TargetLibraryAnalysis>(F));
    ++NumFunctionsInstrumented;
  }
  for (Function &F : M)
    if (!F.isDeclaration())
      keepStores(F);

  M.addModuleFlag(Module::Max, HP_MODULE_FLAG, HP_ABI_VERSION);
  addModuleConstructor(M);
  if (PrintStats)
    printStatistics();
  return PreservedAnalyses::none();
}

} // namespace heapprof
