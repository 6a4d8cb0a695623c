// Plugin.cpp - registers the pass with clang, opt and lld.
// Says where in the pipeline each part runs, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HeapProfPass.h"
#include "access/SplitCoroutines.h"
#include "base/LLVMVersion.h"
#include "emit/SpentBodies.h"
#include "filter/StreamBuffers.h"
#include "types/AllocationTypes.h"

using namespace llvm;

/// The types: before anything else, at each compile step and at no link step.
/// The accesses: after optimisation, so that only what the program really
/// does is counted; `opt -passes=heapprof` runs the pass alone.
static void registerPasses(PassBuilder &PB) {
  heapprof::dropSpentBodies();
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(heapprof::AllocationTypesPass());
        MPM.addPass(heapprof::StreamBuffersPass());
      });
  heapprof::registerAtCompileEnd(PB, [](ModulePassManager &MPM) {
    MPM.addPass(heapprof::SplitCoroutinesPass());
    MPM.addPass(heapprof::HeapProfPass());
  });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "heapprof")
          MPM.addPass(heapprof::HeapProfPass());
        else if (Name == "heapprof-types")
          MPM.addPass(heapprof::AllocationTypesPass());
        else
          return false;
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heapprof", LLVM_VERSION_STRING,
          registerPasses};
}
