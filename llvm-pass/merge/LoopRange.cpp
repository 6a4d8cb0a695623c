// LoopRange.cpp - from the innermost loop outwards, as far as it stays exact.
// Addresses and counts are scalar evolutions until all are decided.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/LoopRange.h"
#include "base/LLVMVersion.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heapprof {

/// So many branches are looked at to tell when a block is executed.
constexpr unsigned MaxDecisions = 8;

LoopRangeFinder::LoopRangeFinder(Function &F, ScalarEvolution &SE,
                                 const DominatorTree &DT, const LoopInfo &LI,
                                 MergeBarriers &Barriers)
    : F(F), SE(SE), DT(DT), LI(LI), Barriers(Barriers),
      Int64(Type::getInt64Ty(F.getContext())),
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
  Count C;
  C.Before = Before;
  C.Exiting = Exiting;
  C.Latch = Latch;
  C.Turns = SE.getNoopOrZeroExtend(Turns, Int64);
  return Counts[L] = C;
}

/// How often \p BB is executed in a turn of \p L, which is its innermost loop:
/// 1; or 0 or 1, by conditions that are the same in all turns; null: neither.
const SCEV *LoopRangeFinder::timesInTurn(const BasicBlock *BB, const Loop *L,
                                         unsigned Depth) {
  if (LI.getLoopFor(BB) != L)
    return nullptr;
  if (DT.dominates(BB, countOf(L).Latch))
    return SE.getOne(Int64);
  if (Depth == MaxDecisions)
    return nullptr;
  auto [Known, New] = InTurn.try_emplace(BB, nullptr);
  if (!New)
    return Known->second;
  const SCEV *Times = SE.getZero(Int64);
  for (const BasicBlock *From : predecessors(BB)) {
    const SCEV *Taken = timesTaken(From, BB, L, Depth + 1);
    if (!Taken)
      return nullptr;
    Times = SE.getAddExpr(Times, Taken);
  }
  return InTurn[BB] = Times;
}

/// The same of a way from one block to the next.  Inner loops are passed as a
/// whole.
const SCEV *LoopRangeFinder::timesTaken(const BasicBlock *From,
                                        const BasicBlock *To, const Loop *L,
                                        unsigned Depth) {
  if (const Loop *Inner = LI.getLoopFor(From); Inner != L) {
    if (!Inner || Inner->getParentLoop() != L || Inner->getExitBlock() != To ||
        countOf(Inner).Exiting != From)
      return nullptr;
    return timesInTurn(countOf(Inner).Before, L, Depth);
  }
  const SCEV *Times = timesInTurn(From, L, Depth);
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Times || !Branch)
    return nullptr;
  if (Branch->isUnconditional() || From == countOf(L).Exiting)
    return Times;
  const SCEV *Condition =
      SE.getZeroExtendExpr(SE.getSCEV(Branch->getCondition()), Int64);
  if (Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      !SE.isLoopInvariant(Condition, L))
    return nullptr;
  if (Branch->getSuccessor(1) == To)
    Condition = SE.getMinusSCEV(SE.getOne(Int64), Condition);
  return SE.getMulExpr(Times, Condition);
}

/// What \p Join, in a block directly in \p L, is where that is executed; null
/// if which way leads there may change from turn to turn.
const SCEV *LoopRangeFinder::valueOf(const PHINode *Join, const Loop *L) {
  const SCEV *Base = nullptr, *Value = nullptr;
  for (unsigned I = 0; I != Join->getNumIncomingValues(); ++I) {
    const SCEV *Part =
        SE.getSCEVAtScope(SE.getSCEV(Join->getIncomingValue(I)), L);
    const SCEV *Taken =
        timesTaken(Join->getIncomingBlock(I), Join->getParent(), L, 0);
    if (!Taken)
      return nullptr;
    if (Join->getType()->isPointerTy()) {
      const SCEV *Its = SE.getPointerBase(Part);
      if (Base && Base != Its)
        return nullptr;
      Base = Its;
      Part = SE.removePointerBase(Part);
    }
    Part = SE.getMulExpr(
        Part,
        SE.getTruncateOrNoop(Taken, SE.getEffectiveSCEVType(Part->getType())));
    Value = Value ? SE.getAddExpr(Value, Part) : Part;
  }
  return Base ? SE.getAddExpr(Base, Value) : Value;
}

/// \p S, with the phis of joins in \p L replaced by what is known of them.
const SCEV *LoopRangeFinder::resolveJoins(const SCEV *S, const Loop *L) {
  ValueToSCEVMapTy Values;
  SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *Join = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr;
    if (Join && LI.getLoopFor(Join->getParent()) == L &&
        Join->getParent() != L->getHeader() &&
        SE.getTypeSizeInBits(Join->getType()) <= 64)
      if (const SCEV *Value = valueOf(Join, L))
        Values[Join] = Value;
    return false;
  });
  return Values.empty() ? S : SCEVParameterRewriter::rewrite(S, SE, Values);
}

/// \p R is executed \p Times, each time \p Step bytes further; null: at the same
/// place.
void LoopRangeFinder::addStep(RangeAccess &R, const SCEV *Step,
                              const SCEV *Times) {
  if (!CountMembers)
    return;
  const SCEV *Further =
      Step ? SE.getAbsExpr(SE.getTruncateOrSignExtend(Step, Int64),
                           /*IsNSW=*/false)
           : SE.getZero(Int64);
  R.Steps.push_back({Further, Times});
}

/// Makes \p R, executed in a block directly in \p L, what it amounts to before
/// L.  It may be executed no times: then its counts are 0, which a hook takes
/// for no access, whatever the bytes.
bool LoopRangeFinder::leave(RangeAccess &R, const Loop *L) {
  const Count &C = countOf(L);
  const SCEV *Executed = C.Before ? timesInTurn(R.Block, L) : nullptr;
  if (!Executed)
    return false;
  const SCEV *Steps = C.Turns;
  if (DT.properlyDominates(C.Exiting, R.Block))
    Steps = SE.getMinusSCEV(Steps, SE.getOne(Int64));
  const SCEV *Times =
      SE.getMulExpr(SE.getAddExpr(Steps, SE.getOne(Int64)), Executed);
  RangeAccess Out = R;
  for (const SCEV **S : {&Out.Low, &Out.Bytes, &Out.Reads, &Out.Writes})
    *S = resolveJoins(*S, L);
  if (!SE.isLoopInvariant(Out.Bytes, L) || !SE.isLoopInvariant(Out.Reads, L) ||
      !SE.isLoopInvariant(Out.Writes, L))
    return false;

  for (auto &S : Out.Steps) {
    S.Step = resolveJoins(S.Step, L);
    S.Times = resolveJoins(S.Times, L);
  }
  const SCEV *Further = nullptr;
  if (!SE.isLoopInvariant(Out.Low, L)) {
    auto *Walk = dyn_cast<SCEVAddRecExpr>(Out.Low);
    if (!Walk || Walk->getLoop() != L || !Walk->isAffine())
      return false;
    const SCEV *Step = Walk->getStepRecurrence(SE);
    if (!SE.isLoopInvariant(Step, L))
      return false;
    Further = Step;
    const SCEV *Distance = SE.getMulExpr(
        SE.getTruncateOrSignExtend(Step, C.Turns->getType()), Steps);
    Out.Low = Walk->getStart();
    if (SE.isKnownNonNegative(Step)) {
      Out.Bytes = SE.getAddExpr(Out.Bytes, Distance);
    } else if (SE.isKnownNonPositive(Step)) {
      Out.Low = SE.getAddExpr(Out.Low, Distance);
      Out.Bytes = SE.getMinusSCEV(Out.Bytes, Distance);
    } else {
      const SCEV *Zero = SE.getZero(Distance->getType());
      const SCEV *Back = SE.getSMinExpr(Zero, Distance);
      const SCEV *Forth = SE.getSMaxExpr(Zero, Distance);
      Out.Low = SE.getAddExpr(Out.Low, Back);
      Out.Bytes = SE.getAddExpr(Out.Bytes, SE.getMinusSCEV(Forth, Back));
    }
  }
  addStep(Out, Further, Times);
  Out.Reads = SE.getMulExpr(Out.Reads, Times);
  Out.Writes = SE.getMulExpr(Out.Writes, Times);
  Out.Block = C.Before;
  Out.Left = L;
  const Instruction *At = C.Before->getTerminator();
  for (const SCEV *S : {Out.Low, Out.Bytes, Out.Reads, Out.Writes})
    if (!SE.isLoopInvariant(S, L) || !Expander.isSafeToExpandAt(S, At))
      return false;
  for (const auto &S : Out.Steps)
    for (const SCEV *Its : {S.Step, S.Times})
      if (!SE.isLoopInvariant(Its, L) || !Expander.isSafeToExpandAt(Its, At))
        return false;
  R = std::move(Out);
  return true;
}

/// Whether both go the same way, so that one list of steps is right of both.
static bool goTogether(const RangeAccess &A, const RangeAccess &B) {
  return equal(A.Steps, B.Steps, [](const auto &One, const auto &Other) {
    return One.Step == Other.Step && One.Times == Other.Times;
  });
}

/// Whether the counts of both are 0 at the same times, which tells that their
/// bytes are not touched.
static bool areMadeTogether(const RangeAccess &A, const RangeAccess &B) {
  auto Turns = [](const RangeAccess &R) {
    return R.Reads->isZero() ? R.Writes : R.Reads;
  };
  return Turns(A) == Turns(B);
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
    if (!Gap || !Longer || !areMadeTogether(R, Other) || !goTogether(R, Other))
      continue;
    const int64_t From = Gap->getAPInt().getSExtValue();
    const int64_t To = From + Longer->getAPInt().getSExtValue();
    const int64_t Low = std::min<int64_t>(From, 0);
    const int64_t High = std::max<int64_t>(To, 0);
    Other.Low = SE.getAddExpr(
        Other.Low, SE.getConstant(Int64, uint64_t(Low), /*isSigned=*/true));
    Other.Bytes =
        SE.getAddExpr(Other.Bytes, SE.getConstant(Int64, uint64_t(High - Low),
                                                  /*isSigned=*/true));
    Other.Reads = SE.getAddExpr(Other.Reads, R.Reads);
    Other.Writes = SE.getAddExpr(Other.Writes, R.Writes);
    PlacesInGroup Both;
    addPlaces(Both, Other.Places, -Low);
    addPlaces(Both, R.Places, From - Low);
    Other.Places = std::move(Both);
    return true;
  }
  return false;
}

void LoopRangeFinder::take(SmallVectorImpl<MergedAccess> &Accesses) {
  // Loops with two entries are none of LoopInfo's.
  if (mayContainIrreducibleControl(F, &LI))
    return;
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
    addPlaces(R.Places, A.Places, -A.Low);
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

/// Of so many ranges on, the hull takes fewer instructions than their hooks.
constexpr size_t FewParts = 3;

/// The bytes from the first to the last of \p Parts, and what is counted in all.
std::optional<RangeAccess>
LoopRangeFinder::hullOf(ArrayRef<const RangeAccess *> Parts) const {
  if (Parts.size() < FewParts || CountMembers || F.hasOptSize())
    return std::nullopt;
  RangeAccess Hull = *Parts.front();
  const SCEV *From = SE.getZero(Int64), *To = Hull.Bytes;
  for (const RangeAccess *Part : Parts.drop_front()) {
    const SCEV *Offset = SE.getMinusSCEV(Part->Low, Parts.front()->Low);
    From = SE.getSMinExpr(From, Offset);
    To = SE.getSMaxExpr(To, SE.getAddExpr(Offset, Part->Bytes));
    Hull.Reads = SE.getAddExpr(Hull.Reads, Part->Reads);
    Hull.Writes = SE.getAddExpr(Hull.Writes, Part->Writes);
  }
  Hull.Low = SE.getAddExpr(Hull.Low, From);
  Hull.Bytes = SE.getMinusSCEV(To, From);
  const Instruction *At = Hull.Block->getTerminator();
  for (const SCEV *S : {Hull.Low, Hull.Bytes, Hull.Reads, Hull.Writes})
    if (!Expander.isSafeToExpandAt(S, At))
      return std::nullopt;
  return Hull;
}

RangeValues LoopRangeFinder::valuesOf(const RangeAccess &R) {
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
  V.Places = R.Places;
  for (const auto &S : R.Steps)
    V.Steps.push_back(
        {Expander.expandCodeFor(S.Step, Int64, At->getIterator()),
         Expander.expandCodeFor(S.Times, Int64, At->getIterator())});
  return V;
}

SmallVector<RangeValues, 8> LoopRangeFinder::expand() {
  SmallVector<SmallVector<const RangeAccess *, 4>, 8> Groups;
  for (const RangeAccess &R : Ranges) {
    auto *Group = find_if(Groups, [&](const auto &Those) {
      const RangeAccess &Other = *Those.front();
      return Other.Block == R.Block && Other.Left == R.Left &&
             SE.getPointerBase(Other.Low) == SE.getPointerBase(R.Low) &&
             areMadeTogether(Other, R);
    });
    if (Group == Groups.end())
      Groups.push_back({&R});
    else
      Group->push_back(&R);
  }
  SmallVector<RangeValues, 8> Result;
  for (const auto &Group : Groups) {
    std::vector<RangeValues> Parts;
    for (const RangeAccess *R : Group)
      Parts.push_back(valuesOf(*R));
    if (const auto Hull = hullOf(Group)) {
      Result.push_back(valuesOf(*Hull));
      Result.back().Parts = std::move(Parts);
    } else {
      append_range(Result, Parts);
    }
  }
  return Result;
}

} // namespace heapprof
