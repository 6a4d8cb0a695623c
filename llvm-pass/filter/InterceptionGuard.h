// InterceptionGuard.h - keeps what hooks count apart from what the runtime's
// libc interceptors count, so that nothing is counted twice or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_INTERCEPTION_GUARD_H
#define HEAPPROF_INTERCEPTION_GUARD_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"

namespace heapprof {

/// Keeps the library calls in \p F that touch memory as calls: memcmp, strlen
/// and others would else be turned into loads after the hooks are in, and
/// neither a hook nor an interceptor would see them.
void keepLibraryCalls(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// Makes intrinsics of calls like __memset_chk whose room nobody knows.  The
/// code generator does so, too late for hooks, where -fno-builtin keeps others
/// from it.
void lowerUncheckedCopies(llvm::Function &F);

/// Keeps link-time optimisation from turning stores of \p F that have hooks
/// into calls of memset and memcpy, and the code generator from having sincos
/// or modf write what they store, all of which are intercepted: two counts of
/// one access.  Wanted for every function of a module, for inlining asks that
/// caller and callee agree.
void keepStores(llvm::Function &F);

} // namespace heapprof

#endif
