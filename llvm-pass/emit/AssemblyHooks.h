// AssemblyHooks.h - the usual access without a call, as one piece of assembly.
// The code generator has one instruction more where RecordInliner's IR has five blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_ASSEMBLY_HOOKS_H
#define HEAPPROF_ASSEMBLY_HOOKS_H

#include "emit/EarlierAccesses.h"
#include "emit/HookCalls.h"
#include "llvm/IR/IRBuilder.h"

namespace heapprof {

/// Whether accesses of \p F may be counted so: on x86-64, where the hooks of WordHooks
/// are.
bool mayUseAssembly(const llvm::Function &F);

/// Counts \p A at \p B.  Returns its record, or what stands for one.
llvm::Value *countByAssembly(llvm::IRBuilder<> &B, const MergedAccess &A);

/// The same where an earlier hook found \p Record.
llvm::Value *countByAssembly(llvm::IRBuilder<> &B, const MergedAccess &A,
                             llvm::Value *Record,
                             const EarlierAccesses::Known &By);

} // namespace heapprof

#endif
