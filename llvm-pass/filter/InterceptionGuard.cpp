// InterceptionGuard.cpp - marks calls and functions as not for builtin tricks.
// Marks only; no call and no store is changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "filter/InterceptionGuard.h"
#include "base/Statistics.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

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
    ++NumLibraryCallsKept;
  }
}

void keepStores(Function &F) {
  for (const char *Attribute :
       {"no-builtin-memset", "no-builtin-memcpy", "no-builtin-memmove"})
    F.addFnAttr(Attribute);
}

} // namespace heapprof
