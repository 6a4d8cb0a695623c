// PointerPlaces.cpp - see PointerPlaces.h. Arguments and results are taken not
// to be the heap's until a caller or a return says otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/PointerPlaces.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heapprof {

/// More sources than this of one pointer (phis of phis) are not worth the
/// compile time, nor are more uses of an object that pointers are read from.
static constexpr unsigned MaxSources = 64;

/// Longer chains of address arithmetic do not occur, but circular ones do, in
/// unreachable code.
static constexpr unsigned MaxSteps = 1000;

/// getUnderlyingObject stops at vectors; the base of a vector of addresses
/// into one object is that object.
const Value *underlyingObject(const Value *Pointer) {
  for (unsigned Step = 0; Step != MaxSteps && Pointer->getType()->isVectorTy();
       ++Step) {
    auto *GEP = dyn_cast<GEPOperator>(Pointer);
    if (!GEP)
      return Pointer;
    Pointer = GEP->getPointerOperand();
  }
  return getUnderlyingObject(Pointer, MaxSteps);
}

/// Whether \p Call returns the address of libc's own variable for this thread.
static bool isLibrarysOwn(const CallBase &Call) {
  static constexpr StringLiteral Names[] = {"__errno_location", "__ctype_b_loc",
                                            "__ctype_tolower_loc",
                                            "__ctype_toupper_loc"};
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         is_contained(Names, Callee->getName());
}

/// Adds to \p Sources what pointers a store of \p Stored leaves in an object;
/// false if they cannot be told.
static bool addStored(const Value *Stored,
                      SmallVectorImpl<const Value *> &Sources) {
  if (Stored->getType()->isPointerTy())
    Sources.push_back(Stored);
  else if (!isa<Constant>(Stored)) // it may be part of a pointer
    return false;
  return true;
}

/// Whether \p User, of \p Address in an object, only reads there or writes what
/// is no pointer or one of \p Sources, to which it is added.  More such
/// addresses go to \p Addresses.
static bool isPlainUse(const User &User, const Value *Address,
                       SmallVectorImpl<const Value *> &Addresses,
                       SmallVectorImpl<const Value *> &Sources) {
  if (isa<LoadInst, ICmpInst>(User))
    return true;
  if (isa<GEPOperator>(User)) {
    Addresses.push_back(&User);
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(&User))
    return Store->getValueOperand() != Address &&
           addStored(Store->getValueOperand(), Sources);
  auto *Call = dyn_cast<IntrinsicInst>(&User);
  return Call && (Call->isLifetimeStartOrEnd() || isa<MemSetInst>(Call));
}

/// Adds to \p Sources all that a pointer read from \p Object can be; false if
/// that is not known, as somebody else may write there.
static bool addContents(const Value *Object,
                        SmallVectorImpl<const Value *> &Sources) {
  if (auto *Global = dyn_cast<GlobalVariable>(Object)) {
    if (Global->isConstant() && Global->hasDefinitiveInitializer())
      return true; // nothing but constants
    if (!Global->hasLocalLinkage())
      return false;
  } else if (!isa<AllocaInst>(Object)) {
    return false;
  }
  SmallVector<const Value *, 8> Addresses = {Object};
  unsigned Uses = 0;
  while (!Addresses.empty()) {
    const Value *Address = Addresses.pop_back_val();
    for (const User *User : Address->users())
      if (++Uses > MaxSources ||
          !isPlainUse(*User, Address, Addresses, Sources))
        return false;
  }
  return true;
}

/// A pointer that \p Load reads.
Place PointerPlaces::ofRead(const LoadInst &Load,
                            SmallVectorImpl<const Value *> &Sources) const {
  if (!FollowReads || !Load.getType()->isPointerTy())
    return Place::MaybeHeap;
  // Tables of virtual functions are the linker's.
  if (const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
      Tag && Tag->isTBAAVtableAccess())
    return Place::Read;
  const Value *Object = underlyingObject(Load.getPointerOperand());
  if (auto *Call = dyn_cast<CallBase>(Object))
    return isLibrarysOwn(*Call) ? Place::Read : Place::MaybeHeap;
  return addContents(Object, Sources) ? Place::Read : Place::MaybeHeap;
}

/// Or what its \p Sources say.
Place PointerPlaces::ofObject(const Value *Object,
                              SmallVectorImpl<const Value *> &Sources) const {
  if (auto *Phi = dyn_cast<PHINode>(Object)) {
    append_range(Sources, Phi->incoming_values());
    return Place::Global;
  }
  if (auto *Select = dyn_cast<SelectInst>(Object)) {
    Sources.push_back(Select->getTrueValue());
    Sources.push_back(Select->getFalseValue());
    return Place::Global;
  }
  if (isa<AllocaInst>(Object))
    return Place::Stack;
  if (isa<Constant>(Object))
    return Place::Global;
  if (auto *Load = dyn_cast<LoadInst>(Object))
    return ofRead(*Load, Sources);
  const Value *Known = Object;
  if (auto *Call = dyn_cast<CallBase>(Object)) {
    if (FollowCalls && isLibrarysOwn(*Call))
      return Place::Passed;
    Known = Call->getCalledFunction();
  } else if (auto *Arg = dyn_cast<Argument>(Object)) {
    if (Arg->hasPassPointeeByValueCopyAttr())
      return Place::Stack;
  }
  return Followed.contains(Known) ? Place::Passed : Place::MaybeHeap;
}

Place PointerPlaces::of(const Value *Pointer) const {
  SmallVector<const Value *, 8> Sources = {Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  Place Result = Place::Global;
  while (!Sources.empty()) {
    const Value *Object = underlyingObject(Sources.pop_back_val());
    if (!Seen.insert(Object).second)
      continue;
    if (Seen.size() > MaxSources)
      return Place::MaybeHeap;
    Result = std::max(Result, ofObject(Object, Sources));
    if (Result == Place::MaybeHeap)
      return Result;
  }
  return Result;
}

/// Whether nobody calls \p F but by its name in this module.
static bool hasKnownCallers(const Function &F) {
  return F.hasLocalLinkage() && !F.hasAddressTaken();
}

void PointerPlaces::followCalls(const Module &M) {
  for (const Function &F : M) {
    // What assembly returns is not seen.
    if (!F.hasExactDefinition() || F.hasFnAttribute(Attribute::Naked))
      continue;
    if (F.getReturnType()->isPointerTy())
      Followed.insert(&F);
    if (hasKnownCallers(F))
      for (const Argument &A : F.args())
        if (A.getType()->isPointerTy())
          Followed.insert(&A);
  }
  // An argument or a function, and what is passed or returned.
  SmallVector<std::pair<const Value *, const Value *>, 0> Edges;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (auto *Return = dyn_cast<ReturnInst>(&I)) {
        if (Followed.contains(&F))
          Edges.push_back({&F, Return->getReturnValue()});
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (const Function *Callee = Call->getCalledFunction())
          for (const Argument &A : Callee->args())
            if (Followed.contains(&A))
              Edges.push_back({&A, Call->getArgOperand(A.getArgNo())});
      }
    }
  for (size_t Before = 0; Before != Followed.size();) {
    Before = Followed.size();
    erase_if(Edges, [&](const auto &Edge) {
      if (!Followed.contains(Edge.first))
        return true;
      if (of(Edge.second) != Place::MaybeHeap)
        return false;
      Followed.erase(Edge.first);
      return true;
    });
  }
  NumPlacesPassed += Followed.size();
}

PointerPlaces::PointerPlaces(const Module &M) {
  if (FollowCalls && !Naive)
    followCalls(M);
}

} // namespace heapprof
