// AccessSinker.h - moves accesses behind a branch, to where they can be joined.
// So one hook counts what is accessed before a branch and on one of its ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_SINKER_H
#define HEAPPROF_ACCESS_SINKER_H

#include "access/ByteRange.h"
#include "merge/MergeBarrier.h"
#include "llvm/IR/Dominators.h"

namespace heapprof {

/// An access at the end of a block is one of each way that leads from there.
/// Where one of the ways begins with another access to the same object it is
/// joined with that, and stands at the beginning of the other way.  Fewer hooks
/// are executed, and there are no more than before; or, behind a switch, so many
/// more as do not join.
class AccessSinker {
public:
  AccessSinker(llvm::Function &F, llvm::DominatorTree &DT, llvm::LoopInfo &LI);

  /// Splits edges and keeps the analyses up to date.
  void sink(llvm::SmallVectorImpl<MergedAccess> &Accesses);

private:
  using List = llvm::SmallVectorImpl<MergedAccess>;
  int findAtBegin(const List &Accesses, const llvm::BasicBlock *From,
                  const llvm::BasicBlock *Way, const MergedAccess &Like) const;
  bool isOnly(const llvm::BasicBlock *From, const llvm::BasicBlock *Way) const;
  bool isAtEnd(const MergedAccess &A) const;
  llvm::BasicBlock *splitWithin(llvm::BasicBlock *From, llvm::BasicBlock *Way);
  llvm::Instruction *beginOf(llvm::BasicBlock *From, llvm::BasicBlock *Way);
  bool sinkOne(List &Accesses, size_t I);

  llvm::Function &F;
  const llvm::DataLayout &DL;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<size_t, 4>>
      InBlock;
};

} // namespace heapprof

#endif
