// SpentBodies.cpp - a pass of the code generator, in the midst of its passes.
// Touches the function before the one that it is called for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/SpentBodies.h"
#include "base/LLVMVersion.h"
#include "base/Options.h"
#include "hook_abi.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

using namespace llvm;

namespace heapprof {

namespace {

/// Whether the printer decides by the uses of \p V, when all functions are
/// printed, if it is to be in the object: a table of one address may not be.
bool isDecidedByUses(const GlobalVariable &V) {
  return V.hasGlobalUnnamedAddr() && V.isConstant() && V.hasInitializer() &&
         V.isDiscardableIfUnused() && isa<GlobalValue>(V.getInitializer());
}

/// The printer lists what has a use, and the code generator of another function
/// asks whether the address of a local one is taken: a user that stays.
void keepAddressesTaken(Module &M) {
  SmallVector<Constant *, 0> Taken;
  for (GlobalValue &V : M.global_values()) {
    const auto *F = dyn_cast<Function>(&V);
    if (F && F->isIntrinsic()) // all its users are taken for calls
      continue;
    if (F && F->hasLocalLinkage() ? F->hasAddressTaken() : !V.use_empty())
      Taken.push_back(&V);
  }
  if (!Taken.empty())
    ConstantStruct::getAnon(Taken);
}

/// All but what says that there is a body.  What addresses of blocks are taken
/// of is not asked for: the printer is told of each such block that goes.
void dropBody(Function &F) {
  if (any_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); }))
    return;
  for (BasicBlock &BB : F)
    BB.dropAllReferences();
  while (!F.empty())
    F.begin()->eraseFromParent();
  IRBuilder<>(BasicBlock::Create(F.getContext(), "", &F)).CreateUnreachable();
}

/// Runs where a function has become machine code.  By then nothing is left of the
/// one before, if all passes take turns for each function: else its machine
/// code is still there, and its body stays.
class SpentBodies : public FunctionPass {
public:
  static char ID;
  SpentBodies() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "Drop spent bodies"; }

  void getAnalysisUsage(AnalysisUsage &Uses) const override {
    Uses.addRequired<MachineModuleInfoWrapperPass>();
    Uses.setPreservesAll();
  }

  bool doInitialization(Module &M) override {
    Before = nullptr;
    MayDrop = M.getModuleFlag(HP_MODULE_FLAG) &&
              none_of(M.globals(), isDecidedByUses);
    if (MayDrop)
      keepAddressesTaken(M);
    return false;
  }

  bool runOnFunction(Function &F) override {
    const auto &Machine = getAnalysis<MachineModuleInfoWrapperPass>().getMMI();
    if (!MayDrop || !Machine.getMachineFunction(F))
      return false;
    if (Before && !Machine.getMachineFunction(*Before))
      dropBody(*Before);
    Before = &F;
    return false;
  }

private:
  Function *Before = nullptr; ///< the last one that was machine code here
  bool MayDrop = false;
};

char SpentBodies::ID = 0;

} // namespace

void dropSpentBodies() {
  beforeCodeGenerator([](TargetPassConfig &Passes) {
    if (DropBodies)
      Passes.insertPass(&FinalizeISelID, new SpentBodies);
  });
}

} // namespace heapprof
