// EarlierAccesses.h - what a hook knows from those executed before it.
// On every way through the function, not only in blocks that dominate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_EARLIER_ACCESSES_H
#define HEAPPROF_EARLIER_ACCESSES_H

#include "access/Access.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace heapprof {

class EarlierAccesses {
public:
  /// \p Objects are those of \p Accesses.  Before any block is split.
  EarlierAccesses(const llvm::Function &F,
                  llvm::ArrayRef<MergedAccess> Accesses,
                  llvm::ArrayRef<const llvm::Value *> Objects);

  /// What each way to an access has come by, of the same object.
  struct Known {
    bool Any = false;        ///< there is one
    bool Low = false;        ///< there is one that begins there or lower
    bool High = false;       ///< there is one that ends there or higher
    bool SharesTime = false; ///< there is one, and no call or loop since
  };
  const Known &of(size_t I) const { return Facts[I]; }

  /// The accesses, those of a block in the order of execution.
  llvm::ArrayRef<size_t> order() const { return Order; }

private:
  /// What one access makes known: bits of a state.
  struct Bits {
    unsigned Object;
    unsigned Recent;
    unsigned Low, LowEnd;     ///< it begins there, and not higher up to there
    unsigned HighBegin, High; ///< it ends not lower from there on, and there
    bool Many;                ///< or the first of them, behind a loop
  };
  void number(llvm::ArrayRef<MergedAccess> Accesses,
              llvm::ArrayRef<const llvm::Value *> Objects);
  void sortIntoBlocks(llvm::ArrayRef<MergedAccess> Accesses);
  void solve();
  llvm::BitVector atBegin(const llvm::BasicBlock *BB) const;
  void pass(const llvm::BasicBlock *BB, llvm::BitVector &State, bool Keep);

  const llvm::Function &F;
  llvm::SmallVector<Known, 32> Facts;
  llvm::SmallVector<Bits, 32> Makes;
  llvm::SmallVector<size_t, 32> Order;
  llvm::SmallVector<const llvm::BasicBlock *, 32> Blocks; ///< from the entry on
  /// Accesses of each block; -1: there is a call in between.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<int, 4>> InBlock;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> Begun, AtEnd;
  llvm::DenseSet<const llvm::BasicBlock *> Headers;
  llvm::BitVector AllRecent;
};

} // namespace heapprof

#endif
