// ScopedType.cpp - loads and stores of the scoped type, volatile throughout:
// what LLVM knows of malloc, and so of a wrapper, is that it reads no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/ScopedType.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "hook_abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

GlobalVariable *ScopedTypes::variable() {
  if (GlobalVariable *G = M.getNamedGlobal(HP_SCOPED_TYPE))
    return G;
  // The runtime is in the executable, whose variables are in static storage,
  // so that shared libraries may use this model too.
  return new GlobalVariable(M, PointerType::getUnqual(M.getContext()),
                            /*isConstant=*/false, GlobalValue::ExternalLinkage,
                            nullptr, HP_SCOPED_TYPE, nullptr,
                            GlobalValue::InitialExecTLSModel);
}

Value *ScopedTypes::load(IRBuilder<> &B) {
  LoadInst *L = B.CreateLoad(B.getPtrTy(), variable(), /*isVolatile=*/true);
  L->setNoSanitizeMetadata();
  return L;
}

void ScopedTypes::store(IRBuilder<> &B, Value *Type) {
  B.CreateStore(Type, variable(), /*isVolatile=*/true)->setNoSanitizeMetadata();
}

/// Whether \p Type takes the place of \p Outer; null: always.
Value *ScopedTypes::displaces(IRBuilder<> &B, Value *Outer, Value *Type,
                              uint16_t Flags) {
  if (Flags & HP_TYPE_WEAK)
    return B.CreateIsNull(Outer);
  if (!(Flags & HP_TYPE_HEADER))
    return nullptr;
  // Of no outer type the own flags are asked, in which a header is not sized.
  Value *Known = B.CreateSelect(B.CreateIsNull(Outer), Type, Outer);
  LoadInst *Others = B.CreateLoad(
      B.getInt16Ty(), B.CreatePtrAdd(Known, B.getInt64(HP_TYPE_FLAGS_OFFSET)));
  Others->setNoSanitizeMetadata();
  return B.CreateIsNull(B.CreateAnd(Others, B.getInt16(HP_TYPE_SIZED)));
}

void ScopedTypes::set(CallBase &Call, Value *Type, uint16_t Flags) {
  IRBuilder<> Before(&Call);
  Value *Outer = load(Before);
  Value *Displaces = displaces(Before, Outer, Type, Flags);
  store(Before, Displaces ? Before.CreateSelect(Displaces, Type, Outer) : Type);

  Instruction *Next = Call.getNextNode();
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Normal = Invoke->getNormalDest();
    if (!Normal->getSinglePredecessor())
      Normal = SplitEdge(Invoke->getParent(), Normal);
    Next = &*Normal->getFirstInsertionPt();
  }
  if (!Next) // callbr
    return;
  IRBuilder<> After(Next);
  After.SetCurrentDebugLocation(Call.getDebugLoc());
  // An outer scope whose type was taken meanwhile must not come back.
  store(After,
        Displaces ? After.CreateSelect(Displaces, Outer, load(After)) : Outer);
  ++NumWrapperCalls;
}

void ScopedTypes::enclose(CallBase &Call, GlobalVariable &Type,
                          uint16_t Flags) {
  set(Call, &Type, Flags);
}

void ScopedTypes::encloseExact(CallBase &Call, GlobalVariable &Type,
                               Value &Size) {
  IRBuilder<> Before(&Call);
  GlobalVariable *Asked = runtimeSymbol(M, HP_SCOPED_SIZE, Before.getInt64Ty(),
                                        /*ThreadLocal=*/true);
  Before.CreateStore(&Size, Asked, /*isVolatile=*/true)
      ->setNoSanitizeMetadata();
  set(Call, &Type, HP_TYPE_EXACT);
}

void ScopedTypes::close(CallBase &Call) {
  set(Call, ConstantPointerNull::get(PointerType::getUnqual(M.getContext())),
      0);
}

void ScopedTypes::endAtArrivals(Function &F) {
  SmallVector<Instruction *, 4> Arrivals;
  for (Instruction &I : instructions(F)) {
    if (isa<LandingPadInst>(I))
      Arrivals.push_back(&*I.getParent()->getFirstInsertionPt());
    else if (auto *Call = dyn_cast<CallInst>(&I);
             Call && Call->hasFnAttr(Attribute::ReturnsTwice) &&
             !Call->isMustTailCall())
      Arrivals.push_back(Call->getNextNode());
  }
  for (Instruction *At : Arrivals) {
    IRBuilder<> B(At);
    if (!B.getCurrentDebugLocation() && F.getSubprogram())
      B.SetCurrentDebugLocation(
          DILocation::get(F.getContext(), 0, 0, F.getSubprogram()));
    store(B, ConstantPointerNull::get(B.getPtrTy()));
  }
}

} // namespace heapprof
