// FrameKeeper.h - keeps the frames of functions that end by a call which may allocate
// or free: the optimiser would make a jump of it, and they would be no caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_FRAME_KEEPER_H
#define HEAPPROF_FRAME_KEEPER_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace heapprof {

/// Calls of allocators and of free are calls from here on, and so are tail calls from
/// which no way of jumps leads back.  Where one may, through functions that
/// are not known here, the program decides as it runs: a chain of so many
/// kept frames goes on by jumps (hook_abi.h).  That is code of ours, which is
/// not for functions of \p WithoutHooks.  Functions whose assembly takes the register of
/// the frame pointer, or may have to, have none.
void keepFrames(
    llvm::Module &M, llvm::FunctionAnalysisManager &Analyses,
    const llvm::SmallPtrSetImpl<const llvm::Function *> &WithoutHooks);

} // namespace heapprof

#endif
