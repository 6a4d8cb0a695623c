// ChosenPlaces.cpp - within a block, as nothing but arithmetic is between the two.
// The hook is where the later one is: only there both addresses are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/ChosenPlaces.h"
#include "access/ByteRange.h"
#include "access/InlineLimits.h"
#include "base/LLVMVersion.h"
#include "base/Statistics.h"
#include "merge/MergeBarrier.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include <optional>

using namespace llvm;

namespace heapprof {

/// Nothing is farther from its object.
constexpr int64_t Far = HP_SLOW_BYTES_MAX;
/// Of the accesses of an object in a block so many are looked at.
constexpr size_t MostOfOne = 16;

namespace {
struct Chosen {
  const Value *Base;
  int64_t Least, Most; ///< where the first byte is, at least and at most
};
} // namespace

/// What \p A is an offset from that is not constant; nothing if little is known of
/// that one.
static std::optional<Chosen> chosenPlace(const MergedAccess &A,
                                         const DataLayout &DL) {
  if (A.Low || A.Repeats)
    return std::nullopt;
  auto *GEP = dyn_cast<GEPOperator>(A.Pointer);
  VariableOffsets Variable;
  APInt Constant(64, 0);
  if (!GEP || !GEP->collectOffset(DL, 64, Variable, Constant) ||
      Variable.size() != 1)
    return std::nullopt;
  const auto &[Index, Scale] = *Variable.begin();
  if (!Index->getType()->isIntegerTy(64) || !Scale.isStrictlyPositive() ||
      Scale.sgt(Far))
    return std::nullopt;
  const ConstantRange Range =
      ConstantRange::fromKnownBits(computeKnownBits(Index, DL),
                                   /*IsSigned=*/true)
          .intersectWith(computeConstantRange(Index, /*ForSigned=*/true));
  if (Range.isEmptySet() || Range.getSignedMin().slt(-Far) ||
      Range.getSignedMax().sgt(Far))
    return std::nullopt;
  const Value *Base =
      GEP->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Constant, /*AllowNonInbounds=*/true);
  if (Constant.slt(-Far) || Constant.sgt(Far))
    return std::nullopt;
  const int64_t From = Constant.getSExtValue(), Times = Scale.getSExtValue();
  return Chosen{Base, From + Range.getSignedMin().getSExtValue() * Times,
                From + Range.getSignedMax().getSExtValue() * Times};
}

/// \p Fixed and \p A, whose place is \p Its, as one; null At if their order in the
/// object is not known, or code that calls would get too long.
static MergedAccess joined(const MergedAccess &Fixed, const MergedAccess &A,
                           const Chosen &Its, const DataLayout &DL) {
  const ByteRange Bytes = rangeOf(Fixed, DL);
  MergedAccess Both = Fixed;
  Both.Reads += A.Reads;
  Both.Writes += A.Writes;
  Both.At = nullptr;
  if (std::max(Bytes.High, Its.Most + A.High) - std::min(Bytes.Low, Its.Least) >
          HP_SLOW_BYTES_MAX ||
      !mayInline(Both))
    return Both;
  Instruction *At = Fixed.At->comesBefore(A.At) ? A.At : Fixed.At;
  if (Its.Least >= Bytes.Low && Its.Most + A.High <= Bytes.High) {
    Both.At = At;
  } else if (A.Seldom) {
    return Both;
  } else if (Its.Most <= Bytes.Low && Its.Most + A.High <= Bytes.High) {
    Both.At = At;
    Both.Low -= Bytes.Low - Its.Most;
    Both.From = A.Pointer;
    Both.To = Fixed.Pointer;
    Both.ToBytes = Fixed.High;
  } else if (Its.Least >= Bytes.Low && Its.Least + A.High >= Bytes.High) {
    Both.At = At;
    Both.High += Its.Least + A.High - Bytes.High;
    Both.To = A.Pointer;
    Both.ToBytes = A.High;
  }
  return Both;
}

static bool isBarrierBetween(const MergedAccess &A, const MergedAccess &B) {
  const bool IsFirst = A.At->comesBefore(B.At);
  return any_of(make_range((IsFirst ? A : B).At->getIterator(),
                           (IsFirst ? B : A).At->getIterator()),
                isMergeBarrier);
}

void joinChosenPlaces(Function &F, SmallVectorImpl<MergedAccess> &Accesses) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  DenseMap<std::pair<const BasicBlock *, const Value *>, SmallVector<size_t, 2>>
      Fixed;
  SmallVector<std::pair<size_t, Chosen>, 8> Variable;
  for (size_t I = 0; I != Accesses.size(); ++I)
    if (const auto Its = chosenPlace(Accesses[I], DL))
      Variable.emplace_back(I, *Its);
  if (Variable.empty())
    return;
  for (size_t I = 0; I != Accesses.size(); ++I)
    if (const MergedAccess &A = Accesses[I]; !A.Repeats) {
      auto &Of = Fixed[{A.At->getParent(), rangeOf(A, DL).Base}];
      if (Of.size() != MostOfOne)
        Of.push_back(I);
    }
  for (const auto &[I, Its] : Variable)
    for (const size_t Other :
         Fixed.lookup({Accesses[I].At->getParent(), Its.Base})) {
      MergedAccess &Into = Accesses[Other];
      // What has been joined has two pointers, of which one is looked at here.
      if (!Into.At || Into.To || Accesses[I].To)
        continue;
      const MergedAccess Both = joined(Into, Accesses[I], Its, DL);
      if (!Both.At || isBarrierBetween(Into, Accesses[I]))
        continue;
      Into = Both;
      Accesses[I].At = nullptr;
      ++NumMergedChosen;
      break;
    }
  erase_if(Accesses, [](const MergedAccess &A) { return !A.At; });
}

} // namespace heapprof
