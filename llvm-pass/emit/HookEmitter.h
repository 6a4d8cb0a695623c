// HookEmitter.h - turns an Access into calls of the hooks of hook_abi.h.
// One hook an access, split only where a mask has more than 64 lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_HOOK_EMITTER_H
#define HEAPPROF_HOOK_EMITTER_H

#include "access/Access.h"
#include "merge/LoopRange.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

class HookEmitter {
public:
  explicit HookEmitter(llvm::Module &M);

  /// Forgets what belongs to the previous function.
  void beginFunction(llvm::Function &F);

  /// Emits the hooks of \p A before A.At.  Deletes A.At if A.replaces().
  void emit(const Access &A);

  /// The hook of \p A, in the shortest form there is.
  void emit(const MergedAccess &A);
  void emitMany(llvm::Instruction *At, llvm::Value *Pointer, llvm::Value *Bytes,
                llvm::Value *Reads, llvm::Value *Writes,
                llvm::Constant *Group = nullptr);
  /// Splits the block of R.At if \p R has parts.
  void emit(const RangeValues &R, llvm::DomTreeUpdater &Tree,
            llvm::LoopInfo &Loops);

  /// Renews the time of the last access at \p Pointer if \p Counts, added up,
  /// are many.  Splits the block of \p At.
  void emitTouch(llvm::Instruction *At, llvm::Value *Pointer,
                 llvm::ArrayRef<llvm::Value *> Counts);

private:
  // Constants are folded as they are built, so that a constant mask is seen
  // to be one and becomes a plain hook or none.
  using Builder = llvm::IRBuilder<llvm::TargetFolder>;

  void emitReplacement(Builder &B, const Access &A);
  void emitRange(Builder &B, llvm::Value *Pointer, llvm::Value *Bytes,
                 int Kind);
  void emitOne(const RangeValues &R);
  void emitPacked(Builder &B, const Access &A);
  void emitStrided(Builder &B, const Access &A);
  void emitLanes(Builder &B, const Access &A);
  llvm::Value *laneBits(Builder &B, const Access &A, unsigned First);
  llvm::Value *firstLanes(Builder &B, llvm::Value *Vector, unsigned First,
                          unsigned Count);
  llvm::CallInst *call(Builder &B, const char *Hook,
                       llvm::MemoryEffects Effects,
                       llvm::ArrayRef<llvm::Value *> Arguments,
                       llvm::Type *Result = nullptr);
  llvm::AllocaInst *pointerArray(unsigned Count);
  llvm::AllocaInst *stepArray(unsigned Count);

  llvm::Module &M;
  llvm::LLVMContext &Context;
  llvm::TargetFolder Folder;
  llvm::Function *Fn = nullptr;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> PointerArrays, StepArrays;
};

} // namespace heapprof

#endif
