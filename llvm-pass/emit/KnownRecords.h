// KnownRecords.h - which record an object's last hook found, on every way.
// Kept in variables while hooks are written, which then become SSA values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_KNOWN_RECORDS_H
#define HEAPPROF_KNOWN_RECORDS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace heapprof {

/// An object is what a pointer's address is computed from; one that is a phi
/// takes what is known with the value, so that a pointer which walks through a
/// chunk has its record looked up once.  What is known:
///
///   the record, if it may be written without a call;
///   null: the object is not in the heap;
///   notKnown(), negative: nothing, or that the record may not be written
class KnownRecords {
public:
  KnownRecords(llvm::Function &F, const llvm::LoopInfo &LI);

  /// Makes the variables for \p Hooked, the objects of all hooks; before any
  /// block is split.  Those that cannot have one are left out.
  void open(llvm::ArrayRef<const llvm::Value *> Hooked);

  /// Whether a hook of \p Object in \p BB may find the record known although
  /// there is a way to it without another hook of the object.
  bool mayBeCarried(const llvm::Value *Object,
                    const llvm::BasicBlock *BB) const;

  /// Whether a hook of \p Object in \p BB is executed again with the same object,
  /// in a loop which that comes from outside of: in a long one a chunk ceases to be
  /// exact, and a program's main loop may begin with one that is.
  bool outlastsTurn(const llvm::Value *Object,
                    const llvm::BasicBlock *BB) const;

  /// From here on, hooks are those of \p BB as it was before it was split.
  void enter(const llvm::BasicBlock *BB) { Here = BB; }

  llvm::Constant *notKnown() const { return NotKnown; }
  bool has(const llvm::Value *Object) const { return Variables.count(Object); }
  llvm::Value *get(llvm::IRBuilder<> &B, const llvm::Value *Object);
  void set(llvm::IRBuilder<> &B, const llvm::Value *Object,
           llvm::Value *Record);

  /// A further \p Variable that close() is to make SSA values of.
  void promote(llvm::AllocaInst *Variable) { Others.push_back(Variable); }

  /// Makes SSA values of the variables, and removes those that nobody asks
  /// for; when all hooks are written.
  void close();

private:
  void followPhis(llvm::ArrayRef<const llvm::Value *> Hooked);
  void begin(const llvm::Value *Object);
  void connect(const llvm::PHINode *Object);

  llvm::Function &F;
  const llvm::LoopInfo &LI;
  llvm::Constant *NotKnown;
  llvm::MapVector<const llvm::Value *, llvm::AllocaInst *> Variables;
  llvm::MapVector<const llvm::PHINode *, llvm::PHINode *> Phis;
  /// What an object's variable begins with, until a hook asks for it.
  struct First {
    llvm::StoreInst *Store;
    const llvm::BasicBlock *In; ///< before it was split
  };
  llvm::DenseMap<const llvm::Value *, First> Firsts;
  const llvm::BasicBlock *Here = nullptr;
  llvm::SmallVector<llvm::WeakVH, 32> Placed;
  llvm::SmallVector<llvm::AllocaInst *, 8> Others;
};

} // namespace heapprof

#endif
