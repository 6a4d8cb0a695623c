// FrameKeeper.h - keeps the frames of functions that end by a call which may
// allocate: the optimiser would make a jump of it, and they would be no caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_FRAME_KEEPER_H
#define HEAPPROF_FRAME_KEEPER_H

#include "llvm/IR/PassManager.h"

namespace heapprof {

class FunctionFilter;

/// Calls of allocators are calls from here on, and so are tail calls from
/// which no way of jumps leads back.  Where one may, through functions that
/// are not known here, the program decides as it runs: a chain of so many
/// kept frames goes on by jumps (hook_abi.h).
void keepFrames(llvm::Module &M, llvm::FunctionAnalysisManager &Analyses,
                const FunctionFilter &WhichFunctions);

} // namespace heapprof

#endif
