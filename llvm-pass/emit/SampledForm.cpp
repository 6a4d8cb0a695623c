// SampledForm.cpp - see SampledForm.h. What must not be there twice is not:
// then the one form there is serves both, as each counts the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/SampledForm.h"
#include "base/RuntimeSymbol.h"
#include "base/Statistics.h"
#include "hook_abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heapprof {

constexpr StringLiteral Suffix = HP_SAMPLED_SUFFIX;

template <class T> void SampledForm::replace(T *&Thing) const {
  if (Value *Its = Thing ? Copies.lookup(Thing) : nullptr)
    Thing = cast<T>(Its);
}

Access SampledForm::of(Access A) const {
  replace(A.At);
  for (Value **Its : {&A.Pointer, &A.Source, &A.Count, &A.Mask, &A.Limit,
                      &A.Stride, &A.Index})
    replace(*Its);
  return A;
}

MergedAccess SampledForm::of(MergedAccess A) const {
  replace(A.At);
  replace(A.Pointer);
  replace(A.Repeats);
  replace(A.From);
  replace(A.To);
  return A;
}

RangeValues SampledForm::of(RangeValues R) const {
  replace(R.At);
  replace(R.End);
  for (Value **Its : {&R.Low, &R.Bytes, &R.Reads, &R.Writes})
    replace(*Its);
  return R;
}

/// Adds to \p Tables the constants that hold addresses of labels of \p F; false
/// if something else does.
static bool findLabelTables(const Function &F,
                            SmallSetVector<GlobalVariable *, 2> &Tables) {
  SmallSetVector<const Constant *, 16> Uses;
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken())
      Uses.insert(BlockAddress::lookup(&BB));
  for (size_t I = 0; I != Uses.size(); ++I)
    for (const User *User : Uses[I]->users()) {
      if (auto *At = dyn_cast<Instruction>(User)) {
        if (At->getFunction() != &F)
          return false;
        continue;
      }
      if (isa<GlobalValue>(User)) {
        auto *Table = dyn_cast<GlobalVariable>(User);
        if (!Table || !Table->isConstant() || !Table->hasLocalLinkage())
          return false;
        Tables.insert(const_cast<GlobalVariable *>(Table));
      }
      Uses.insert(cast<Constant>(User));
    }
  return true;
}

/// The copy's labels have tables of their own.
void SampledForm::copyLabelTables(Function &F,
                                  ArrayRef<GlobalVariable *> Tables) {
  ValueToValueMapTy Theirs;
  for (BasicBlock &BB : F)
    if (BB.hasAddressTaken())
      Theirs[BlockAddress::get(&BB)] =
          BlockAddress::get(cast<BasicBlock>(Copies[&BB]));
  for (GlobalVariable *Table : Tables) {
    auto *Its = new GlobalVariable(*F.getParent(), Table->getValueType(),
                                   /*isConstant=*/true, Table->getLinkage(),
                                   nullptr, Table->getName() + Suffix, Table);
    Its->copyAttributesFrom(Table);
    Theirs[Table] = Its;
  }
  for (GlobalVariable *Table : Tables)
    cast<GlobalVariable>(Theirs[Table])
        ->setInitializer(MapValue(Table->getInitializer(), Theirs));
  RemapFunction(*Copy, Theirs,
                RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}

static bool mayBeTwice(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  if (Call->cannotDuplicate() || isa<CallBrInst>(I))
    return false;
  // It may define a symbol.
  auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
  return !Asm || Asm->getAsmString().empty();
}

/// Of which the linker keeps one of those that many modules have.
static bool isOneOfMany(const Function &F) {
  return F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage();
}

/// Whether there may be a copy of \p F, to which it can jump: with its
/// arguments as they are.
static bool mayBeTwice(const Function &F) {
  // Each of the two would tell that it is entered.
  static constexpr StringLiteral Announced[] = {
      "fentry-call",
      "instrument-function-entry-inlined",
      "instrument-function-exit-inlined",
      "patchable-function",
      "patchable-function-entry",
      "xray-instruction-threshold",
      "function-instrument"};
  return !F.isVarArg() && !F.isPresplitCoroutine() &&
         (!F.hasComdat() || isOneOfMany(F)) &&
         none_of(Announced,
                 [&](StringRef Kind) { return F.hasFnAttribute(Kind); }) &&
         none_of(F.args(),
                 [](const Argument &A) {
                   return A.hasPassPointeeByValueCopyAttr();
                 }) &&
         all_of(instructions(F),
                [](const Instruction &I) { return mayBeTwice(I); });
}

/// As \p F, seen from other modules, but under another name.
static void nameCopy(Function &Copy, const Function &F) {
  Copy.setName(F.getName() + Suffix);
  Copy.setVisibility(GlobalValue::DefaultVisibility);
  Copy.setLinkage(GlobalValue::InternalLinkage);
  if (isOneOfMany(F)) {
    Copy.setLinkage(GlobalValue::LinkOnceODRLinkage);
    Copy.setVisibility(GlobalValue::HiddenVisibility);
  }
  Copy.setComdat(nullptr);
  if (F.hasComdat()) {
    Comdat *Its = Copy.getParent()->getOrInsertComdat(Copy.getName());
    Its->setSelectionKind(F.getComdat()->getSelectionKind());
    Copy.setComdat(Its);
  }
  Copy.setDSOLocal(true);
}

std::unique_ptr<SampledForm> SampledForms::make(Function &F) {
  SmallSetVector<GlobalVariable *, 2> Tables;
  if (!mayBeTwice(F) || !findLabelTables(F, Tables))
    return nullptr;
  auto Form = std::make_unique<SampledForm>();
  Form->Copy = CloneFunction(&F, Form->Copies);
  nameCopy(*Form->Copy, F);
  if (!Tables.empty())
    Form->copyLabelTables(F, Tables.getArrayRef());
  Made[&F] = Form->Copy;
  ++NumSampledForms;
  return Form;
}

/// Lets \p F begin with the choice, and \p Copy take over its caller.
static void branchTo(Function &Copy, Function &F) {
  LLVMContext &Context = F.getContext();
  BasicBlock *First = &F.getEntryBlock();
  auto *Entry = BasicBlock::Create(Context, "", &F, First);
  auto *Other = BasicBlock::Create(Context, "heapprof.sampled", &F);
  for (Instruction &I : make_early_inc_range(*First))
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      if (isa<ConstantInt>(Variable->getArraySize()))
        Variable->moveBefore(*Entry, Entry->end());
  IRBuilder<> B(Entry);
  if (DISubprogram *Scope = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(Context, 0, 0, Scope));
  LoadInst *Samples = B.CreateLoad(
      B.getInt8Ty(),
      runtimeSymbol(*F.getParent(), HP_SAMPLING_SYMBOL, B.getInt8Ty()));
  Samples->setNoSanitizeMetadata();
  B.CreateCondBr(B.CreateIsNull(Samples), First, Other,
                 MDBuilder(Context).createBranchWeights(1 << 20, 1));
  B.SetInsertPoint(Other);
  SmallVector<Value *, 8> Arguments;
  SmallVector<AttributeSet, 8> Attributes;
  for (Argument &A : F.args()) {
    Arguments.push_back(&A);
    Attributes.push_back(F.getAttributes().getParamAttrs(A.getArgNo()));
  }
  CallInst *Call = B.CreateCall(&Copy, Arguments);
  Call->setCallingConv(F.getCallingConv());
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setAttributes(AttributeList::get(
      Context, AttributeSet(), F.getAttributes().getRetAttrs(), Attributes));
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

void SampledForms::connect() {
  for (auto &[F, Copy] : Made)
    for (Instruction &I : instructions(*Copy))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && Callee->isDSOLocal() && !Callee->isInterposable())
          if (Function *Its = Made.lookup(Callee))
            Call->setCalledFunction(Its);
  for (auto &[F, Copy] : Made)
    branchTo(*Copy, *F);
}

} // namespace heapprof
