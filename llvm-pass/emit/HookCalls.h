// HookCalls.h - calls of the hooks that keep their caller's registers.
// Their contract is in hook_abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_HOOK_CALLS_H
#define HEAPPROF_HOOK_CALLS_H

#include "access/Access.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heapprof {

class HookCalls {
public:
  explicit HookCalls(llvm::Function &F) : F(F) {}

  /// Of the hook for what is not usual of \p A.  Returns the call, whose value
  /// is a record.
  llvm::CallInst *slow(llvm::IRBuilder<> &B, llvm::Value *Pointer,
                       llvm::Value *Accesses, const MergedAccess &A);

  /// The hook of \p A, which is Seldom, before A.At.  Its value is a record if
  /// \p IsFoundUsed, else it may have none.
  llvm::Value *emit(const MergedAccess &A, bool IsFoundUsed = false);

  /// Calls whose record nobody uses, as it turned out, need not have one; when all
  /// hooks are written.
  void close();

  /// Whether a call in inline assembly reaches a hook wherever that is.
  static bool mayAsk(const llvm::Module &M);
  /// Says of \p Call, which is in \p F, that it is no code of the program's.
  static llvm::CallInst *located(llvm::CallInst *Call, const llvm::Function &F);
  /// What the optimiser may think of a hook, here of one that is not declared.
  static llvm::CallInst *neverFrees(llvm::CallInst *Call);

private:
  llvm::Value *ask(llvm::IRBuilder<> &B, llvm::StringRef Hook,
                   const MergedAccess &A, uint64_t Accesses, bool IsFoundUsed);
  llvm::CallInst *call(llvm::IRBuilder<> &B, llvm::StringRef Hook,
                       llvm::ArrayRef<llvm::Value *> Arguments);

  llvm::Function &F;
  llvm::SmallVector<llvm::CallInst *, 32> Asked; ///< for a record
};

/// Metadata of a call of HP_HOOK_KEEPING, and of one of HP_HOOK_SLOW: the accesses, a
/// constant.
inline constexpr const char *WordKind = "heapprof.word";
inline constexpr const char *SlowKind = "heapprof.slow";

/// Of a function that may be called in place of HP_HOOK_KEEPING.
llvm::FunctionType *wordHookType(llvm::Module &M);

/// Lets \p Call, which has metadata of \p Kind, call \p Hook without it.
void callInstead(llvm::CallInst &Call, llvm::Function &Hook,
                 llvm::StringRef Kind);

/// The first byte that \p A touches.
llvm::Value *firstByte(llvm::IRBuilder<> &B, const MergedAccess &A);

/// The pointer whose HP_ELSEWHERE_BIT is that of the first byte of \p A, and how many
/// bytes ahead of that it is: what the program computes its address from is in a
/// register already.
struct AskedPointer {
  llvm::Value *Pointer;
  int64_t Distance;
};
AskedPointer askedPointer(const MergedAccess &A);

/// What the hooks are told of \p A, once.
uint64_t inOneWord(const MergedAccess &A);

} // namespace heapprof

#endif
