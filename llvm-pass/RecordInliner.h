// RecordInliner.h - writes the usual access to the chunk record without a call.
// The layout it relies on is in hook_abi.h; what is not usual is still called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RECORD_INLINER_H
#define HEAPPROF_RECORD_INLINER_H

#include "Access.h"
#include "KnownRecords.h"
#include "MergeBarrier.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

class RecordInliner {
public:
  RecordInliner(llvm::Function &F, const llvm::DominatorTree &DT,
                const llvm::LoopInfo &LI);

  /// Whether emit() can do it for \p A: that of few bytes and counts.
  static bool takes(const MergedAccess &A);

  /// Emits the hooks of \p Accesses.  Splits blocks: the dominator tree is not
  /// that of the function afterwards.
  void emit(llvm::ArrayRef<MergedAccess> Accesses);

private:
  /// What is known of a hook from those of its object that dominate it.
  struct Dominated {
    bool Any = false;        ///< there is one
    bool Covers = false;     ///< the bytes are within the accessed ones
    bool SharesTime = false; ///< the time of the last access is right
  };
  using Builder = llvm::IRBuilder<>;

  llvm::SmallVector<int, 32>
  findEarlier(llvm::ArrayRef<MergedAccess> Accesses,
              llvm::ArrayRef<const llvm::Value *> Objects,
              llvm::SmallVectorImpl<int> &Order);
  bool isCovered(llvm::ArrayRef<MergedAccess> Accesses,
                 llvm::ArrayRef<int> Earlier, size_t I) const;
  llvm::Value *isInHeap(Builder &B, llvm::Value *Region);
  llvm::Value *lookUp(Builder &B, llvm::Value *Pointer, uint64_t Bytes,
                      llvm::BasicBlock *NotHeap, llvm::BasicBlock *Usual,
                      llvm::BasicBlock *Rare);
  llvm::Value *isNotKnown(Builder &B, llvm::Value *Record);
  void emitOwnerCheck(const MergedAccess &A, const llvm::Value *Object,
                      bool Reuses);
  void emitFull(const MergedAccess &A, const llvm::Value *Object);
  void emitReusing(const MergedAccess &A, const llvm::Value *Object,
                   const Dominated &By);
  llvm::Value *field(Builder &B, llvm::Value *Record, unsigned Offset,
                     llvm::Type *Ty);
  llvm::Value *covers(Builder &B, llvm::Value *Record, llvm::Value *Address,
                      uint64_t Bytes);
  llvm::Value *at(Builder &B, const MergedAccess &A);
  void count(Builder &B, llvm::Value *Record, const MergedAccess &A);
  void renewTime(Builder &B, llvm::Value *Record);
  using BlockAnswers = llvm::SmallDenseMap<const llvm::BasicBlock *, bool, 16>;
  bool isSoonAfter(const llvm::BasicBlock *BB, const llvm::Instruction *Earlier,
                   BlockAnswers &Seen);
  bool sharesTime(const llvm::Instruction *At,
                  const llvm::Instruction *Earlier);
  llvm::Value *callSlow(Builder &B, llvm::Value *Pointer,
                        const MergedAccess &A);
  llvm::Instruction *mark(llvm::Instruction *I);
  llvm::Value *load(Builder &B, llvm::Type *Ty, llvm::Value *From);
  llvm::BasicBlock *block(const char *Name, llvm::BasicBlock *Before);

  llvm::Function &F;
  llvm::Module &M;
  llvm::LLVMContext &Context;
  const llvm::DominatorTree &DT;
  KnownRecords Known;
  MergeBarriers Barriers;
  llvm::MDNode *Likely, *Unlikely;
  llvm::Constant *Clock, *Thread;
  llvm::FunctionCallee Slow;
};

} // namespace heapprof

#endif
