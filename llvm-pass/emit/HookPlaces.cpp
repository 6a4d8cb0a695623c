// HookPlaces.cpp - frequencies beside that of the function's entry.
// The blocks must be those of the loops; nothing is kept of what is computed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookPlaces.h"
#include "base/Options.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace heapprof {

namespace {

/// The cases of an interpreter's switch are executed often, although each is
/// one of many: in a loop so much less is often.
constexpr double ManyWays = 16;

/// Only for a processor on which the runtime's call is as short as it is meant
/// to be.
bool hasShortCall(const Function &F) {
  return Triple(F.getParent()->getTargetTriple()).getArch() == Triple::x86_64;
}

/// Less likely than these are, of two ways, what the program says is unlikely;
/// and, where it says nothing, those to cold calls and to ends without a return.
const BranchProbability SaidUnlikely(1, 256), TakenAsUnlikely(1, 16);
/// Small functions are called most, and code costs least in them.
constexpr unsigned AboveIfFew = 20;
/// In such a function's loops a hook goes the shortest way to the runtime, too.
constexpr size_t FewInLoops = 32;
/// Of 100 calls of its function a hook executed in fewer is rare.
constexpr double RareBelow = 10;
/// So many branches at most stand between an unlikely way and a hook.
constexpr unsigned MostBranches = 8;

/// Whether \p BB lies on an unlikely way through its loop, or its function.  To
/// the frequencies much of a hot loop's cold code is hot.
bool isUnlikely(const BasicBlock *BB, const LoopInfo &LI,
                const BranchProbabilityInfo &Ways) {
  for (unsigned Step = 0; Step != MostBranches; ++Step) {
    const BasicBlock *Before = BB->getSinglePredecessor();
    if (!Before || LI.getLoopFor(Before) != LI.getLoopFor(BB))
      return false;
    const Instruction *End = Before->getTerminator();
    if (End->getNumSuccessors() == 2 &&
        Ways.getEdgeProbability(Before, BB) <
            (End->getMetadata(LLVMContext::MD_prof) ? SaidUnlikely
                                                    : TakenAsUnlikely))
      return true;
    BB = Before;
  }
  return false;
}

/// Whether \p F has the loop of an interpreter: of its many ways each is as likely
/// to the frequencies, so that they do not tell which are executed.
bool interprets(const Function &F, const LoopInfo &LI) {
  return any_of(F, [&](const BasicBlock &BB) {
    const Instruction *End = BB.getTerminator();
    return isa<SwitchInst, IndirectBrInst>(End) &&
           End->getNumSuccessors() >= ManyWays && LI.getLoopFor(&BB);
  });
}

/// An access that would be counted inline, and how often it is executed.
struct Candidate {
  double Percent;
  MergedAccess *Access;
};

/// A function that is one loop in the other has hooks that are executed often by
/// the hundred, and most of them far less than the few in the innermost ones.
void keepMost(MutableArrayRef<Candidate> Inline) {
  if (InlineMost == 0 || Inline.size() <= InlineMost)
    return;
  sort(Inline, [](const Candidate &A, const Candidate &B) {
    return std::make_pair(-A.Percent, A.Access) <
           std::make_pair(-B.Percent, B.Access);
  });
  for (const Candidate &C : Inline.drop_front(InlineMost)) {
    C.Access->Often = false;
    C.Access->Seldom = true;
  }
}

} // namespace

void markPlaces(const Function &F, const LoopInfo &LI,
                const TargetLibraryInfo &TLI, const ProfileSummaryInfo &Profile,
                MutableArrayRef<MergedAccess> Accesses) {
  if (!InlineAbove || Accesses.empty() || !hasShortCall(F))
    return;
  const bool IsProfiled = F.hasProfileData() && Profile.hasProfileSummary();
  const unsigned Above = Accesses.size() > InlineFew
                             ? unsigned(InlineAbove)
                             : std::min(unsigned(InlineAbove), AboveIfFew);
  const BranchProbabilityInfo Ways(F, LI, &TLI);
  const BlockFrequencyInfo Often(F, Ways, LI);
  SmallVector<Candidate, 64> Inline;
  const double Entry = double(Often.getEntryFreq().getFrequency());
  for (MergedAccess &A : Accesses) {
    const BasicBlock *At = A.At->getParent();
    const bool InLoop = LI.getLoopFor(At) != nullptr;
    double Percent =
        100 * double(Often.getBlockFreq(At).getFrequency()) / Entry;
    if (InLoop)
      Percent *= ManyWays;
    const bool IsHot =
        IsProfiled ? Profile.isHotBlock(At, &Often)
                   : Percent > double(Above) && !isUnlikely(At, LI, Ways);
    A.Seldom = !IsHot && !A.Repeats;
    A.Rare = A.Seldom && Percent < RareBelow;
    A.Often = IsHot && InLoop;
    A.Tight = A.Often && Accesses.size() <= FewInLoops;
    if (A.Often && !A.Repeats)
      Inline.push_back({Percent, &A});
  }
  if (!IsProfiled && !interprets(F, LI))
    keepMost(Inline);
}

} // namespace heapprof
