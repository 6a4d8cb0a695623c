// HookedCode.h - the record that each function with hooks leaves in its module.
// Where the runtime finds none, it knows that accesses were not seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_HOOKED_CODE_H
#define HEAPPROF_HOOKED_CODE_H

#include "llvm/IR/Module.h"

namespace heapprof {

/// Has the code generator emit a record of where \p F lies: hook_abi.h has its
/// layout.  Accesses that \p F does not make are seen, too; those of assembly
/// inside are not but for its operands, so that a function which has others
/// leaves none.
void markHooked(llvm::Function &F);

/// The mark by which the records are found, kept as long as \p Ctor is.
llvm::GlobalVariable *makeHookedMark(llvm::Function &Ctor);

/// Takes back what was found of the functions of \p M before they had hooks, and what
/// the program said: that they only read.  The linker's optimiser would make two
/// equal calls one, and the hooks inside would count one of them.
void forgetMemoryEffects(llvm::Module &M);

/// What has no hooks must not get into code that has, not at the link step
/// either.
void keepApart(llvm::Function &F);

} // namespace heapprof

#endif
