// HeapVariables.cpp - a pass plugin for tests: a program's variables move to the heap, where accesses to them are counted.
// Globals are made by a constructor, locals when their function is entered; it is for programs of one file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// aligned_alloc(), by a call that LLVM does not know, or it would undo all.
Value *allocate(IRBuilder<> &B, Module &M, uint64_t Size, Align Alignment) {
  Type *Word = B.getInt64Ty();
  const uint64_t Unit = std::max<uint64_t>(Alignment.value(), 16);
  CallInst *Call = B.CreateCall(
      M.getOrInsertFunction("aligned_alloc", B.getPtrTy(), Word, Word),
      {B.getInt64(Unit),
       B.getInt64(alignTo(std::max<uint64_t>(Size, 1), Unit))});
  Call->addFnAttr(Attribute::NoBuiltin);
  return Call;
}

void release(IRBuilder<> &B, Module &M, Value *Pointer) {
  B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
               Pointer)
      ->addFnAttr(Attribute::NoBuiltin);
}

bool isMovable(const GlobalVariable &G) {
  return G.hasInitializer() && !G.isConstant() && !G.isThreadLocal() &&
         !G.hasSection() && !G.getName().starts_with("llvm.") &&
         !G.isInterposable() && all_of(G.users(), [](const User *U) {
           // Not where the linker, not code, asks for the address.
           SmallVector<const User *> Work{U};
           while (!Work.empty()) {
             const User *Next = Work.pop_back_val();
             if (isa<Instruction>(Next))
               continue;
             if (!isa<ConstantExpr>(Next))
               return false;
             append_range(Work, Next->users());
           }
           return true;
         });
}

/// Each function that uses G asks once where it lies: of a variable with a name
/// for the linker, or LLVM would see that one chunk is all that is ever there.
void moveGlobal(GlobalVariable &G, IRBuilder<> &Making) {
  Module &M = *G.getParent();
  Type *Pointer = PointerType::get(M.getContext(), 0);
  auto *Place = new GlobalVariable(
      M, Pointer, /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantPointerNull::get(cast<PointerType>(Pointer)),
      G.getName() + ".place");
  convertUsersOfConstantsToInstructions({&G});
  DenseMap<Function *, Value *> Found;
  for (Use &U : make_early_inc_range(G.uses())) {
    auto *User = dyn_cast<Instruction>(U.getUser());
    if (!User)
      continue;
    Value *&There = Found[User->getFunction()];
    if (!There) {
      BasicBlock &Entry = User->getFunction()->getEntryBlock();
      There = IRBuilder<>(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca())
                  .CreateLoad(Pointer, Place);
    }
    U.set(There);
  }
  const DataLayout &Layout = M.getDataLayout();
  const uint64_t Size = Layout.getTypeAllocSize(G.getValueType());
  const Align Alignment = Layout.getPreferredAlign(&G);
  Value *Chunk = allocate(Making, M, Size, Alignment);
  Making.CreateMemCpy(Chunk, Alignment, &G, G.getAlign().valueOrOne(), Size);
  Making.CreateStore(Chunk, Place);
}

void moveGlobals(Module &M) {
  SmallVector<GlobalVariable *> Movable;
  for (GlobalVariable &G : M.globals())
    if (isMovable(G))
      Movable.push_back(&G);
  if (Movable.empty())
    return;
  Function *Maker = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(M.getContext()), false),
      GlobalValue::InternalLinkage, 0, "heap_variables.make", &M);
  IRBuilder<> Making(BasicBlock::Create(M.getContext(), "", Maker));
  for (GlobalVariable *G : Movable)
    moveGlobal(*G, Making);
  Making.CreateRetVoid();
  appendToGlobalCtors(M, Maker, /*Priority=*/1);
}

/// A chunk made at the entry can be freed at every way out.
bool canHaveChunks(const Function &F) {
  if (F.isDeclaration() || F.hasFnAttribute(Attribute::Naked) ||
      F.callsFunctionThatReturnsTwice() || F.isPresplitCoroutine())
    return false;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    if ((Call && Call->isMustTailCall()) || isa<IndirectBrInst>(I) ||
        isa<VAStartInst>(I))
      return false;
  }
  return true;
}

void moveLocals(Function &F) {
  Module &M = *F.getParent();
  const DataLayout &Layout = M.getDataLayout();
  SmallVector<AllocaInst *> Movable;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->isStaticAlloca() && !A->isUsedWithInAlloca() &&
          !A->isSwiftError() &&
          A->getAllocationSize(Layout).value_or(TypeSize::getZero()) !=
              TypeSize::getZero())
        Movable.push_back(A);
  SmallVector<Instruction *> Exits;
  for (BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()) ||
        isa<ResumeInst>(Block.getTerminator()))
      Exits.push_back(Block.getTerminator());
  // All at one line, lest calls of several lines are made one in one form only.
  DebugLoc Place;
  if (DISubprogram *Subprogram = F.getSubprogram())
    Place =
        DILocation::get(M.getContext(), Subprogram->getLine(), 0, Subprogram);
  for (AllocaInst *A : Movable) {
    for (User *U : make_early_inc_range(A->users()))
      if (auto *Mark = dyn_cast<LifetimeIntrinsic>(U))
        Mark->eraseFromParent();
    IRBuilder<> B(A);
    B.SetCurrentDebugLocation(Place);
    Value *Chunk = allocate(B, M, A->getAllocationSize(Layout)->getFixedValue(),
                            A->getAlign());
    A->replaceAllUsesWith(Chunk);
    A->eraseFromParent();
    for (Instruction *Exit : Exits) {
      IRBuilder<> End(Exit);
      End.SetCurrentDebugLocation(Place);
      release(End, M, Chunk);
    }
  }
}

struct HeapVariablesPass : PassInfoMixin<HeapVariablesPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (canHaveChunks(F))
        moveLocals(F);
    moveGlobals(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heap-variables", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            PB.registerPipelineStartEPCallback(
                [](ModulePassManager &MPM, OptimizationLevel) {
                  MPM.addPass(HeapVariablesPass());
                });
          }};
}
