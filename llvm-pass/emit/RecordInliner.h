// RecordInliner.h - writes the usual access to the chunk record without a call.
// The layout it relies on is in hook_abi.h; what is not usual is still called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_RECORD_INLINER_H
#define HEAPPROF_RECORD_INLINER_H

#include "emit/EarlierAccesses.h"
#include "emit/HookCalls.h"
#include "emit/KnownRecords.h"
#include "emit/LoopCounts.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

class RecordInliner {
public:
  /// \p ForSamples: hardly an access will be to the profiled heap.
  RecordInliner(llvm::Function &F, const llvm::LoopInfo &LI,
                MergeBarriers &Barriers, bool ForSamples);

  /// Emits the hooks of \p Accesses, which mayInline() holds for.  Splits
  /// blocks: a dominator tree is not that of the function afterwards.
  void emit(llvm::ArrayRef<MergedAccess> Accesses);

private:
  using Builder = llvm::IRBuilder<>;
  /// Those of one object that are counted at once: one; or several of a loop.
  using Together = llvm::ArrayRef<MergedAccess>;

  llvm::Value *mayBeInHeap(Builder &B, llvm::Value *Pointer);
  llvm::Value *slotAt(Builder &B, llvm::Value *Address);
  llvm::Value *lookUp(Builder &B, llvm::ArrayRef<llvm::Value *> Pointers,
                      Together As, llvm::BasicBlock *NotHeap,
                      llvm::BasicBlock *Usual, llvm::BasicBlock *Rare);
  void emitOwnerCheck(const MergedAccess &A);
  void emitAssembly(const MergedAccess &A, const llvm::Value *Object,
                    const EarlierAccesses::Known *By);
  void emitCall(const MergedAccess &A, const llvm::Value *Object);
  void emitFull(Together As, const llvm::Value *Object);
  void emitReusing(Together As, const llvm::Value *Object,
                   const EarlierAccesses::Known &By, bool Again,
                   const LoopCounts::Variables &Counts);
  llvm::Value *field(Builder &B, llvm::Value *Record, unsigned Offset,
                     llvm::Type *Ty);
  llvm::Value *covers(Builder &B, llvm::Value *Record, llvm::Value *Address,
                      const MergedAccess &A, bool LowIsKnown);
  llvm::Value *covers(Builder &B, llvm::Value *Record,
                      llvm::ArrayRef<llvm::Value *> Pointers, Together As,
                      bool LowIsKnown);
  llvm::SmallVector<llvm::Value *, 2> at(Builder &B, Together As);
  void count(Builder &B, llvm::Value *Record, Together As);
  void countInLoop(Builder &B, const LoopCounts::Variables &Its,
                   const MergedAccess &A);
  void renewTime(Builder &B, llvm::Value *Record);
  llvm::Instruction *callSlow(Builder &B, llvm::Value *Pointer,
                              const MergedAccess &A);
  std::pair<llvm::Value *, llvm::BasicBlock *>
  callSlow(Builder &B, llvm::ArrayRef<llvm::Value *> Pointers, Together As,
           llvm::BasicBlock *Done);
  llvm::Instruction *mark(llvm::Instruction *I);
  llvm::Value *load(Builder &B, llvm::Type *Ty, llvm::Value *From);
  llvm::BasicBlock *block(const char *Name, llvm::BasicBlock *Before);

  llvm::Function &F;
  llvm::Module &M;
  llvm::LLVMContext &Context;
  const bool ForSamples;
  KnownRecords Known;
  LoopCounts InLoops;
  llvm::MDNode *Likely, *Unlikely;
  llvm::Constant *Clock, *Masks, *Thread;
  HookCalls Calls;
};

} // namespace heapprof

#endif
