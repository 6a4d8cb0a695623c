// AccessCollector.h - finds every access to memory a function makes.
// Knows what touches memory and how much; whether it matters is the filter's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ACCESS_COLLECTOR_H
#define HEAPPROF_ACCESS_COLLECTOR_H

#include "access/AccessList.h"
#include "access/AssemblyText.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

namespace heapprof {

class AccessCollector : public llvm::InstVisitor<AccessCollector> {
public:
  explicit AccessCollector(const llvm::Module &M);

  /// The accesses of \p F in program order.
  llvm::SmallVector<Access, 32> collect(llvm::Function &F);

  // Called by InstVisitor.
  void visitLoadInst(llvm::LoadInst &I);
  void visitStoreInst(llvm::StoreInst &I);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &I);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &I);
  void visitVAArgInst(llvm::VAArgInst &I);
  void visitCallBase(llvm::CallBase &Call);
  void visitIntrinsicInst(llvm::IntrinsicInst &I);

private:
  void addVaList(llvm::Instruction &I, llvm::Value *Pointer, int Kind);
  void addJumpBuffer(llvm::CallBase &Call);
  void addContext(llvm::CallBase &Call);
  void addAssembly(llvm::CallBase &Call);
  void addString(llvm::CallBase &Call, const AssemblyAccesses &Known,
                 llvm::ArrayRef<llvm::Value *> Operands);
  bool addMemoryIntrinsic(llvm::IntrinsicInst &I);
  bool addMaskedIntrinsic(llvm::IntrinsicInst &I);
  bool addVectorPredicated(llvm::IntrinsicInst &I);

  const llvm::DataLayout &DL;
  AccessList Accesses;
  uint64_t VaListBytes;     ///< 0 where the pass does not know the target's
  uint64_t JumpBufferBytes; ///< so, too
};

} // namespace heapprof

#endif
