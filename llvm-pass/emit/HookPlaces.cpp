// HookPlaces.cpp - frequencies beside that of the function's entry.
// The blocks must be those of the loops; nothing is kept of what is computed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookPlaces.h"
#include "base/Options.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace heapprof {

/// The cases of an interpreter's switch are executed often, although each is
/// one of many: in a loop so much less is often.
constexpr double ManyWays = 16;

/// Only for a processor on which the runtime's call is as short as it is meant
/// to be.
static bool hasShortCall(const Function &F) {
  return Triple(F.getParent()->getTargetTriple()).getArch() == Triple::x86_64;
}

void markPlaces(const Function &F, const LoopInfo &LI,
                const TargetLibraryInfo &TLI, const ProfileSummaryInfo &Profile,
                MutableArrayRef<MergedAccess> Accesses) {
  if (!InlineAbove || Accesses.empty() || !hasShortCall(F))
    return;
  const bool IsProfiled = F.hasProfileData() && Profile.hasProfileSummary();
  if (LI.empty() && !IsProfiled && InlineAbove >= 100) {
    for (MergedAccess &A : Accesses)
      A.Seldom = !A.Repeats;
    return;
  }
  const BranchProbabilityInfo Ways(F, LI, &TLI);
  const BlockFrequencyInfo Often(F, Ways, LI);
  const double Entry = double(Often.getEntryFreq().getFrequency());
  for (MergedAccess &A : Accesses) {
    const BasicBlock *At = A.At->getParent();
    const bool InLoop = LI.getLoopFor(At) != nullptr;
    double Percent =
        100 * double(Often.getBlockFreq(At).getFrequency()) / Entry;
    if (InLoop)
      Percent *= ManyWays;
    const bool IsHot = IsProfiled ? Profile.isHotBlock(At, &Often)
                                  : Percent > double(InlineAbove);
    A.Seldom = !IsHot && !A.Repeats;
    A.Often = IsHot && InLoop;
  }
}

} // namespace heapprof
