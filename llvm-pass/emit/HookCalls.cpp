// HookCalls.cpp - declares the hooks in a module and calls them.
// What the optimiser may think of them is said in declare().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookCalls.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/MemberGroups.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace heapprof {

Value *firstByte(IRBuilder<> &B, const MergedAccess &A) {
  if (A.Low == 0)
    return A.Pointer;
  return B.CreateConstGEP1_64(B.getInt8Ty(), A.Pointer, uint64_t(A.Low));
}

uint64_t inOneWord(const MergedAccess &A) {
  return HP_SLOW_ACCESSES(uint64_t(A.High - A.Low), A.Reads, A.Writes);
}

/// Not called through the dynamic linker's lazy binding, which keeps fewer
/// registers than the calling convention.  Code of libraries calls through the
/// address in their table, of which the code generator keeps a copy in a register
/// where it sees several calls.  Code of executables calls directly.
static FunctionCallee declare(Module &M, StringRef Name,
                              ArrayRef<Value *> Arguments) {
  LLVMContext &Context = M.getContext();
  AttrBuilder Fixed(Context);
  for (auto Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree})
    Fixed.addAttribute(Kind);
  const bool IsDirect = isWithRuntime(M);
  if (!IsDirect)
    Fixed.addAttribute(Attribute::NonLazyBind);
  if (Name == HP_HOOK_SLOW || Name == HP_HOOK_SLOW_MEMBERS)
    Fixed.addAttribute(Attribute::Cold);
  Fixed.addMemoryAttr(MemoryEffects::inaccessibleMemOnly());
  SmallVector<Type *, 2> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  FunctionCallee Hook = M.getOrInsertFunction(
      Name, FunctionType::get(PointerType::getUnqual(Context), Types, false),
      AttributeList().addFnAttributes(Context, Fixed));
  if (auto *Callee = dyn_cast<Function>(Hook.getCallee())) {
    Callee->setCallingConv(CallingConv::PreserveMost);
    Callee->setDSOLocal(IsDirect);
  }
  return Hook;
}

CallInst *HookCalls::call(IRBuilder<> &B, StringRef Hook,
                          ArrayRef<Value *> Arguments) {
  CallInst *Call =
      B.CreateCall(declare(*F.getParent(), Hook, Arguments), Arguments);
  Call->setCallingConv(CallingConv::PreserveMost);
  Call->setNoSanitizeMetadata();
  if (!Call->getDebugLoc())
    if (DISubprogram *Scope = F.getSubprogram())
      Call->setDebugLoc(DILocation::get(F.getContext(), 0, 0, Scope));
  return Call;
}

CallInst *HookCalls::slow(IRBuilder<> &B, Value *Pointer, Value *Accesses,
                          const MergedAccess &A) {
  if (CountMembers)
    return call(B, HP_HOOK_SLOW_MEMBERS,
                {Pointer, Accesses, memberGroup(*F.getParent(), A)});
  return call(B, HP_HOOK_SLOW, {Pointer, Accesses});
}

CallInst *HookCalls::emit(const MergedAccess &A) {
  IRBuilder<> B(A.At);
  ++NumHooksCalled;
  Value *Pointer = firstByte(B, A);
  const uint64_t Bytes = uint64_t(A.High - A.Low);
  if (CountMembers)
    return call(B, HP_HOOK_USUAL_MEMBERS,
                {Pointer, B.getInt32(uint32_t(inOneWord(A))),
                 memberGroup(*F.getParent(), A)});
  if (A.Reads + A.Writes == 1 && Bytes <= 16 && isPowerOf2_64(Bytes))
    return call(B,
                (A.Reads ? HP_HOOK_USUAL_READ : HP_HOOK_USUAL_WRITE) +
                    std::to_string(Bytes),
                {Pointer});
  return call(B, HP_HOOK_USUAL, {Pointer, B.getInt32(uint32_t(inOneWord(A)))});
}

} // namespace heapprof
