// HeapProfPass.cpp - collect, filter, emit; function by function.
// Instruments a module once, whatever pipelines it goes through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeapProfPass.h"
#include "AccessCollector.h"
#include "AccessFilter.h"
#include "AccessMerger.h"
#include "AccessSinker.h"
#include "FunctionFilter.h"
#include "HookEmitter.h"
#include "InterceptionGuard.h"
#include "LoopExits.h"
#include "LoopRange.h"
#include "ModuleConstructor.h"
#include "Options.h"
#include "PointerPlaces.h"
#include "RecordInliner.h"
#include "ShortCopies.h"
#include "Statistics.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace heapprof {

/// Counts several accesses by one hook where that is exact, and leaves the
/// others in \p Accesses.
static void emitMerged(Function &F, FunctionAnalysisManager &Analyses,
                       SmallVectorImpl<Access> &Accesses,
                       HookEmitter &Emitter) {
  auto &DT = Analyses.getResult<DominatorTreeAnalysis>(F);
  auto &LI = Analyses.getResult<LoopAnalysis>(F);
  // The last passes may have left loops without a block before them.  This
  // adds blocks and changes no access.
  for (Loop *L : LI)
    simplifyLoop(L, &DT, &LI, nullptr,
                 &Analyses.getResult<AssumptionAnalysis>(F), nullptr,
                 /*PreserveLCSSA=*/false);
  MergeBarriers Barriers;
  auto Merged = AccessMerger(F, DT, LI, Barriers).merge(Accesses);
  SmallVector<RangeValues, 8> Ranges;
  SmallVector<MergedAccess, 8> Behind;
  if (!LI.empty() && !Merged.empty()) {
    auto &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    if (LoopRanges) {
      LoopRangeFinder Finder(F, SE, DT, LI, Barriers);
      Finder.take(Merged);
      Ranges = Finder.expand();
    }
    if (CountAtExits)
      Behind = LoopExits(F, SE, DT, LI, Barriers).take(Merged);
  }
  if (SinkAccesses)
    AccessSinker(F, DT, LI).sink(Merged);
  Merged.append(Behind);
  for (const RangeValues &R : Ranges)
    Emitter.emitMany(R.At, R.Low, R.Bytes, R.Reads, R.Writes);
  const bool Inline = InlineRecords && !F.hasMinSize();
  erase_if(Merged, [&](const MergedAccess &M) {
    if (Inline && RecordInliner::takes(M))
      return false;
    Emitter.emit(M);
    return true;
  });
  if (Inline)
    RecordInliner(F, LI, Barriers).emit(Merged);
  // From here on the analyses are out of date.
  for (const RangeValues &R : Ranges)
    if (R.End)
      Emitter.emitTouch(R.End, R.Low, {R.Reads, R.Writes});
}

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
  const PointerPlaces Places(M);
  const AccessFilter WhichAccesses(Places);
  HookEmitter Emitter(M);
  for (Function &F : M) {
    if (WhichFunctions.skips(F))
      continue;
    Emitter.beginFunction(F);
    const bool Shorten = !Naive && Optimise && !F.hasOptNone();
    if (Shorten && ShortCopies && InstrumentMemIntrinsics)
      keepShortCopies(F);
    auto Accesses = Collector.collect(F);
    erase_if(Accesses, [&](const Access &A) { return WhichAccesses.skips(A); });
    if (Shorten)
      emitMerged(F, FunctionAnalyses, Accesses, Emitter);
    for (const Access &A : Accesses)
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
