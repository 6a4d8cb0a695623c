// MergeBarrier.h - where execution may end, or a chunk may be freed.
// Between two accesses counted by one hook there is never such a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_MERGE_BARRIER_H
#define HEAPPROF_MERGE_BARRIER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/AtomicOrdering.h"

namespace heapprof {

/// Whether \p I tells other threads what this one has done, so that one of them
/// may free what was accessed before: as who takes a reference back does.  A
/// function's nofree does not exclude it; those of libc that are nofree do not.
inline bool isRelease(const llvm::Instruction &I) {
  using namespace llvm;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee && !Callee->isDeclaration() && I.mayWriteToMemory() &&
           !Call->hasFnAttr(Attribute::NoSync);
  }
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isReleaseOrStronger(Store->getOrdering());
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isReleaseOrStronger(Update->getOrdering());
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return isReleaseOrStronger(Exchange->getMergedOrdering());
  if (auto *Fence = dyn_cast<FenceInst>(&I))
    return isReleaseOrStronger(Fence->getOrdering());
  return false;
}

/// Whether what stands behind \p I may not be executed, as after exit, longjmp
/// and throw, or may find another chunk at the same address.  A call is one
/// unless it is proven nounwind, willreturn, nofree and nosync; inline assembly
/// with side effects, volatile stores and releases are.
inline bool isMergeBarrier(const llvm::Instruction &I) {
  if (isRelease(I))
    return true;
  if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
    if (!Call->hasFnAttr(llvm::Attribute::NoFree) &&
        !Call->doesNotAccessMemory())
      return true;
  if (I.isTerminator() && !llvm::isa<llvm::CallBase>(I))
    return false;
  return !llvm::isGuaranteedToTransferExecutionToSuccessor(&I);
}

/// The same of whole blocks and loops, each looked at once.
class MergeBarriers {
public:
  bool in(const llvm::BasicBlock &BB) {
    auto [Known, New] = Blocks.try_emplace(&BB, false);
    if (New)
      Known->second = llvm::any_of(BB, isMergeBarrier);
    return Known->second;
  }
  bool in(const llvm::Loop &L) {
    auto [Known, New] = Loops.try_emplace(&L, false);
    if (New)
      Known->second = llvm::any_of(
          L.blocks(), [&](const llvm::BasicBlock *BB) { return in(*BB); });
    return Known->second;
  }

private:
  llvm::DenseMap<const llvm::BasicBlock *, bool> Blocks;
  llvm::DenseMap<const llvm::Loop *, bool> Loops;
};

/// Whether \p I may hand a chunk to another thread, which then frees it, or may
/// take its time.
inline bool mayLetGo(const llvm::Instruction &I) {
  if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
      Call && !llvm::isa<llvm::IntrinsicInst>(I) &&
      !Call->doesNotAccessMemory())
    return true;
  return I.isAtomic() || I.isVolatile();
}

/// An innermost loop that is left at its exits and nowhere else, so that what
/// is done in it can be counted there.
inline bool isLeftAtExits(const llvm::Loop &L, MergeBarriers &Barriers) {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.getLoopLatch() ||
      !L.hasDedicatedExits() || Barriers.in(L))
    return false;
  llvm::SmallVector<llvm::BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  return llvm::none_of(L.blocks(),
                       [](const llvm::BasicBlock *BB) {
                         return llvm::any_of(*BB, mayLetGo);
                       }) &&
         llvm::all_of(Exits, [](const llvm::BasicBlock *BB) {
           return BB->getFirstInsertionPt() != BB->end();
         });
}

} // namespace heapprof

#endif
