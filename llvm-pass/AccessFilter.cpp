// AccessFilter.cpp - follows a pointer back to the objects it can point into.
// An alloca, an argument passed on the stack, a global or a constant: no heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessFilter.h"
#include "Options.h"
#include "Statistics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heapprof {

namespace {

enum class Place { MaybeHeap, Stack, Global };

/// More sources than this of one pointer (phis of phis) are not worth the
/// compile time.
constexpr unsigned MaxSources = 64;

/// Longer chains of address arithmetic do not occur, but circular ones do, in
/// unreachable code.
constexpr unsigned MaxSteps = 1000;

/// getUnderlyingObject stops at vectors; the base of a vector of addresses
/// into one object is that object.
const Value *underlyingObject(const Value *V) {
  for (unsigned Step = 0; Step != MaxSteps && V->getType()->isVectorTy();
       ++Step) {
    auto *GEP = dyn_cast<GEPOperator>(V);
    if (!GEP)
      return V;
    V = GEP->getPointerOperand();
  }
  return getUnderlyingObject(V, MaxSteps);
}

Place placeOfObject(const Value *Object) {
  if (isa<AllocaInst>(Object))
    return Place::Stack;
  if (auto *Arg = dyn_cast<Argument>(Object))
    return Arg->hasPassPointeeByValueCopyAttr() ? Place::Stack
                                                : Place::MaybeHeap;
  return isa<Constant>(Object) ? Place::Global : Place::MaybeHeap;
}

Place placeOf(const Value *Pointer) {
  SmallVector<const Value *, 8> Work = {Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  Place Result = Place::Global;
  while (!Work.empty()) {
    const Value *Object = underlyingObject(Work.pop_back_val());
    if (!Seen.insert(Object).second)
      continue;
    if (Seen.size() > MaxSources)
      return Place::MaybeHeap;
    if (auto *Phi = dyn_cast<PHINode>(Object)) {
      append_range(Work, Phi->incoming_values());
      continue;
    }
    if (auto *Select = dyn_cast<SelectInst>(Object)) {
      Work.push_back(Select->getTrueValue());
      Work.push_back(Select->getFalseValue());
      continue;
    }
    Place One = placeOfObject(Object);
    if (One == Place::MaybeHeap)
      return One;
    if (One == Place::Stack)
      Result = One;
  }
  return Result;
}

/// Globals that the compiler adds for its own use, such as the counters of
/// -fprofile-instr-generate: they are not the program's, even in naive form.
bool isCompilersOwn(const Value *Pointer) {
  auto *Global = dyn_cast<GlobalVariable>(underlyingObject(Pointer));
  return Global && (Global->getName().starts_with("llvm.") ||
                    Global->getName().starts_with("__llvm_") ||
                    Global->getSection().starts_with("__llvm_prf"));
}

} // namespace

bool AccessFilter::skips(const Access &A) const {
  for (const Value *Pointer : {A.Pointer, A.Source}) {
    if (!Pointer)
      continue;
    if (Pointer->getType()->getScalarType()->getPointerAddressSpace() != 0) {
      ++NumSkippedAddressSpace;
      return true;
    }
    if (Pointer->isSwiftError()) {
      ++NumSkippedSwiftError;
      return true;
    }
  }
  if (isCompilersOwn(A.Pointer) && (!A.Source || isCompilersOwn(A.Source))) {
    ++NumSkippedCounter;
    return true;
  }
  if (Naive)
    return false;

  Place Target = placeOf(A.Pointer);
  Place Source = A.Source ? placeOf(A.Source) : Target;
  if (Target == Place::MaybeHeap || Source == Place::MaybeHeap)
    return false;
  if (Target == Place::Stack)
    ++NumSkippedStack;
  else
    ++NumSkippedGlobal;
  return true;
}

} // namespace heapprof
