// HeapProfPass.cpp - collect, filter, emit; function by function.
// Instruments a module once, whatever pipelines it goes through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeapProfPass.h"
#include "access/AccessCollector.h"
#include "access/InlineLimits.h"
#include "access/ShortCopies.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "emit/FrameKeeper.h"
#include "emit/HookEmitter.h"
#include "emit/HookPlaces.h"
#include "emit/HookedCode.h"
#include "emit/ModuleConstructor.h"
#include "emit/RecordInliner.h"
#include "emit/SampledForm.h"
#include "emit/WordHooks.h"
#include "filter/AccessFilter.h"
#include "filter/FunctionFilter.h"
#include "filter/InterceptionGuard.h"
#include "filter/PointerPlaces.h"
#include "merge/AccessMerger.h"
#include "merge/AccessSinker.h"
#include "merge/ChosenPlaces.h"
#include "merge/LoopExits.h"
#include "merge/LoopRange.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace heapprof {

/// Two forms of a function of fewer inline hooks differ too little.
constexpr ptrdiff_t FewHooks = 4;
/// Nor is a second form worth more instructions for each of them in a loop.
constexpr ptrdiff_t MostCopied = 24;

/// The hooks that a function still lacks.
struct Hooks {
  SmallVector<MergedAccess, 8> Inline;
  SmallVector<Access, 32> Single;
  SmallVector<RangeValues, 8> Touches; ///< behind loops counted before them
  const LoopInfo *Loops = nullptr;     ///< if there are inline ones
  MergeBarriers Barriers;

  /// Whether \p F is to be there twice.
  bool areMany(const Function &F) const {
    const ptrdiff_t Many = count_if(Inline, [](const MergedAccess &A) {
      return InlineAbove ? A.Often : true;
    });
    return Many >= FewHooks &&
           (!InlineAbove || F.getInstructionCount() <= Many * MostCopied);
  }

  Hooks of(const SampledForm &Form) const {
    Hooks Theirs;
    auto In = [&](const auto &It) { return Form.of(It); };
    append_range(Theirs.Inline, map_range(Inline, In));
    append_range(Theirs.Single, map_range(Single, In));
    append_range(Theirs.Touches, map_range(Touches, In));
    Theirs.Loops = Loops; // none of them is the copy's
    return Theirs;
  }
};

/// The last passes may have left loops without a block before them.  This adds
/// blocks; it also drops phis, those of pointers, too, and code that nothing leads
/// to, so that it comes before accesses are collected.
static void simplifyLoops(Function &F, FunctionAnalysisManager &Analyses) {
  auto &DT = Analyses.getResult<DominatorTreeAnalysis>(F);
  auto &LI = Analyses.getResult<LoopAnalysis>(F);
  for (Loop *L : LI)
    simplifyLoop(L, &DT, &LI, nullptr,
                 &Analyses.getResult<AssumptionAnalysis>(F), nullptr,
                 /*PreserveLCSSA=*/false);
}

/// Counts several accesses by one hook where that is exact: of Its.Single those
/// that are left.  Hooks that are calls are written already.
static void merge(Function &F, FunctionAnalysisManager &Analyses,
                  const ProfileSummaryInfo &Profile, Hooks &Its,
                  HookEmitter &Emitter) {
  auto &DT = Analyses.getResult<DominatorTreeAnalysis>(F);
  auto &LI = Analyses.getResult<LoopAnalysis>(F);
  // What is never executed may have addresses that are computed of themselves.
  erase_if(Its.Single, [&](const Access &A) {
    return !DT.isReachableFromEntry(A.At->getParent());
  });
  auto Merged = AccessMerger(F, DT, LI, Its.Barriers).merge(Its.Single);
  SmallVector<RangeValues, 8> Ranges;
  SmallVector<MergedAccess, 8> Behind;
  if (!LI.empty() && !Merged.empty()) {
    auto &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    if (LoopRanges) {
      LoopRangeFinder Finder(F, SE, DT, LI, Its.Barriers);
      Finder.take(Merged);
      Ranges = Finder.expand();
    }
    if (CountAtExits)
      Behind = LoopExits(F, SE, DT, LI, Its.Barriers).take(Merged);
  }
  if (SinkAccesses)
    AccessSinker(F, DT, LI).sink(Merged);
  Merged.append(Behind);
  DomTreeUpdater Tree(DT, DomTreeUpdater::UpdateStrategy::Eager);
  for (const RangeValues &R : Ranges) {
    Emitter.emit(R, Tree, LI);
    if (R.End)
      Its.Touches.push_back(R);
  }
  const bool Inline = InlineRecords && !F.hasMinSize();
  for (const MergedAccess &M : Merged)
    if (Inline && mayInline(M))
      Its.Inline.push_back(M);
    else
      Emitter.emit(M);
  if (!ExpectSamples)
    markPlaces(F, LI, Analyses.getResult<TargetLibraryAnalysis>(F), Profile,
               Its.Inline);
  if (MergeAccesses && !ExpectSamples && !CountMembers)
    joinChosenPlaces(F, Its.Inline);
  Its.Loops = &LI;
}

static void write(Function &F, Hooks &Its, const TargetLibraryInfo &TLI,
                  HookEmitter &Emitter, bool ForSamples) {
  Emitter.beginFunction(F);
  if (!Its.Inline.empty())
    RecordInliner(F, *Its.Loops, Its.Barriers, ForSamples).emit(Its.Inline);
  // From here on the analyses are out of date.
  for (const RangeValues &R : Its.Touches)
    Emitter.emitTouch(R.End, R.Low, {R.Reads, R.Writes});
  for (const Access &A : Its.Single)
    Emitter.emit(A);
  keepLibraryCalls(F, TLI);
  markHooked(F);
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
  const auto &Profile = Analyses.getResult<ProfileSummaryAnalysis>(M);
  FunctionFilter WhichFunctions(M, List);
  AccessCollector Collector(M);
  const PointerPlaces Places(M);
  const AccessFilter WhichAccesses(Places);
  HookEmitter Emitter(M);
  SampledForms Forms;
  SmallVector<Function *, 0> Functions;
  SmallPtrSet<const Function *, 16> Skipped;
  for (Function &F : M)
    if (WhichFunctions.skips(F))
      Skipped.insert(&F);
    else
      Functions.push_back(&F);
  for (Function &F : M)
    if (Skipped.contains(&F) && !WhichFunctions.isOwn(F))
      keepApart(F);
  for (Function *Each : Functions) {
    Function &F = *Each;
    Emitter.beginFunction(F);
    const bool Shorten = !Naive && Optimise && !F.hasOptNone();
    if (Shorten && ShortCopies && InstrumentMemIntrinsics)
      keepShortCopies(F);
    if (Shorten)
      simplifyLoops(F, FunctionAnalyses);
    Hooks Its;
    lowerUncheckedCopies(F);
    Its.Single = Collector.collect(F);
    erase_if(Its.Single,
             [&](const Access &A) { return WhichAccesses.skips(A); });
    if (Shorten)
      merge(F, FunctionAnalyses, Profile, Its, Emitter);
    auto &TLI = FunctionAnalyses.getResult<TargetLibraryAnalysis>(F);
    if (MakeSampledForms && !ExpectSamples && Its.areMany(F))
      if (const auto Form = Forms.make(F)) {
        Hooks Theirs = Its.of(*Form);
        write(Form->function(), Theirs, TLI, Emitter, /*ForSamples=*/true);
      }
    write(F, Its, TLI, Emitter, ExpectSamples);
    // They are out of date; those of all functions are as large as these.
    FunctionAnalyses.clear(F, F.getName());
    ++NumFunctionsInstrumented;
  }
  Forms.connect();
  makeWordHooks(M);
  for (Function &F : M)
    if (!F.isDeclaration())
      keepStores(F);
  if (KeepFrames)
    keepFrames(M, FunctionAnalyses, Skipped);
  // Tail calls are kept by what is known till here.
  forgetMemoryEffects(M);

  M.addModuleFlag(Module::Max, HP_MODULE_FLAG, HP_ABI_VERSION);
  addModuleConstructor(M);
  if (PrintStats)
    printStatistics();
  return PreservedAnalyses::none();
}

} // namespace heapprof
