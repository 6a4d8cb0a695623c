// HeapProfPass.h - the module pass that instruments accesses.
// Runs once a module, after all that the compile step optimises.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_PASS_H
#define HEAPPROF_PASS_H

#include "llvm/IR/PassManager.h"

namespace heapprof {

class HeapProfPass : public llvm::PassInfoMixin<HeapProfPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);

  /// Also at -O0, where only required passes run.
  static bool isRequired() { return true; }
};

} // namespace heapprof

#endif
