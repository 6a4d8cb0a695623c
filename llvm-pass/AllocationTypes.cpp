// AllocationTypes.cpp - finds each allocation call and gives it its type.
// Known allocators become typed entry points, other callees get a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AllocationTypes.h"
#include "ScopedType.h"
#include "Statistics.h"
#include "TypeDescriptor.h"
#include "TypeInference.h"
#include "TypeLayout.h"
#include "TypedCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heapprof {

/// Libc's functions that allocate text; the runtime knows that they do.
static bool duplicatesText(StringRef Name) {
  static constexpr StringLiteral Names[] = {"strdup", "strndup", "__strdup",
                                            "__strndup", "wcsdup"};
  return is_contained(Names, Name);
}

/// A function that calls nothing allocates nothing.
static bool callsNothing(const Function &F) {
  return F.hasExactDefinition() && none_of(instructions(F), [](auto &I) {
           return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
         });
}

namespace {

class ModuleTypes {
public:
  ModuleTypes(Module &M, FunctionAnalysisManager &Analyses)
      : Descriptors(M), Scopes(M), Calls(M), Analyses(Analyses) {}

  void visit(Function &F) {
    Here = &F;
    TLI = &Analyses.getResult<TargetLibraryAnalysis>(F);
    SmallVector<CallBase *, 16> All;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        All.push_back(Call);
    for (CallBase *Call : All)
      visit(*Call);
    Scopes.endAtArrivals(F);
    removeTokenAttribute(F);
  }

private:
  void visit(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isIntrinsic())
      return;
    if (StringRef(Callee->getName()).starts_with(OutParameterPrefix)) {
      Calls.rewriteOutParameter(Call, Descriptors, *TLI);
      return;
    }
    AllocatedType T = typeOfCall(Call);
    Call.setMetadata("alloc_token", nullptr);
    if (Calls.isAllocator(*Callee)) {
      if (!T)
        T = typeOfInstantiation(*Here);
      if (T)
        Calls.rewrite(Call, *Descriptors.get(T), *TLI);
      else
        ++NumAllocationsUntyped;
      return;
    }
    if (T && !Call.isMustTailCall() && !duplicatesText(Callee->getName()) &&
        !callsNothing(*Callee))
      Scopes.enclose(Call, *Descriptors.get(T), T.isScalar());
  }

  /// Else LLVM's own pass for tokens would rewrite the calls that are left.
  static void removeTokenAttribute(Function &F) {
    Attribute::AttrKind Kind =
        Attribute::getAttrKindFromName("sanitize_alloc_token");
    if (Kind != Attribute::None)
      F.removeFnAttr(Kind);
  }

  TypeDescriptors Descriptors;
  ScopedTypes Scopes;
  TypedCalls Calls;
  FunctionAnalysisManager &Analyses;
  Function *Here = nullptr;
  const TargetLibraryInfo *TLI = nullptr;
};

} // namespace

PreservedAnalyses AllocationTypesPass::run(Module &M,
                                           ModuleAnalysisManager &Analyses) {
  auto &FunctionAnalyses =
      Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  ModuleTypes Types(M, FunctionAnalyses);
  // Declarations of typed entry points are added while we go.
  SmallVector<Function *, 32> Defined;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked))
      Defined.push_back(&F);
  for (Function *F : Defined)
    Types.visit(*F);
  return PreservedAnalyses::none();
}

} // namespace heapprof
