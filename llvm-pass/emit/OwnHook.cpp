// OwnHook.cpp - one in each program or library, whatever modules it is linked from.
// Its first argument is in the register of a pointer to a function's frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/OwnHook.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace heapprof {

/// The runtime's section, so that this is no code of the program without hooks.
constexpr StringLiteral Section = ".heapprof_text";

Function *ownHook(Module &M, StringRef Name, FunctionType *Type,
                  StringRef Assembly, Align Alignment) {
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &Context = M.getContext();
  Function *Hook =
      Function::Create(Type, GlobalValue::LinkOnceODRLinkage, Name, M);
  Hook->addParamAttr(0, Attribute::Nest);
  Hook->setVisibility(GlobalValue::HiddenVisibility);
  Hook->setDSOLocal(true);
  Hook->setComdat(M.getOrInsertComdat(Name));
  Hook->setSection(Section);
  Hook->setAlignment(Alignment);
  for (const auto Kind :
       {Attribute::Naked, Attribute::NoInline, Attribute::NoUnwind})
    Hook->addFnAttr(Kind);
  IRBuilder<> B(BasicBlock::Create(Context, "", Hook));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), Assembly,
                              "", /*hasSideEffects=*/true));
  B.CreateUnreachable();
  return Hook;
}

} // namespace heapprof
