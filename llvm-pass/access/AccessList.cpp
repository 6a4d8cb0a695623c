// AccessList.cpp - measures accesses and keeps those that options ask for.
// An access of no bytes, or of unknown extent, is counted by a statistic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/AccessList.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heapprof {

static bool enabledByOption(const Access &A) {
  if (A.replaces())
    return InstrumentMemIntrinsics;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(A.At))
    return InstrumentAtomics;
  return ((A.Kind & HP_ACCESS_READ) && InstrumentReads) ||
         ((A.Kind & HP_ACCESS_WRITE) && InstrumentWrites);
}

void AccessList::add(const Access &A) {
  if (A.At->hasMetadata(LLVMContext::MD_nosanitize))
    ++NumSkippedNoSanitize;
  else if (!enabledByOption(A))
    ++NumSkippedByOption;
  else
    Found.push_back(A);
}

void AccessList::addBytes(Instruction &I, Value *Pointer, Value *Count,
                          uint64_t Unit, int Kind) {
  auto *Constant = dyn_cast_or_null<ConstantInt>(Count);
  if (Unit == 0 || (Constant && Constant->isZero())) {
    ++NumSkippedEmpty;
    return;
  }
  Access A;
  A.Shape = Access::Range;
  A.Kind = Kind;
  A.At = &I;
  A.Pointer = Pointer;
  A.Count = Count;
  A.Unit = Unit;
  add(A);
}

void AccessList::addTyped(Instruction &I, Value *Pointer, Type *Ty, int Kind) {
  if (!Ty->isSized()) {
    ++NumSkippedUnmeasured;
    return;
  }
  TypeSize Bytes = DL.getTypeStoreSize(Ty);
  if (Bytes.isScalable())
    ++NumSkippedScalable;
  else
    addBytes(I, Pointer, nullptr, Bytes.getFixedValue(), Kind);
}

void AccessList::addLanes(Access A, Type *DataTy) {
  auto *Vector = dyn_cast<FixedVectorType>(DataTy);
  if (!Vector) {
    ++NumSkippedScalable;
    return;
  }
  A.Unit = DL.getTypeStoreSize(Vector->getElementType()).getFixedValue();
  A.LaneCount = Vector->getNumElements();
  auto *Mask = dyn_cast_or_null<Constant>(A.Mask);
  if (A.Unit == 0 || (Mask && Mask->isNullValue()))
    ++NumSkippedEmpty;
  else
    add(A);
}

} // namespace heapprof
