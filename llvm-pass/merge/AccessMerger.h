// AccessMerger.h - joins accesses to one object that are executed together.
// Exact by construction: the counts add up, the bytes are their hull.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_MERGER_H
#define HEAPPROF_ACCESS_MERGER_H

#include "access/Access.h"
#include "merge/MergeBarrier.h"
#include "llvm/IR/Dominators.h"
#include <map>
#include <vector>

namespace heapprof {

class AccessMerger {
public:
  AccessMerger(llvm::Function &F, const llvm::DominatorTree &DT,
               const llvm::LoopInfo &LI, MergeBarriers &Barriers);

  /// Takes those of \p Accesses (in program order) that are a fixed number of
  /// bytes at one address, and returns them merged.
  llvm::SmallVector<MergedAccess, 32>
  merge(llvm::SmallVectorImpl<Access> &Accesses);

private:
  /// Where a pointer points, but for a constant: (object, 0), then each
  /// variable offset with its factor.  Equal keys differ by a constant.
  using Key = std::vector<std::pair<const llvm::Value *, int64_t>>;

  struct Candidate {
    MergedAccess Merged;
    int64_t Offset; ///< of Merged.Pointer from what its key stands for
    const llvm::BasicBlock *Block;
    bool First; ///< no barrier before it in its block
    bool Last;  ///< no barrier behind it in its block
    bool Gone;  ///< joined with another
  };

  bool makeKey(llvm::Value *Pointer, Key &K, int64_t &Offset) const;
  static void join(Candidate &Into, const Candidate &From);
  void mergeInBlocks(llvm::SmallVectorImpl<Access> &Accesses);
  void mergeAcrossBlocks();
  bool alwaysFollows(const llvm::BasicBlock *Before,
                     const llvm::BasicBlock *After);

  llvm::Function &F;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
  MergeBarriers &Barriers;
  std::vector<Candidate> Candidates;
  std::vector<Key> Keys; ///< of Candidates
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
                 bool>
      Follows;
};

} // namespace heapprof

#endif
