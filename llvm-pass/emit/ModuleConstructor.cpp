// ModuleConstructor.cpp - builds heapprof.module_ctor.<ABI version>.
// Identical in all modules, so that the linker keeps one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/ModuleConstructor.h"
#include "base/OwnName.h"
#include "emit/HookedCode.h"
#include "hook_abi.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace heapprof {

void addModuleConstructor(Module &M) {
  LLVMContext &Context = M.getContext();
  // The version is in the name: constructors of two versions must not be
  // merged, or the reference to one version's symbol would be lost.
  const std::string Name =
      (ModuleConstructorPrefix + "." + Twine(HP_ABI_VERSION)).str();
  // Not internal: full LTO merges only what has a name for the linker.
  Function *Ctor = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(Context), false),
      GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  Ctor->setVisibility(GlobalValue::HiddenVisibility);
  Ctor->addFnAttr(Attribute::NoUnwind);
  Ctor->addFnAttr(Attribute::DisableSanitizerInstrumentation);

  Constant *Data = nullptr;
  if (Triple(M.getTargetTriple()).supportsCOMDAT()) {
    Ctor->setComdat(M.getOrInsertComdat(Name));
    Data = Ctor;
  }
  markHooked(*Ctor);

  IRBuilder<> B(BasicBlock::Create(Context, "", Ctor));
  B.CreateCall(M.getOrInsertFunction(HP_HOOK_INIT, B.getVoidTy(), B.getPtrTy()),
               {makeHookedMark(*Ctor)});
  // A load, because that is right whatever the symbol is, and volatile,
  // because the reference is all that matters.
  B.CreateLoad(B.getInt8Ty(), M.getOrInsertGlobal(HP_ABI_SYMBOL, B.getInt8Ty()),
               /*isVolatile=*/true)
      ->setNoSanitizeMetadata();
  B.CreateRetVoid();

  // Programs may use priorities from 101 on and get 65535 by default.
  appendToGlobalCtors(M, Ctor, /*Priority=*/0, Data);
}

} // namespace heapprof
