// TypedCall.cpp - the table of allocators and the rewriting of one call.
// Invokes stay invokes; attributes, bundles and metadata go along.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types/TypedCall.h"
#include "base/Statistics.h"
#include "hook_abi.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace llvm;

namespace heapprof {

/// Parameters of the allocator of that linkage name; 0: it is none.
static unsigned parametersOf(StringRef Name) {
  static constexpr struct {
    StringLiteral Name;
    unsigned Parameters;
  } Allocators[] = {{"malloc", 1},
                    {"calloc", 2},
                    {"realloc", 2},
                    {"reallocarray", 3},
                    {"aligned_alloc", 2},
                    {"memalign", 2},
                    {"posix_memalign", 3},
                    {"valloc", 1},
                    {"pvalloc", 1},
                    {"_Znwm", 1},
                    {"_Znam", 1},
                    {"_ZnwmRKSt9nothrow_t", 2},
                    {"_ZnamRKSt9nothrow_t", 2},
                    {"_ZnwmSt11align_val_t", 2},
                    {"_ZnamSt11align_val_t", 2},
                    {"_ZnwmSt11align_val_tRKSt9nothrow_t", 3},
                    {"_ZnamSt11align_val_tRKSt9nothrow_t", 3}};
  for (const auto &A : Allocators)
    if (A.Name == Name)
      return A.Parameters;
  return 0;
}

bool TypedCalls::isAllocator(StringRef Name) { return parametersOf(Name) != 0; }

bool TypedCalls::isAllocator(const Function &F) const {
  unsigned Parameters = parametersOf(F.getName());
  return Parameters && F.isDeclaration() && F.arg_size() == Parameters &&
         !F.isVarArg() &&
         (F.getReturnType()->isPointerTy() || F.getName() == "posix_memalign");
}

/// Attributes of the call for \p Call's replacement: its own, and what is
/// known of the callee by its name.
static AttributeList attributesFor(const CallBase &Call, const Function &Callee,
                                   const TargetLibraryInfo &TLI) {
  LLVMContext &C = Call.getContext();
  AttributeList Own = Call.getAttributes(), Known = Callee.getAttributes();
  AttrBuilder OfFunction(C, Own.getFnAttrs());
  const bool Observable = Call.isNoBuiltin();
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
        Attribute::NoSync, Attribute::NoCallback, Attribute::MustProgress,
        Attribute::Memory, Attribute::AllocSize, Attribute::AllocKind})
    if (Known.hasFnAttr(Kind) && !OfFunction.contains(Kind))
      OfFunction.addAttribute(Known.getFnAttr(Kind));
  if (Observable) {
    // A direct call of operator new must not be optimised away.
    OfFunction.removeAttribute(Attribute::AllocKind);
  } else if (auto Family = getAllocationFamily(&Call, &TLI)) {
    OfFunction.addAttribute("alloc-family", *Family);
    if (!OfFunction.contains(Attribute::AllocKind))
      OfFunction.addAllocKindAttr(AllocFnKind::Alloc |
                                  AllocFnKind::Uninitialized);
  }
  // These are about the allocator's own name.
  OfFunction.removeAttribute(Attribute::Builtin);
  OfFunction.removeAttribute(Attribute::NoBuiltin);

  AttrBuilder OfResult(C, Known.getRetAttrs());
  OfResult.merge(AttrBuilder(C, Own.getRetAttrs()));
  SmallVector<AttributeSet, 4> OfArguments;
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    AttrBuilder Argument(C, Known.getParamAttrs(I));
    Argument.merge(AttrBuilder(C, Own.getParamAttrs(I)));
    OfArguments.push_back(AttributeSet::get(C, Argument));
  }
  OfArguments.push_back({});
  return AttributeList::get(C, AttributeSet::get(C, OfFunction),
                            AttributeSet::get(C, OfResult), OfArguments);
}

/// \p Call with \p Type as its last argument and \p Entry as its callee.
static void replace(CallBase &Call, FunctionCallee Entry, GlobalVariable &Type,
                    AttributeList Attributes) {
  SmallVector<Value *, 4> Arguments(Call.args());
  Arguments.push_back(&Type);
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  IRBuilder<> B(&Call);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    New = B.CreateInvoke(Entry, Invoke->getNormalDest(),
                         Invoke->getUnwindDest(), Arguments, Bundles);
  } else {
    auto *Plain = B.CreateCall(Entry, Arguments, Bundles);
    // The prototypes differ, which musttail forbids; it was only a wish.
    Plain->setTailCallKind(cast<CallInst>(Call).isTailCall()
                               ? CallInst::TCK_Tail
                               : cast<CallInst>(Call).getTailCallKind());
    New = Plain;
  }
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Attributes);
  // Two calls that are made one have no line.
  New->addFnAttr(Attribute::NoMerge);
  New->copyMetadata(Call);
  New->setMetadata("heapallocsite", nullptr);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  ++NumAllocationsTyped;
}

static FunctionType *withDescriptor(FunctionType *T) {
  SmallVector<Type *, 4> Parameters(T->params());
  Parameters.push_back(PointerType::getUnqual(T->getContext()));
  return FunctionType::get(T->getReturnType(), Parameters, false);
}

void TypedCalls::rewrite(CallBase &Call, GlobalVariable &Type,
                         const TargetLibraryInfo &TLI) {
  if (Call.isMustTailCall())
    return;
  Function &Callee = *Call.getCalledFunction();
  inferNonMandatoryLibFuncAttrs(Callee, TLI);
  FunctionCallee Entry =
      M.getOrInsertFunction((HP_TYPED_PREFIX + Callee.getName()).str(),
                            withDescriptor(Callee.getFunctionType()));
  replace(Call, Entry, Type, attributesFor(Call, Callee, TLI));
}

} // namespace heapprof
