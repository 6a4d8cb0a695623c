// LoopExits.h - counts what a loop has accessed behind it, where that is known.
// For loops whose number of turns is not known before them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_LOOP_EXITS_H
#define HEAPPROF_LOOP_EXITS_H

#include "access/Access.h"
#include "merge/MergeBarrier.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace heapprof {

class LoopExits {
public:
  LoopExits(llvm::Function &F, llvm::ScalarEvolution &SE,
            llvm::DominatorTree &DT, llvm::LoopInfo &LI,
            MergeBarriers &Barriers);

  /// Takes those of \p Accesses that need not be counted in their loop, and
  /// returns what is counted at its exits.  Splits blocks and keeps the
  /// dominator tree and the loops up to date.
  llvm::SmallVector<MergedAccess, 8>
  take(llvm::SmallVectorImpl<MergedAccess> &Accesses);

private:
  /// An access in each turn, Step bytes from that in the turn before.
  struct Walk {
    const llvm::SCEV *Start; ///< its pointer in the first turn
    int64_t Step;
    MergedAccess Each;
  };

  /// Those that are executed equally often.  Of each exiting block: whether
  /// the turn that ends there is left before them.
  struct Walks {
    llvm::SmallVector<bool, 4> LeftBefore;
    llvm::SmallVector<Walk, 4> List;
  };

  struct Way {
    /// None: its accesses are not counted behind the loop.
    llvm::SmallVector<llvm::BasicBlock *, 4> Exiting, Exits;
    llvm::SmallVector<Walks, 2> Groups;
    size_t Hooks = 0; ///< at all exits together
  };

  /// A value of the loop's header that tells the turns until there.
  struct Counter {
    llvm::PHINode *Phi;
    llvm::Value *Start;
    int64_t Step; ///< of either sign, a power of 2
  };

  Way &wayOf(llvm::Loop *L);
  bool follow(const MergedAccess &A, const llvm::Loop &L, Way &Its);
  void add(const Walk &W, Walks &Others);
  bool join(const Walk &W, Walks &Others);
  Counter counterOf(const llvm::Loop &L);
  llvm::Value *turnsOf(llvm::IRBuilder<> &B, const Counter &C);
  void countAt(llvm::BasicBlock *Exit, const Counter &C, const Way &Its,
               const Walks &Group);

  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  MergeBarriers &Barriers;
  llvm::Type *Int64;
  llvm::SCEVExpander Expander;
  llvm::MapVector<llvm::Loop *, Way> Ways;
  llvm::SmallVector<MergedAccess, 8> Counted;
};

} // namespace heapprof

#endif
