// LoopCounts.h - how often an innermost loop accesses an object, in registers.
// Added to the record where the loop is left: the sums do not wait for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_LOOP_COUNTS_H
#define HEAPPROF_LOOP_COUNTS_H

#include "access/Access.h"
#include "emit/KnownRecords.h"
#include "merge/MergeBarrier.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

class LoopCounts {
public:
  LoopCounts(const llvm::LoopInfo &LI, MergeBarriers &Barriers,
             KnownRecords &Known)
      : LI(LI), Barriers(Barriers), Known(Known) {}

  /// Makes the variables for \p A, which finds the record of \p Object known,
  /// if it is in a loop that has some; before any block is split.
  void take(const MergedAccess &A, const llvm::Value *Object);

  /// What usual accesses to one object in one loop add to instead of to the
  /// record, which stays the same there; null: those are none in the loop.
  struct Variables {
    llvm::AllocaInst *Reads = nullptr;
    llvm::AllocaInst *Writes = nullptr;
  };
  /// \p BB: as it was before it was split.  All null: there are none.
  Variables of(const llvm::BasicBlock *BB, const llvm::Value *Object) const {
    return Made.lookup({LI.getLoopFor(BB), Object});
  }

  /// Adds the variables to the records at the exits; when all hooks are
  /// written, and before Known is closed, which makes SSA values of them.
  void close();

private:
  struct Way {
    llvm::SmallVector<llvm::BasicBlock *, 4> Exits; ///< none: not such a loop
    size_t Sums = 0;                                ///< at all exits together
  };
  Way &wayOf(const llvm::Loop *L);
  void addAt(llvm::BasicBlock *Exit, const llvm::Value *Object,
             const Variables &Its);

  const llvm::LoopInfo &LI;
  MergeBarriers &Barriers;
  KnownRecords &Known;
  llvm::DenseMap<const llvm::Loop *, Way> Ways;
  llvm::MapVector<std::pair<const llvm::Loop *, const llvm::Value *>, Variables>
      Made;
};

} // namespace heapprof

#endif
