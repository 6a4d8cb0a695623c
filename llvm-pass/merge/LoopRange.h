// LoopRange.h - moves the counting of accesses out of counted loops.
// Only where addresses, bytes and number are known exactly before the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_LOOP_RANGE_H
#define HEAPPROF_LOOP_RANGE_H

#include "access/Access.h"
#include "merge/MergeBarrier.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>
#include <vector>

namespace heapprof {

/// How the accesses of a range lie: Times of them, Step bytes from one to the
/// next, downwards the same as upwards.
template <class T> struct RangeStep {
  T Step;
  T Times;
};

/// What the accesses of a loop amount to, in terms of values before it.
struct RangeAccess {
  llvm::BasicBlock *Block = nullptr; ///< the hook goes to its end
  const llvm::Loop *Left = nullptr;  ///< the outermost loop left
  const llvm::SCEV *Low = nullptr;   ///< pointer
  const llvm::SCEV *Bytes = nullptr;
  const llvm::SCEV *Reads = nullptr;
  const llvm::SCEV *Writes = nullptr;
  PlacesInGroup Places; ///< from Low; with CountMembers only, as is
  llvm::SmallVector<RangeStep<const llvm::SCEV *>, 2>
      Steps; ///< innermost first
};

/// The same, computed.
struct RangeValues {
  llvm::Instruction *At = nullptr;
  llvm::Value *Low = nullptr;
  llvm::Value *Bytes = nullptr;
  llvm::Value *Reads = nullptr;
  llvm::Value *Writes = nullptr;
  PlacesInGroup Places;
  llvm::SmallVector<RangeStep<llvm::Value *>, 2> Steps;
  llvm::Instruction *End = nullptr; ///< first one behind the loop, or null
  /// What this is the hull of, and the sum: ranges of one object, as far as can
  /// be seen; empty: one range.
  std::vector<RangeValues> Parts;
};

class LoopRangeFinder {
public:
  LoopRangeFinder(llvm::Function &F, llvm::ScalarEvolution &SE,
                  const llvm::DominatorTree &DT, const llvm::LoopInfo &LI,
                  MergeBarriers &Barriers);

  /// Takes those of \p Accesses that need not be counted in their loop.
  void take(llvm::SmallVectorImpl<MergedAccess> &Accesses);

  /// Computes what was taken before its loop.
  llvm::SmallVector<RangeValues, 8> expand();

private:
  /// How often the blocks of a loop are executed each time it is entered:
  /// those before the one exit Turns + 1 times, those behind it Turns times.
  struct Count {
    llvm::BasicBlock *Before = nullptr; ///< null: not counted
    const llvm::BasicBlock *Exiting = nullptr;
    const llvm::BasicBlock *Latch = nullptr;
    const llvm::SCEV *Turns = nullptr; ///< i64
  };

  const Count &countOf(const llvm::Loop *L);
  const llvm::SCEV *timesInTurn(const llvm::BasicBlock *BB, const llvm::Loop *L,
                                unsigned Depth = 0);
  const llvm::SCEV *timesTaken(const llvm::BasicBlock *From,
                               const llvm::BasicBlock *To, const llvm::Loop *L,
                               unsigned Depth);
  const llvm::SCEV *valueOf(const llvm::PHINode *Join, const llvm::Loop *L);
  const llvm::SCEV *resolveJoins(const llvm::SCEV *S, const llvm::Loop *L);
  bool leave(RangeAccess &R, const llvm::Loop *L);
  void addStep(RangeAccess &R, const llvm::SCEV *Step, const llvm::SCEV *Times);
  bool join(const RangeAccess &R);
  std::optional<RangeAccess>
  hullOf(llvm::ArrayRef<const RangeAccess *> Parts) const;
  RangeValues valuesOf(const RangeAccess &R);

  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
  MergeBarriers &Barriers;
  llvm::Type *Int64;
  llvm::SCEVExpander Expander;
  llvm::DenseMap<const llvm::Loop *, Count> Counts;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::SCEV *> InTurn;
  llvm::SmallVector<RangeAccess, 8> Ranges;
};

} // namespace heapprof

#endif
