// WordHooks.h - hooks of the module's own for what it often counts by one call.
// Without the argument that says what, and without taking it to pieces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_WORD_HOOKS_H
#define HEAPPROF_WORD_HOOKS_H

#include "llvm/IR/Module.h"

namespace heapprof {

/// Replaces calls of HP_HOOK_KEEPING whose accesses are the same in many of them by
/// calls of a function that does only that; when all hooks are written.
void makeWordHooks(llvm::Module &M);

/// Calls HP_HOOK_SLOW: all that a place needs that hardly ever does it, where so no
/// register is moved for its sake.
llvm::Function *slowHook(llvm::Module &M, uint64_t Word);

} // namespace heapprof

#endif
