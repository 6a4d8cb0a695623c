// InterceptionGuard.cpp - marks calls, stores and functions as not for tricks.
// Marks; no call and no store is changed but what the code generator would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/InterceptionGuard.h"
#include "base/Statistics.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heapprof {

/// Allocation functions are left out: they are intercepted for what they are,
/// and the optimiser's knowledge of them is the program's.
static bool touchesMemory(const CallBase &Call, const TargetLibraryInfo &TLI) {
  return !Call.doesNotAccessMemory() && !isAllocationFn(&Call, &TLI) &&
         !getFreedOperand(&Call, &TLI) &&
         any_of(Call.args(), [](const Use &Argument) {
           return Argument->getType()->isPointerTy();
         });
}

void keepLibraryCalls(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    LibFunc Known;
    if (!Call || !TLI.getLibFunc(*Call, Known) || !touchesMemory(*Call, TLI))
      continue;
    Call->addFnAttr(Attribute::NoBuiltin);
    // Or the linker's optimiser infers anew what forgetMemoryEffects took away.
    if (Function *Callee = Call->getCalledFunction())
      Callee->addFnAttr(Attribute::NoBuiltin);
    ++NumLibraryCallsKept;
  }
}

/// The intrinsic of a call that checks a copy against no size; null: it is none.
static CallInst *unchecked(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.arg_size() != 4)
    return nullptr;
  const auto *Room = dyn_cast<ConstantInt>(Call.getArgOperand(3));
  if (!Room || !Room->isMinusOne())
    return nullptr;
  IRBuilder<> Builder(&Call);
  Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1),
        *Count = Call.getArgOperand(2);
  if (Callee->getName() == "__memset_chk")
    return Builder.CreateMemSet(To,
                                Builder.CreateTrunc(From, Builder.getInt8Ty()),
                                Count, MaybeAlign());
  if (Callee->getName() == "__memcpy_chk")
    return Builder.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Count);
  if (Callee->getName() == "__memmove_chk")
    return Builder.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), Count);
  return nullptr;
}

void lowerUncheckedCopies(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !unchecked(*Call))
      continue;
    Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->eraseFromParent();
  }
}

/// Whether \p Stored is what the code generator may have a function of libm
/// write where it is to be stored: sincos for a sine and a cosine, modf, frexp.
static bool isResultOfTwo(const Value *Stored) {
  while (isa<BitCastInst, ExtractValueInst, ExtractElementInst, FreezeInst>(
      Stored))
    Stored = cast<User>(Stored)->getOperand(0);
  const auto *Call = dyn_cast<IntrinsicInst>(Stored);
  return Call &&
         any_of(ArrayRef<StringRef>{"llvm.sin.", "llvm.cos.", "llvm.sincos.",
                                    "llvm.modf.", "llvm.frexp."},
                [&](StringRef Name) {
                  return Call->getCalledFunction()->getName().starts_with(Name);
                });
}

void keepStores(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (isResultOfTwo(Store->getValueOperand()))
        Store->setVolatile(true);
  for (const char *Attribute :
       {"no-builtin-memset", "no-builtin-memcpy", "no-builtin-memmove"})
    F.addFnAttr(Attribute);
}

} // namespace heapprof
