// FrameKeeper.cpp - which tail calls become calls, and which choose.
// Runs last: what it looks at is what the code generator gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/FrameKeeper.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "emit/TailCallGraph.h"
#include "hook_abi.h"
#include "types/TypedCall.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heapprof {

namespace {

class ModuleFrames {
public:
  ModuleFrames(Module &M, FunctionAnalysisManager &Analyses)
      : M(M), Analyses(Analyses) {
    findOfInterest();
    Graph.emplace(M, [this](const CallBase &Call) {
      return kindOf(Call) != Kind::Unknown;
    });
  }

  void keep(Function &F, bool MayChoose) {
    SmallVector<CallInst *, 4> Choices;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || isa<IntrinsicInst>(Call) || Call->isMustTailCall() ||
          isForJumps(Call->getCallingConv()))
        continue;
      const Kind What = kindOf(*Call);
      // An optimiser at link time may yet find out that it can be a jump.
      if (What == Kind::OfHeap) {
        NumFramesKept += tailPlaceOf(*Call) != TailPlace::Inside;
        Call->setTailCallKind(CallInst::TCK_NoTail);
      }
      if (!Call->isTailCall() || What == Kind::OfNoInterest)
        continue;
      const TailPlace Place = tailPlaceOf(*Call);
      if (Place == TailPlace::Inside)
        continue;
      if (What == Kind::Library) {
        Call->setTailCallKind(CallInst::TCK_NoTail);
        ++NumFramesKept;
        continue;
      }
      if (const Function *Callee = calleeHere(*Call);
          (Callee && !OfInterest.contains(Callee)) || isThunk(F))
        continue;
      switch (Graph->circleOf(*Call)) {
      case TailCallGraph::Circle::Certain:
        ++NumTailCallsLeft;
        break;
      case TailCallGraph::Circle::None:
        Call->setTailCallKind(CallInst::TCK_NoTail);
        ++NumFramesKept;
        break;
      case TailCallGraph::Circle::Possible:
        if (Place == TailPlace::End && MayChoose)
          Choices.push_back(Call);
        break;
      }
    }
    for (CallInst *Call : Choices)
      choose(*Call);
  }

private:
  enum class Kind {
    OfNoInterest, ///< neither allocates nor frees, calls nothing of the program
    Library,      ///< may, but calls nothing of the program
    OfHeap,       ///< allocates or frees
    Unknown
  };

  /// Of functions that are not in this module, by their names.
  Kind kindOf(const CallBase &Call) const {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return Kind::Unknown;
    StringRef Name = Callee->getName();
    if (Callee->isDeclaration() && isFree(Name))
      return Kind::OfHeap;
    if (Call.onlyReadsMemory() || Call.onlyAccessesArgMemory() ||
        Callee->isIntrinsic())
      return Kind::OfNoInterest;
    if (!Callee->isDeclaration())
      return Kind::Unknown;
    const bool IsOurs = Name.consume_front(HP_TYPED_PREFIX);
    if (TypedCalls::isAllocator(Name))
      return Kind::OfHeap;
    if (IsOurs)
      return Kind::OfNoInterest;
    auto &TLI = Analyses.getResult<TargetLibraryAnalysis>(
        const_cast<Function &>(*Call.getFunction()));
    LibFunc Known;
    if (!TLI.getLibFunc(Name, Known))
      return Kind::Unknown;
    if (isAllocationFn(&Call, &TLI))
      return Kind::OfHeap;
    // These two call what they are given.
    return Name == "qsort" || Name == "bsearch" ? Kind::Unknown : Kind::Library;
  }

  /// free, and operator delete in all its forms.
  static bool isFree(StringRef Name) {
    return Name == "free" || Name == "cfree" || Name.starts_with("_ZdlPv") ||
           Name.starts_with("_ZdaPv");
  }

  /// Functions of which some way leads to an allocation or a free, as far as
  /// can be said.
  void findOfInterest() {
    DenseMap<const Function *, SmallVector<const Function *, 4>> Callers;
    SmallVector<const Function *, 0> Work;
    for (const Function &F : M)
      for (const Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || isa<IntrinsicInst>(Call) ||
            Call->hasMetadata(LLVMContext::MD_nosanitize)) // a hook's
          continue;
        if (const Function *Callee = calleeHere(*Call)) {
          Callers[Callee].push_back(&F);
        } else if (kindOf(*Call) != Kind::OfNoInterest &&
                   OfInterest.insert(&F)) {
          Work.push_back(&F);
          break;
        }
      }
    while (!Work.empty())
      for (const Function *Caller : Callers.lookup(Work.pop_back_val()))
        if (OfInterest.insert(Caller))
          Work.push_back(Caller);
  }

  /// Conventions in which a tail call is a promise.
  static bool isForJumps(CallingConv::ID Convention) {
    return Convention == CallingConv::Tail ||
           Convention == CallingConv::SwiftTail ||
           Convention == CallingConv::GHC || Convention == CallingConv::HiPE;
  }

  /// Adjusts `this` and goes on in the function that was written.
  static bool isThunk(const Function &F) {
    return F.getName().starts_with("_ZTh") || F.getName().starts_with("_ZTv") ||
           F.getName().starts_with("_ZTc") || F.hasFnAttribute("thunk");
  }

  /// Ahead of \p Call, the choice: the call, or another one that is a jump.
  ///
  ///   number = last - caller's frame     small if it is what kept itself last
  ///   number == HP_KEPT_MAX: jump
  ///   last = this frame + (number < HP_KEPT_MAX ? number + 1 : 0), call
  void choose(CallInst &Call) {
    BasicBlock *Head = Call.getParent();
    BasicBlock *Kept = SplitBlock(Head, Call.getIterator());
    auto *Jump = BasicBlock::Create(M.getContext(), "heapprof.jump",
                                    Head->getParent(), Kept);
    Instruction *End = Head->getTerminator();
    IRBuilder<> B(End);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    Type *Word = B.getInt64Ty();
    GlobalVariable *Variable =
        runtimeSymbol(M, HP_KEPT_SYMBOL, Word, /*ThreadLocal=*/true);
    Value *Number = B.getInt64(HP_KEPT_MAX);
    Value *Frame = B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()},
                                     {B.getInt32(0)});
    Value *Link = unsanitized(B.CreateLoad(Word, Frame));
    Value *Last = unsanitized(B.CreateLoad(Word, Variable));
    Value *Chain = B.CreateSub(Last, Link);
    B.CreateCondBr(B.CreateICmpEQ(Chain, Number), Jump, Kept,
                   MDBuilder(M.getContext()).createBranchWeights(1, 1 << 20));
    End->eraseFromParent();

    B.SetInsertPoint(&Call);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    Value *Own = B.CreatePtrToInt(Frame, Word);
    Value *Next = B.CreateAdd(B.CreateAdd(Own, Chain), B.getInt64(1));
    unsanitized(B.CreateStore(
        B.CreateSelect(B.CreateICmpULT(Chain, Number), Next, Own), Variable));

    B.SetInsertPoint(Jump);
    auto *Other = cast<CallInst>(B.Insert(Call.clone()));
    if (Head->getParent()->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Other);
    Call.setTailCallKind(CallInst::TCK_NoTail);
    ++NumFramesChosen;
  }

  template <typename T> static T *unsanitized(T *I) {
    I->setNoSanitizeMetadata();
    return I;
  }

  Module &M;
  FunctionAnalysisManager &Analyses;
  SetVector<const Function *> OfInterest;
  std::optional<TailCallGraph> Graph;
};

} // namespace

/// Those that are not the stack's or the frame's.
constexpr size_t GeneralRegisters = 14;

static bool isOfRegister(const InlineAsm::ConstraintInfo &Its) {
  if (Its.Codes.empty())
    return false;
  const StringRef Code = Its.Codes.front();
  return Code.starts_with("{r") || Code.starts_with("{e") ||
         StringRef("rqRQlabcdSD").contains(Code);
}

/// Whether assembly of the program in \p F may have the register of the frame pointer
/// for itself.
static bool takesFrameRegister(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->isInlineAsm() ||
        Call->hasMetadata(LLVMContext::MD_nosanitize)) // a hook's
      return false;
    const auto *Assembly = cast<InlineAsm>(Call->getCalledOperand());
    const StringRef Registers = Assembly->getConstraintString();
    return Registers.contains("bp}") || // by any of its names: rbp, ebp, bp
           size_t(count_if(Assembly->ParseConstraints(), isOfRegister)) >
               GeneralRegisters;
  });
}

void keepFrames(Module &M, FunctionAnalysisManager &Analyses,
                const SmallPtrSetImpl<const Function *> &WithoutHooks) {
  SmallVector<std::pair<Function *, bool>, 0> Functions;
  SmallPtrSet<const Function *, 4> WithoutPointer;
  for (Function &F : M)
    if (takesFrameRegister(F)) {
      F.addFnAttr("frame-pointer", "none");
      WithoutPointer.insert(&F);
    }
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked) &&
        !F.hasAvailableExternallyLinkage() &&
        F.getFnAttribute("disable-tail-calls").getValueAsString() != "true")
      Functions.push_back(
          {&F, !WithoutHooks.contains(&F) && !WithoutPointer.contains(&F)});
  ModuleFrames Frames(M, Analyses);
  for (auto [F, MayChoose] : Functions)
    Frames.keep(*F, MayChoose);
}

} // namespace heapprof
