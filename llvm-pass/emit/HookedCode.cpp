// HookedCode.cpp - records by !pcsections, which AsmPrinter turns into a section.
// Its parts follow their functions: through COMDATs, LTO and --gc-sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/HookedCode.h"
#include "access/AssemblyText.h"
#include "hook_abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/CodeGen.h"

using namespace llvm;

namespace heapprof {

/// Whether code and data may lie so far apart that a distance has 8 bytes.
static bool isFar(const Module &M) {
  const auto Model = M.getCodeModel();
  return Model && (*Model == CodeModel::Medium || *Model == CodeModel::Large);
}

static ConstantInt *lastWord(LLVMContext &Context, bool IsFar) {
  return ConstantInt::get(Type::getInt32Ty(Context),
                          IsFar ? HP_HOOKED_FAR_WORD : HP_HOOKED_NEAR_WORD);
}

/// Whether \p Pointer may be on the heap.
static bool mayBeChunk(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  return !isa<AllocaInst>(Object) && !isa<Constant>(Object);
}

/// Whether \p Call is assembly of the program that may access memory which is no
/// variable, beside what AccessCollector counts of it.
static bool isUnseenAccess(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm || Asm->getAsmString().empty() ||
      Call.hasMetadata(LLVMContext::MD_nosanitize)) // a hook's
    return false;
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  const auto Known = accessesOf(*Asm);
  unsigned Argument = 0;
  for (const auto &[Number, Constraint] : enumerate(Asm->ParseConstraints())) {
    if (!Constraint.hasArg())
      continue;
    const unsigned I = Argument++;
    const Value *Operand = Call.getArgOperand(I);
    if (!Operand->getType()->isPointerTy() || !mayBeChunk(Operand))
      continue;
    if (!Known)
      return true;
    // An operand by address is counted by its type, which may be an array of none.
    Type *Of = Call.getParamElementType(I);
    if (Of && Layout.getTypeStoreSize(Of).getKnownMinValue() <
                  std::max(1u, Known->Bytes[Number]))
      return true;
  }
  return false;
}

/// Whether the program itself gives memory of its own to the runtime of profiles, which
/// is in no other way code that may access a chunk.
static bool isGivenToProfile(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && StringSwitch<bool>(Callee->getName())
                       .Case("__llvm_profile_set_filename", true)
                       .Case("__llvm_profile_set_file_object", true)
                       .Case("__llvm_profile_write_buffer", true)
                       .Case("__llvm_profile_merge_from_buffer", true)
                       .Case("__llvm_profile_check_compatibility", true)
                       .Default(false);
}

void markHooked(Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (isUnseenAccess(*Call) || isGivenToProfile(*Call))
        return;
  LLVMContext &Context = F.getContext();
  F.setMetadata(
      LLVMContext::MD_pcsections,
      MDBuilder(Context).createPCSections(
          {{HP_HOOKED_SECTION, {lastWord(Context, isFar(*F.getParent()))}}}));
}

GlobalVariable *makeHookedMark(Function &Ctor) {
  Module &M = *Ctor.getParent();
  LLVMContext &Context = M.getContext();
  constexpr unsigned Words = HP_HOOKED_NEAR_SIZE / 4;
  SmallVector<Constant *, Words> Fields(
      Words, ConstantInt::get(Type::getInt32Ty(Context), 0));
  Fields.back() = lastWord(Context, /*IsFar=*/false);
  auto *Of = ArrayType::get(Type::getInt32Ty(Context), Words);
  // Writable, since the code generator has it so for the section.
  auto *Mark =
      new GlobalVariable(M, Of, /*isConstant=*/false, Ctor.getLinkage(),
                         ConstantArray::get(Of, Fields), HP_HOOKED_MARK);
  Mark->setVisibility(GlobalValue::HiddenVisibility);
  Mark->setSection(HP_HOOKED_SECTION);
  Mark->setAlignment(Align(1));
  Mark->setComdat(Ctor.getComdat());
  Mark->setMetadata(LLVMContext::MD_associated,
                    MDNode::get(Context, ValueAsMetadata::get(&Ctor)));
  return Mark;
}

/// Whether to call \p F once more may count more: not if it accesses nothing, or if
/// the optimiser knows what it is.
static bool mayCount(const Function &F) {
  return !F.isIntrinsic() && !F.doesNotAccessMemory() &&
         !F.hasFnAttribute(Attribute::AllocKind) &&
         !F.getName().starts_with("__heapprof_");
}

void forgetMemoryEffects(Module &M) {
  for (Function &F : M)
    if (mayCount(F))
      F.removeFnAttr(Attribute::Memory);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee ? mayCount(*Callee) : !Call->isInlineAsm())
          Call->removeFnAttr(Attribute::Memory);
}

void keepApart(Function &F) {
  if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::AlwaysInline))
    F.addFnAttr(Attribute::NoInline);
}

} // namespace heapprof
