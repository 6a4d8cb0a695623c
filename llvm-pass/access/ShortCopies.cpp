// ShortCopies.cpp - memcpy and memset to memcpy.inline and memset.inline.
// The same instructions as without us: the limit is the code generator's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access/ShortCopies.h"
#include "base/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heapprof {

/// Eight stores of 16 bytes: up to there x86-64 writes out what is not
/// optimised for size.
constexpr uint64_t MaxShortCopy = 128;

static CallInst *makeInline(const MemIntrinsic &I) {
  IRBuilder<> B(const_cast<MemIntrinsic *>(&I));
  if (auto *Copy = dyn_cast<MemCpyInst>(&I))
    return B.CreateMemCpyInline(Copy->getRawDest(), Copy->getDestAlign(),
                                Copy->getRawSource(), Copy->getSourceAlign(),
                                Copy->getLength());
  auto *Fill = cast<MemSetInst>(&I);
  return B.CreateMemSetInline(Fill->getRawDest(), Fill->getDestAlign(),
                              Fill->getValue(), Fill->getLength());
}

static bool isShortCopy(const MemIntrinsic &I) {
  if (I.isVolatile() || !(I.getIntrinsicID() == Intrinsic::memcpy ||
                          I.getIntrinsicID() == Intrinsic::memset))
    return false;
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  return Length && !Length->isZero() && !Length->getValue().ugt(MaxShortCopy);
}

void keepShortCopies(Function &F) {
  if (F.hasOptSize())
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Memory = dyn_cast<MemIntrinsic>(&I);
    if (!Memory || !isShortCopy(*Memory))
      continue;
    CallInst *Inline = makeInline(*Memory);
    Inline->copyMetadata(*Memory);
    Memory->eraseFromParent();
    ++NumCopiesKept;
  }
}

} // namespace heapprof
