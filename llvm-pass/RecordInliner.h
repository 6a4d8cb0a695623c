// RecordInliner.h - writes the usual access to the chunk record without a call.
// The layout it relies on is in hook_abi.h; what is not usual is still called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RECORD_INLINER_H
#define HEAPPROF_RECORD_INLINER_H

#include "Access.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

class RecordInliner {
public:
  RecordInliner(llvm::Function &F, const llvm::DominatorTree &DT);

  /// Emits the hooks of \p Accesses.  Splits blocks: the dominator tree is not
  /// that of the function afterwards.
  void emit(llvm::ArrayRef<MergedAccess> Accesses);

private:
  /// What a hook leaves for those it dominates.
  ///   Record   the chunk's; null: not heap; HP_RECORD_UNKNOWN: ask again
  struct Lookup {
    llvm::Value *Record = nullptr;
    llvm::Value *Pointer = nullptr; ///< of which the bytes are known to be
    int64_t Low = 0;                ///< within the accessed ones
    int64_t High = 0;
  };
  using Builder = llvm::IRBuilder<>;

  llvm::SmallVector<int, 32> findEarlier(llvm::ArrayRef<MergedAccess> Accesses,
                                         llvm::SmallVectorImpl<int> &Order);
  Lookup emitFull(const MergedAccess &A, bool Needed);
  Lookup emitReusing(const MergedAccess &A, const Lookup &Earlier,
                     bool SharesTime);
  llvm::Value *field(Builder &B, llvm::Value *Record, unsigned Offset,
                     llvm::Type *Ty);
  llvm::Value *covers(Builder &B, llvm::Value *Record, llvm::Value *Address,
                      uint64_t Bytes);
  llvm::Value *at(Builder &B, const MergedAccess &A);
  void count(Builder &B, llvm::Value *Record, const MergedAccess &A);
  void renewTime(Builder &B, llvm::Value *Record);
  bool sharesTime(const llvm::Instruction *At,
                  const llvm::Instruction *Earlier) const;
  llvm::Value *callSlow(Builder &B, llvm::Value *Pointer,
                        const MergedAccess &A);
  llvm::Instruction *mark(llvm::Instruction *I);
  llvm::Value *load(Builder &B, llvm::Type *Ty, llvm::Value *From);
  llvm::BasicBlock *block(const char *Name, llvm::BasicBlock *Before);

  llvm::Function &F;
  llvm::Module &M;
  llvm::LLVMContext &Context;
  const llvm::DominatorTree &DT;
  llvm::MDNode *Likely;
  llvm::Constant *Clock, *Thread;
  llvm::FunctionCallee Slow;
};

} // namespace heapprof

#endif
