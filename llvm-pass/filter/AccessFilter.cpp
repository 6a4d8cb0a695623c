// AccessFilter.cpp - leaves out what is not the program's or not the heap's.
// Each reason has its own statistic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/AccessFilter.h"
#include "base/Options.h"
#include "base/Statistics.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace heapprof {

/// Globals that the compiler adds for its own use, such as the counters of
/// -fprofile-instr-generate: they are not the program's, even in naive form.
static bool isCompilersOwn(const Value *Pointer) {
  auto *Global = dyn_cast<GlobalVariable>(underlyingObject(Pointer));
  return Global && (Global->getName().starts_with("llvm.") ||
                    Global->getName().starts_with("__llvm_") ||
                    Global->getSection().starts_with("__llvm_prf"));
}

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

  Place Target = Places.of(A.Pointer);
  if (A.Source && Target != Place::MaybeHeap)
    Target = std::max(Target, Places.of(A.Source));
  switch (Target) {
  case Place::MaybeHeap:
    return false;
  case Place::Global:
    ++NumSkippedGlobal;
    break;
  case Place::Stack:
    ++NumSkippedStack;
    break;
  case Place::Read:
    ++NumSkippedRead;
    break;
  case Place::Passed:
    ++NumSkippedPassed;
    break;
  }
  return true;
}

} // namespace heapprof
