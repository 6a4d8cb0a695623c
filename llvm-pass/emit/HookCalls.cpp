// HookCalls.cpp - declares the hooks in a module and calls them.
// What the optimiser may think of them is said in declare().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookCalls.h"
#include "base/Options.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/MemberGroups.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace heapprof {

Value *firstByte(IRBuilder<> &B, const MergedAccess &A) {
  if (A.From)
    return A.From;
  if (A.Low == 0)
    return A.Pointer;
  return B.CreateConstGEP1_64(B.getInt8Ty(), A.Pointer, uint64_t(A.Low));
}

/// The profiled heap lies farther from where the bit changes than an i32 reaches.
AskedPointer askedPointer(const MergedAccess &A) {
  const DataLayout &DL = A.At->getModule()->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(A.Pointer->getType()), 0);
  Value *Base = A.Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  const int64_t Distance = Offset.getSExtValue() + A.Low;
  if (Base->getType() == A.Pointer->getType() && !isa<Constant>(Base) &&
      isInt<32>(Offset.getSExtValue()) && isInt<32>(Distance))
    return {Base, Distance};
  return {A.Pointer, A.Low};
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

CallInst *HookCalls::located(CallInst *Call, const Function &F) {
  Call->setNoSanitizeMetadata();
  if (!Call->getDebugLoc())
    if (DISubprogram *Scope = F.getSubprogram())
      Call->setDebugLoc(DILocation::get(F.getContext(), 0, 0, Scope));
  return Call;
}

CallInst *HookCalls::call(IRBuilder<> &B, StringRef Hook,
                          ArrayRef<Value *> Arguments) {
  CallInst *Call =
      B.CreateCall(declare(*F.getParent(), Hook, Arguments), Arguments);
  Call->setCallingConv(CallingConv::PreserveMost);
  return located(Call, F);
}

CallInst *HookCalls::slow(IRBuilder<> &B, Value *Pointer, Value *Accesses,
                          const MergedAccess &A) {
  if (CountMembers)
    return call(B, HP_HOOK_SLOW_MEMBERS,
                {Pointer, Accesses, memberGroup(*F.getParent(), A)});
  CallInst *Call = call(B, HP_HOOK_SLOW, {Pointer, Accesses});
  // A small loop pays for the way: objects that several threads read go it.
  auto *Word = dyn_cast<ConstantInt>(Accesses);
  if (Word && mayAsk(*F.getParent()) && !A.Tight)
    Call->setMetadata(
        SlowKind, MDNode::get(F.getContext(), ConstantAsMetadata::get(Word)));
  return Call;
}

/// Whether the compiler was told which syntax to write: assembly of ours is AT&T's, and
/// goes as it is into a text of Intel's for another assembler.
static bool hasChosenSyntax() {
  const auto &Options = cl::getRegisteredOptions();
  const auto Found = Options.find("x86-asm-syntax");
  return Found != Options.end() && Found->second->getNumOccurrences();
}

bool HookCalls::mayAsk(const Module &M) {
  const auto Model = M.getCodeModel();
  return AskFirst && !hasChosenSyntax() &&
         Triple(M.getTargetTriple()).getArch() == Triple::x86_64 &&
         !Triple(M.getTargetTriple()).isX32() &&
         (!Model || *Model == CodeModel::Small);
}

/// The record of what is elsewhere: null.
constexpr StringLiteral NoRecord = "xorl %eax, %eax\n\t";

/// Up to where the hook is called.
static std::string askAhead(bool IsFoundUsed) {
  return (IsFoundUsed ? NoRecord : "").str() + "btq $$" +
         std::to_string(HP_ELSEWHERE_BIT) + ", $2\n\tjc 9001f\n\t";
}

/// Puts the address where the hook expects it.
static std::string passAddress(int64_t Distance) {
  return "leaq " + (Distance ? std::to_string(Distance) : "") +
         "($2), %r10\n\t";
}

CallInst *HookCalls::neverFrees(CallInst *Call) {
  for (auto Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree})
    Call->addFnAttr(Kind);
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return Call;
}

/// Where there is a call, nothing lies beyond the stack's end.  It is aligned unless the
/// code generator puts off the prologue to a rare branch: the runtime relies on neither.
/// Only NoRecord changes a register ahead of where the address is read.
static InlineAsm *assemblyOf(FunctionType *Type, StringRef Code) {
  const StringRef First = Code.starts_with(NoRecord) ? "=&{rax}" : "={rax}",
                  Hook = Type->getNumParams() == 2 ? "i," : "";
  return InlineAsm::get(Type, Code,
                        (First + ",={rdx},r," + Hook + "~{r10},~{flags}").str(),
                        /*hasSideEffects=*/true, /*isAlignStack=*/true);
}

static CallInst *createAssembly(IRBuilder<> &B, const std::string &Code,
                                ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 2> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  auto *Type = FunctionType::get(StructType::get(B.getPtrTy(), B.getInt64Ty()),
                                 Types, false);
  CallInst *Call = B.CreateCall(assemblyOf(Type, Code + "\n9001:"), Arguments);
  return HookCalls::neverFrees(Call);
}

/// The same without a question, as a call.  To the code generator the registers of
/// arguments and results change and no others: r10, as of a pointer to a function's
/// frame, rax and rdx.  It costs two thirds of what assembly does.
static CallInst *createCall(IRBuilder<> &B, FunctionCallee Hook, Value *Pointer,
                            uint64_t Accesses) {
  SmallVector<Value *, 4> Arguments = {Pointer};
  if (Accesses) {
    Arguments.append(2, PoisonValue::get(B.getInt64Ty()));
    Arguments.push_back(B.getInt64(Accesses)); // in rdx
  }
  CallInst *Call = B.CreateCall(Hook, Arguments);
  Call->addParamAttr(0, Attribute::Nest);
  Call->addFnAttr(Attribute::get(B.getContext(), "no_caller_saved_registers"));
  return HookCalls::neverFrees(Call);
}

static FunctionType *keepingType(LLVMContext &Context, bool TakesAccesses) {
  Type *Pointer = PointerType::getUnqual(Context);
  Type *Word = Type::getInt64Ty(Context);
  SmallVector<Type *, 4> Types(TakesAccesses ? 4 : 1, Word);
  Types[0] = Pointer;
  return FunctionType::get(StructType::get(Pointer, Word), Types, false);
}

/// Calls \p Hook, with \p Accesses if it is not 0, only if \p A may be to the
/// profiled heap: HP_ELSEWHERE_BIT says of nearly all others that they are not;
/// if \p A is Rare, in any case.  With the question it is one piece of assembly:
/// blocks of its own would cost the code generator more than all the rest.  So it
/// is in libraries, where a call through the table would keep the hook's address in
/// a register.
Value *HookCalls::ask(IRBuilder<> &B, StringRef Hook, const MergedAccess &A,
                      uint64_t Accesses, bool IsFoundUsed) {
  Module &M = *F.getParent();
  const bool IsDirect = isWithRuntime(M);
  CallInst *Call;
  if (A.Rare && IsDirect) {
    FunctionCallee Its =
        M.getOrInsertFunction(Hook, keepingType(F.getContext(), Accesses != 0));
    if (auto *Callee = dyn_cast<Function>(Its.getCallee())) {
      Callee->setDSOLocal(true);
      Callee->addParamAttr(0, Attribute::Nest);
    }
    Call = createCall(B, Its, firstByte(B, A), Accesses);
  } else {
    const auto [Pointer, Distance] = askedPointer(A);
    std::string Code = A.Rare ? "" : askAhead(IsFoundUsed);
    Code += passAddress(Distance);
    if (Accesses)
      Code += "movl $$" + std::to_string(Accesses) + ", %edx\n\t";
    Code += IsDirect ? ("call " + Hook).str()
                     : ("call *" + Hook + "@GOTPCREL(%rip)").str();
    Call = createAssembly(B, Code, {Pointer});
    if (IsFoundUsed)
      Asked.push_back(Call);
  }
  located(Call, F);
  if (Accesses)
    Call->setMetadata(
        WordKind,
        MDNode::get(F.getContext(),
                    ConstantAsMetadata::get(B.getInt32(uint32_t(Accesses)))));
  return IsFoundUsed ? B.CreateExtractValue(Call, 0) : nullptr;
}

void HookCalls::close() {
  for (CallInst *Call : Asked) {
    auto *Its = cast<InlineAsm>(Call->getCalledOperand());
    StringRef Code = Its->getAsmString();
    if (Code.consume_front(NoRecord) &&
        all_of(Call->users(), [](const User *U) { return U->use_empty(); }))
      Call->setCalledOperand(assemblyOf(Its->getFunctionType(), Code));
  }
}

FunctionType *wordHookType(Module &M) {
  return keepingType(M.getContext(), /*TakesAccesses=*/false);
}

void callInstead(CallInst &Call, Function &Hook, StringRef Kind) {
  IRBuilder<> B(&Call);
  Value *Pointer = Call.getArgOperand(0);
  CallInst *Own;
  if (Call.isInlineAsm()) {
    const StringRef Code =
        cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    Own = createAssembly(B, (Code.split("movl").first + "call ${3:P}").str(),
                         {Pointer, &Hook});
  } else {
    Own = createCall(B, &Hook, Pointer, 0);
  }
  if (Call.hasFnAttr(Attribute::Cold))
    Own->addFnAttr(Attribute::Cold);
  Own->copyMetadata(Call);
  Own->setMetadata(Kind, nullptr);
  Call.replaceAllUsesWith(Own);
  Call.eraseFromParent();
}

Value *HookCalls::emit(const MergedAccess &A, bool IsFoundUsed) {
  IRBuilder<> B(A.At);
  ++NumHooksCalled;
  const uint64_t Bytes = uint64_t(A.High - A.Low), Word = inOneWord(A);
  if (CountMembers)
    return call(B, HP_HOOK_USUAL_MEMBERS,
                {firstByte(B, A), B.getInt32(uint32_t(Word)),
                 memberGroup(*F.getParent(), A)});
  if (!mayAsk(*F.getParent()))
    return call(B, HP_HOOK_USUAL,
                {firstByte(B, A), B.getInt32(uint32_t(Word))});
  if (A.Reads + A.Writes != 1 || Bytes > 16 || !isPowerOf2_64(Bytes))
    return ask(B, HP_HOOK_KEEPING, A, Word, IsFoundUsed);
  const char *Hook = A.Reads ? HP_HOOK_KEEPING_READ : HP_HOOK_KEEPING_WRITE;
  return ask(B, Hook + std::to_string(Bytes), A, 0, IsFoundUsed);
}

} // namespace heapprof
