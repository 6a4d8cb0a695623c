// LLVMVersion.h - every difference between the LLVM majors built against.
// The only file that may ask for the version; the others are common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_LLVM_VERSION_H
#define HEAPPROF_LLVM_VERSION_H

#include "llvm/ADT/MapVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Attributes.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace heapprof {

/// Calls \p Add(PassManager) at the end of each compile step's optimiser, and
/// not at a link step: what is linked has been instrumented when compiled.
/// LLVM 19 does not tell the two apart; there the module flag does.
template <typename Callback>
void registerAtCompileEnd(llvm::PassBuilder &PB, Callback Add) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback([Add](llvm::ModulePassManager &MPM,
                                           llvm::OptimizationLevel,
                                           llvm::ThinOrFullLTOPhase Phase) {
    if (Phase != llvm::ThinOrFullLTOPhase::ThinLTOPostLink &&
        Phase != llvm::ThinOrFullLTOPhase::FullLTOPostLink)
      Add(MPM);
  });
#else
  PB.registerOptimizerLastEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
        Add(MPM);
      });
#endif
}

/// Calls \p Add(TargetPassConfig) whenever a code generator is set up, from here
/// on.  LLVM 19 tells a plugin nothing of that.
template <typename Callback> void beforeCodeGenerator(Callback Add) {
#if LLVM_VERSION_MAJOR >= 22
  static const llvm::RegisterTargetPassConfigCallback Once(
      [Add](llvm::TargetMachine &, llvm::PassManagerBase &,
            llvm::TargetPassConfig *Passes) { Add(*Passes); });
#else
  (void)Add;
#endif
}

/// What GEPOperator::collectOffset fills.
#if LLVM_VERSION_MAJOR >= 20
using VariableOffsets = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;
#else
using VariableOffsets = llvm::MapVector<llvm::Value *, llvm::APInt>;
#endif

inline llvm::SCEVExpander makeExpander(llvm::ScalarEvolution &SE,
                                       const llvm::DataLayout &DL) {
#if LLVM_VERSION_MAJOR >= 22
  (void)DL;
  return llvm::SCEVExpander(SE, "heapprof", /*PreserveLCSSA=*/false);
#else
  return llvm::SCEVExpander(SE, DL, "heapprof", /*PreserveLCSSA=*/false);
#endif
}

/// The attribute that says: the callee keeps no copy of this pointer.
inline llvm::Attribute notCaptured(llvm::LLVMContext &Context) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(Context,
                                             llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(Context, llvm::Attribute::NoCapture);
#endif
}

} // namespace heapprof

#endif
