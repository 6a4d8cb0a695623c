// LoopRange.cpp - from the innermost loop outwards, as far as it stays exact.
// Addresses and counts are scalar evolutions until all are decided.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopRange.h"
#include "LLVMVersion.h"
#include "Options.h"
#include "Statistics.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heapprof {

LoopRangeFinder::LoopRangeFinder(Function &F, ScalarEvolution &SE,
                                 const DominatorTree &DT, const LoopInfo &LI,
                                 MergeBarriers &Barriers)
    : SE(SE), DT(DT), LI(LI), Barriers(Barriers),
      Expander(makeExpander(SE, F.getParent()->getDataLayout())) {}

/// A loop with one exit, whose number of turns can be computed before it and
/// whose iterations, once begun, come to their end.
const LoopRangeFinder::Count &LoopRangeFinder::countOf(const Loop *L) {
  auto [Known, New] = Counts.try_emplace(L);
  if (!New)
    return Known->second;
  BasicBlock *Before = L->getLoopPreheader();
  BasicBlock *Exiting = L->getExitingBlock();
  BasicBlock *Latch = L->getLoopLatch();
  if (!Before || !Exiting || !Latch || !DT.dominates(Exiting, Latch) ||
      Barriers.in(*L))
    return Known->second;
  const SCEV *Turns = SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(Turns) ||
      SE.getTypeSizeInBits(Turns->getType()) > 64)
    return Known->second;
  Type *Int64 = Type::getInt64Ty(SE.getContext());
  Count C;
  C.Before = Before;
  C.Exiting = Exiting;
  C.Latch = Latch;
  C.Turns = SE.getNoopOrZeroExtend(Turns, Int64);
  return Counts[L] = C;
}

/// Makes \p R, executed in a block directly in \p L, what it amounts to before
/// L.  Behind the exit it may be executed no times: then its counts are 0,
/// which a hook takes for no access, whatever the bytes.
bool LoopRangeFinder::leave(RangeAccess &R, const Loop *L) {
  const Count &C = countOf(L);
  if (!C.Before || LI.getLoopFor(R.Block) != L)
    return false;
  const SCEV *One = SE.getOne(C.Turns->getType());
  const SCEV *Times, *Steps;
  if (DT.dominates(R.Block, C.Exiting)) {
    Times = SE.getAddExpr(C.Turns, One);
    Steps = C.Turns;
  } else if (DT.dominates(C.Exiting, R.Block) &&
             DT.dominates(R.Block, C.Latch)) {
    Times = C.Turns;
    Steps = SE.getMinusSCEV(C.Turns, One);
  } else {
    return false;
  }
  if (!SE.isLoopInvariant(R.Bytes, L) || !SE.isLoopInvariant(R.Reads, L) ||
      !SE.isLoopInvariant(R.Writes, L))
    return false;

  RangeAccess Out = R;
  if (!SE.isLoopInvariant(R.Low, L)) {
    auto *Walk = dyn_cast<SCEVAddRecExpr>(R.Low);
    if (!Walk || Walk->getLoop() != L || !Walk->isAffine())
      return false;
    const SCEV *Step = Walk->getStepRecurrence(SE);
    if (!SE.isLoopInvariant(Step, L))
      return false;
    const SCEV *Distance = SE.getMulExpr(
        SE.getTruncateOrSignExtend(Step, C.Turns->getType()), Steps);
    Out.Low = Walk->getStart();
    if (SE.isKnownNonNegative(Step)) {
      Out.Bytes = SE.getAddExpr(R.Bytes, Distance);
    } else if (SE.isKnownNonPositive(Step)) {
      Out.Low = SE.getAddExpr(Out.Low, Distance);
      Out.Bytes = SE.getMinusSCEV(R.Bytes, Distance);
    } else {
      const SCEV *Zero = SE.getZero(Distance->getType());
      const SCEV *Back = SE.getSMinExpr(Zero, Distance);
      const SCEV *Forth = SE.getSMaxExpr(Zero, Distance);
      Out.Low = SE.getAddExpr(Out.Low, Back);
      Out.Bytes = SE.getAddExpr(R.Bytes, SE.getMinusSCEV(Forth, Back));
    }
  }
  Out.Reads = SE.getMulExpr(R.Reads, Times);
  Out.Writes = SE.getMulExpr(R.Writes, Times);
  Out.Block = C.Before;
  Out.Left = L;
  const Instruction *At = C.Before->getTerminator();
  for (const SCEV *S : {Out.Low, Out.Bytes, Out.Reads, Out.Writes})
    if (!SE.isLoopInvariant(S, L) || !Expander.isSafeToExpandAt(S, At))
      return false;
  R = Out;
  return true;
}

/// Joins \p R with one of the same place whose address differs by a constant.
bool LoopRangeFinder::join(const RangeAccess &R) {
  for (RangeAccess &Other : Ranges) {
    if (Other.Block != R.Block ||
        SE.getPointerBase(Other.Low) != SE.getPointerBase(R.Low))
      continue;
    auto *Gap = dyn_cast<SCEVConstant>(SE.getMinusSCEV(R.Low, Other.Low));
    auto *Longer =
        dyn_cast<SCEVConstant>(SE.getMinusSCEV(R.Bytes, Other.Bytes));
    // Only with equal counts: that one of them is 0 tells that its bytes are
    // not touched.
    auto Live = [](const RangeAccess &A) {
      return A.Reads->isZero() ? A.Writes : A.Reads;
    };
    if (!Gap || !Longer || Live(R) != Live(Other))
      continue;
    const int64_t From = Gap->getAPInt().getSExtValue();
    const int64_t To = From + Longer->getAPInt().getSExtValue();
    const int64_t Low = std::min<int64_t>(From, 0);
    const int64_t High = std::max<int64_t>(To, 0);
    Type *Int64 = Other.Bytes->getType();
    Other.Low = SE.getAddExpr(
        Other.Low, SE.getConstant(Int64, uint64_t(Low), /*isSigned=*/true));
    Other.Bytes =
        SE.getAddExpr(Other.Bytes, SE.getConstant(Int64, uint64_t(High - Low),
                                                  /*isSigned=*/true));
    Other.Reads = SE.getAddExpr(Other.Reads, R.Reads);
    Other.Writes = SE.getAddExpr(Other.Writes, R.Writes);
    return true;
  }
  return false;
}

void LoopRangeFinder::take(SmallVectorImpl<MergedAccess> &Accesses) {
  Type *Int64 = Type::getInt64Ty(SE.getContext());
  erase_if(Accesses, [&](const MergedAccess &A) {
    const Loop *L = LI.getLoopFor(A.At->getParent());
    if (!L || !SE.isSCEVable(A.Pointer->getType()))
      return false;
    RangeAccess R;
    R.Block = A.At->getParent();
    R.Low = SE.getAddExpr(
        SE.getSCEV(A.Pointer),
        SE.getConstant(Int64, uint64_t(A.Low), /*isSigned=*/true));
    R.Bytes = SE.getConstant(Int64, uint64_t(A.High - A.Low));
    R.Reads = SE.getConstant(Int64, A.Reads);
    R.Writes = SE.getConstant(Int64, A.Writes);
    for (; L && leave(R, L); L = L->getParentLoop())
      ++NumLoopLevelsLeft;
    if (!R.Left)
      return false;
    ++NumLoopRangesMade;
    if (!join(R))
      Ranges.push_back(R);
    return true;
  });
}

SmallVector<RangeValues, 8> LoopRangeFinder::expand() {
  SmallVector<RangeValues, 8> Result;
  for (const RangeAccess &R : Ranges) {
    Instruction *At = R.Block->getTerminator();
    RangeValues V;
    V.At = At;
    if (const BasicBlock *Exit = R.Left->getUniqueExitBlock())
      if (DT.dominates(R.Block, Exit) &&
          Exit->getFirstInsertionPt() != Exit->end())
        V.End = const_cast<Instruction *>(&*Exit->getFirstInsertionPt());
    V.Low = Expander.expandCodeFor(R.Low, R.Low->getType(), At->getIterator());
    for (auto [Into, From] : {std::pair{&V.Bytes, R.Bytes},
                              {&V.Reads, R.Reads},
                              {&V.Writes, R.Writes}})
      *Into = Expander.expandCodeFor(From, From->getType(), At->getIterator());
    Result.push_back(V);
  }
  return Result;
}

} // namespace heapprof
