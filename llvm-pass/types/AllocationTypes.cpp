// AllocationTypes.cpp - finds each allocation call and gives it its type.
// Known allocators become typed entry points, other callees get a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/AllocationTypes.h"
#include "base/Statistics.h"
#include "types/PoolCalls.h"
#include "types/ScopedType.h"
#include "types/TypeDescriptor.h"
#include "types/TypeInference.h"
#include "types/TypeRequest.h"
#include "types/TypedCall.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

/// Libc's functions that allocate text; the runtime knows that they do.
static bool duplicatesText(StringRef Name) {
  static constexpr StringLiteral Names[] = {"strdup", "strndup", "__strdup",
                                            "__strndup"};
  return is_contained(Names, Name);
}

/// What libc's wcsdup asks malloc for.
static AllocatedType wideText() {
  AllocatedType T;
  T.Name = "wchar_t";
  T.Size = T.Alignment = 4;
  T.OfLibc = true;
  return T;
}

/// Whether this is where std::allocator allocates, of libstdc++ or libc++.
static bool isOfContainer(StringRef Name) {
  return Name.starts_with("_ZNSt15__new_allocatorI") ||
         Name.starts_with("_ZN9__gnu_cxx13new_allocatorI") ||
         Name.starts_with("_ZNSt3__19allocatorI");
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
      : Descriptors(M), Scopes(M), Calls(M), Pools(M), Analyses(Analyses) {}

  void visit(Function &F) {
    Here = &F;
    IsPools = Pools.isOne(F);
    takeRequests(F);
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

  void finish() { Pools.finish(); }

private:
  /// What the AST plugin said of each call, and its marks out of the code.
  void takeRequests(Function &F) {
    Requests.clear();
    SmallVector<CallBase *, 8> Marks;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && Callee->getName().starts_with(RequestPrefix))
          Marks.push_back(Call);
    for (CallBase *Mark : Marks) {
      User *Asked = Mark;
      while (Asked->hasOneUse() && (Asked == Mark || isa<CastInst>(Asked)))
        Asked = *Asked->user_begin();
      if (auto *Call = dyn_cast<CallBase>(Asked))
        Requests[Call] = typeOfRequest(Mark->getCalledFunction()->getName());
      Mark->replaceAllUsesWith(Mark->getArgOperand(0));
      Mark->eraseFromParent();
    }
  }

  void visit(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    auto Request = Requests.find(&Call);
    const bool IsRequest = Request != Requests.end();
    if (Callee && Callee->isIntrinsic())
      return;
    AllocatedType T = IsRequest ? Request->second
                      : Callee && Callee->getName() == "wcsdup"
                          ? wideText()
                          : typeOfCall(Call);
    Call.setMetadata("alloc_token", nullptr);
    if (!T)
      T = typeOfFrame(Call, *Here);
    if (!T)
      T = typeOfThrown(Call);
    if (!IsPools && visitPool(Call, T))
      return;
    const bool IsAllocator = Callee && Calls.isAllocator(*Callee);
    if (IsAllocator && !T) {
      T = typeOfInstantiation(*Here);
      if (!T)
        ++NumAllocationsUntyped;
    }
    T.OfContainer = IsAllocator && isOfContainer(Here->getName());
    if (IsAllocator && T)
      Calls.rewrite(Call, *Descriptors.get(T), *TLI);
    else if (Call.isMustTailCall() || (Callee && callsNothing(*Callee)))
      return;
    else if (!T && IsRequest && !Request->second.Forwarded)
      Scopes.close(Call);
    else if (T && !(Callee && duplicatesText(Callee->getName())))
      Scopes.enclose(Call, *Descriptors.get(T), T.flags());
    else if (!T && !IsAllocator && !IsRequest)
      askResource(Call);
  }

  /// Where the code goes on behind \p Call.
  static Instruction *behind(CallBase &Call) {
    auto *Invoke = dyn_cast<InvokeInst>(&Call);
    if (!Invoke)
      return Call.getNextNode();
    BasicBlock *Normal = Invoke->getNormalDest();
    if (!Normal->getSinglePredecessor())
      Normal = SplitEdge(Invoke->getParent(), Normal);
    return &*Normal->getFirstInsertionPt();
  }

  /// What a pool hands out is of type \p T, and not what it asks for itself.
  bool visitPool(CallBase &Call, const AllocatedType &T) {
    const PoolCall Its = Pools.of(Call);
    Pools.before(Call, Its);
    if (!Its.Size)
      return false;
    Instruction *Behind = behind(Call);
    Scopes.close(Call);
    Pools.behind(Call, *Behind, Its, T ? Descriptors.get(T) : nullptr);
    return true;
  }

  /// In `polymorphic_allocator<T>::allocate` and the like, which ask another
  /// for bytes: those bytes are a T, and no more than those.
  void askResource(CallBase &Call) {
    if (!Call.getType()->isPointerTy() || Call.doesNotReturn())
      return;
    auto Size = find_if(Call.args(), [](const Value *Argument) {
      return Argument->getType()->isIntegerTy(64);
    });
    AllocatedType T;
    if (Size != Call.arg_end())
      T = typeOfInstantiation(*Here);
    if (!T)
      return;
    T.Exact = true;
    Scopes.encloseExact(Call, *Descriptors.get(T), **Size);
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
  PoolCalls Pools;
  FunctionAnalysisManager &Analyses;
  DenseMap<const CallBase *, AllocatedType> Requests; ///< of the function
  Function *Here = nullptr;
  bool IsPools = false; ///< it is one of the pools' functions
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
  Types.finish();
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(RequestPrefix))
      F.eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace heapprof
