// KnownRecords.cpp - a variable for each object, and phis for objects that are.
// Leaves the placing of all other phis to LLVM's promotion of variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/KnownRecords.h"
#include "base/Options.h"
#include "hook_abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace heapprof {

/// What is known of an object costs copies on many ways through a loop of more
/// blocks than these, such as an interpreter's, and registers there.
constexpr unsigned SmallLoopBlocks = 8;

KnownRecords::KnownRecords(Function &F, const LoopInfo &LI)
    : F(F), LI(LI), NotKnown(ConstantExpr::getIntToPtr(
                        ConstantInt::getSigned(Type::getInt64Ty(F.getContext()),
                                               HP_NOT_KNOWN),
                        PointerType::getUnqual(F.getContext()))) {}

static const Value *objectOf(const Value *Pointer) {
  return getUnderlyingObject(Pointer, 0);
}

/// Whether records are carried through \p L.
static bool carriesThrough(const Loop *L) {
  return L && L->getNumBlocks() <= SmallLoopBlocks;
}

/// The phis of loops that hooked objects come from, as far as what is known of
/// a hooked object can reach them: for these null is put into Phis.
void KnownRecords::followPhis(ArrayRef<const Value *> Hooked) {
  SmallSetVector<const PHINode *, 32> Above;
  auto Add = [&](const Value *Object) {
    auto *Phi = dyn_cast<PHINode>(Object);
    if (Phi && carriesThrough(LI.getLoopFor(Phi->getParent())))
      Above.insert(Phi);
  };
  for_each(Hooked, Add);
  DenseMap<const Value *, SmallVector<const PHINode *, 2>> Into;
  for (size_t I = 0; I != Above.size(); ++I)
    for (const Value *Incoming : Above[I]->incoming_values()) {
      const Value *Source = objectOf(Incoming);
      Into[Source].push_back(Above[I]);
      Add(Source);
    }
  SmallVector<const Value *, 32> Work(Hooked);
  while (!Work.empty())
    for (const PHINode *Phi : Into.lookup(Work.pop_back_val()))
      if (Phis.try_emplace(Phi, nullptr).second)
        Work.push_back(Phi);
}

/// Makes the variable of \p Object, if there is a place right behind it.
void KnownRecords::begin(const Value *Object) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator Behind = Entry.getFirstInsertionPt();
  if (auto *I = dyn_cast<Instruction>(Object)) {
    auto Found = const_cast<Instruction *>(I)->getInsertionPointAfterDef();
    if (!Found)
      return;
    Behind = *Found;
  }
  IRBuilder<> B(&*Entry.getFirstInsertionPt());
  AllocaInst *Variable =
      B.CreateAlloca(B.getPtrTy(), nullptr, "heapprof.known");
  Variables[Object] = Variable;
  B.SetInsertPoint(Behind->getParent(), Behind);
  Value *Start = NotKnown;
  if (auto *Phi = dyn_cast<PHINode>(Object); Phi && Phis.count(Phi)) {
    IRBuilder<> Head(const_cast<PHINode *>(Phi));
    Start = Phis[Phi] = Head.CreatePHI(
        B.getPtrTy(), Phi->getNumIncomingValues(), "heapprof.known");
    Placed.emplace_back(Start);
  }
  Firsts[Object] = {B.CreateStore(Start, Variable), Behind->getParent()};
}

/// What is known of \p Object is what is known of that which it comes from.
void KnownRecords::connect(const PHINode *Object) {
  PHINode *Known = Phis[Object];
  for (unsigned I = 0; I != Object->getNumIncomingValues(); ++I) {
    BasicBlock *From = Object->getIncomingBlock(I);
    const Value *Source = objectOf(Object->getIncomingValue(I));
    Value *Record = NotKnown;
    // A switch may lead here by several edges.
    if (const int Same = Known->getBasicBlockIndex(From); Same >= 0) {
      Record = Known->getIncomingValue(unsigned(Same));
    } else if (has(Source) && Source != From->getTerminator()) {
      IRBuilder<> B(From->getTerminator());
      Record = get(B, Source);
    }
    Known->addIncoming(Record, From);
  }
}

void KnownRecords::open(ArrayRef<const Value *> Hooked) {
  if (CarryRecords)
    followPhis(Hooked);
  SmallSetVector<const Value *, 32> Objects(Hooked.begin(), Hooked.end());
  for (auto &[Phi, Known] : Phis)
    Objects.insert(Phi);
  for (const Value *Object : Objects)
    begin(Object);
  for (auto &[Phi, Known] : Phis)
    if (Known)
      connect(Phi);
}

bool KnownRecords::outlastsTurn(const Value *Object,
                                const BasicBlock *BB) const {
  const Loop *L = LI.getLoopFor(BB);
  auto *I = dyn_cast<Instruction>(Object);
  return has(Object) && L && !(I && L->contains(I));
}

bool KnownRecords::mayBeCarried(const Value *Object,
                                const BasicBlock *BB) const {
  if (!CarryRecords || !has(Object))
    return false;
  if (auto *Phi = dyn_cast<PHINode>(Object))
    return Phis.lookup(Phi) != nullptr;
  return carriesThrough(LI.getLoopFor(BB)) && outlastsTurn(Object, BB);
}

Value *KnownRecords::get(IRBuilder<> &B, const Value *Object) {
  Firsts.erase(Object);
  return B.CreateLoad(B.getPtrTy(), Variables.lookup(Object));
}

void KnownRecords::set(IRBuilder<> &B, const Value *Object, Value *Record) {
  if (isa<PHINode>(Record))
    Placed.emplace_back(Record);
  // A variable that is stored to once is promoted without a look at all blocks
  // behind it.
  if (auto Its = Firsts.find(Object);
      Its != Firsts.end() && Its->second.In == Here) {
    Its->second.Store->eraseFromParent();
    Firsts.erase(Its);
  }
  B.CreateStore(Record, Variables.lookup(Object));
}

/// The promotion would look for places of phis that nobody needs, in all blocks
/// behind each store.
static bool removeIfNotLoaded(AllocaInst *Variable) {
  if (any_of(Variable->users(), [](const User *U) { return isa<LoadInst>(U); }))
    return false;
  while (!Variable->use_empty())
    cast<Instruction>(Variable->user_back())->eraseFromParent();
  Variable->eraseFromParent();
  return true;
}

void KnownRecords::close() {
  SmallVector<AllocaInst *, 32> Allocas(Others.begin(), Others.end());
  for (auto &[Object, Variable] : Variables)
    if (!removeIfNotLoaded(Variable))
      Allocas.push_back(Variable);
  DominatorTree DT(F);
  PromoteMemToReg(Allocas, DT);
  for (WeakVH &Phi : Placed)
    if (Phi)
      RecursivelyDeleteDeadPHINode(cast<PHINode>(Phi));
}

} // namespace heapprof
