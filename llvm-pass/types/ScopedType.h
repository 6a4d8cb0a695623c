// ScopedType.h - tells a wrapper which type its caller wants.
// By the thread-local variable of runtime/hook_abi.h, around the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_SCOPED_TYPE_H
#define HEAPPROF_SCOPED_TYPE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace heapprof {

class ScopedTypes {
public:
  explicit ScopedTypes(llvm::Module &M) : M(M) {}

  /// Sets the type before \p Call and puts back, where the call returns, what
  /// was there.  By its \p Flags the type may not displace another.
  void enclose(llvm::CallBase &Call, llvm::GlobalVariable &Type,
               uint16_t Flags);

  /// The same for what is allocated of exactly \p Size bytes.
  void encloseExact(llvm::CallBase &Call, llvm::GlobalVariable &Type,
                    llvm::Value &Size);

  /// The same without a type: what \p Call allocates is not for our caller.
  void close(llvm::CallBase &Call);

  /// Where control arrives from a call that did not return, the scopes that it
  /// left have ended: at landing pads and after setjmp.
  void endAtArrivals(llvm::Function &F);

private:
  llvm::GlobalVariable *variable();
  llvm::Value *load(llvm::IRBuilder<> &B);
  void store(llvm::IRBuilder<> &B, llvm::Value *Type);
  llvm::Value *displaces(llvm::IRBuilder<> &B, llvm::Value *Outer,
                         llvm::Value *Type, uint16_t Flags);
  void set(llvm::CallBase &Call, llvm::Value *Type, uint16_t Flags);

  llvm::Module &M;
};

} // namespace heapprof

#endif
