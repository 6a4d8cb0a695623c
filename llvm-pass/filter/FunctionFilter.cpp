// FunctionFilter.cpp - the reasons for which a function gets no hooks.
// What the user asked for and what would not work, in one list: skips().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/FunctionFilter.h"
#include "base/OwnName.h"
#include "base/Statistics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalIFunc.h"

using namespace llvm;

namespace heapprof {

/// What __attribute__((annotate("..."))) must say to opt out.
constexpr StringLiteral SkipAnnotation = "heapprof:skip";

/// llvm.global.annotations is an array of {value, text, file, line, args}.
static void findAnnotated(const Module &M,
                          SmallPtrSetImpl<const Value *> &Annotated) {
  const GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return;
  auto *Entries = dyn_cast<ConstantArray>(List->getInitializer());
  if (!Entries)
    return;
  for (const Use &Entry : Entries->operands()) {
    auto *Fields = dyn_cast<ConstantStruct>(Entry);
    if (!Fields || Fields->getNumOperands() < 2)
      continue;
    auto *Text =
        dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    if (!Text || !Text->hasInitializer())
      continue;
    auto *Data = dyn_cast<ConstantDataSequential>(Text->getInitializer());
    if (Data && Data->isCString() && Data->getAsCString() == SkipAnnotation)
      Annotated.insert(Fields->getOperand(0)->stripPointerCasts());
  }
}

FunctionFilter::FunctionFilter(const Module &M, const Ignorelist &List)
    : List(List) {
  findAnnotated(M, Annotated);
  for (const GlobalIFunc &IFunc : M.ifuncs())
    Resolvers.insert(IFunc.getResolverFunction());
}

bool FunctionFilter::isOwn(const Function &F) const {
  return F.getName().starts_with("__heapprof_") ||
         F.getName().starts_with(ModuleConstructorPrefix);
}

bool FunctionFilter::skips(const Function &F) const {
  if (F.isDeclaration())
    return true;
  if (isOwn(F)) {
    ++NumFunctionsOwn;
    return true;
  }
  if (F.hasAvailableExternallyLinkage()) {
    ++NumFunctionsExternal;
    return true;
  }
  if (F.hasFnAttribute(Attribute::Naked)) {
    ++NumFunctionsNaked;
    return true;
  }
  if (F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) ||
      Annotated.contains(&F)) {
    ++NumFunctionsOptedOut;
    return true;
  }
  // A resolver runs while the loader relocates, when no hook can be called.
  if (Resolvers.contains(&F)) {
    ++NumFunctionsResolver;
    return true;
  }
  if (List.contains(F)) {
    ++NumFunctionsIgnored;
    return true;
  }
  return false;
}

} // namespace heapprof
