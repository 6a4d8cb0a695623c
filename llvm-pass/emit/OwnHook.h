// OwnHook.h - a hook of the module's own, in assembly.
// The runtime's code, to all that asks what is the program's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_OWN_HOOK_H
#define HEAPPROF_OWN_HOOK_H

#include "llvm/IR/Module.h"

namespace heapprof {

/// The function \p Name of \p Assembly alone, made if there is none yet.
llvm::Function *ownHook(llvm::Module &M, llvm::StringRef Name,
                        llvm::FunctionType *Type, llvm::StringRef Assembly,
                        llvm::Align Alignment);

} // namespace heapprof

#endif
