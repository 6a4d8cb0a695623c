// HookPlaces.h - which hooks are worth code of their own, and which a call.
// By how often their block is executed, as the compiler or a profile has it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_HOOK_PLACES_H
#define HEAPPROF_HOOK_PLACES_H

#include "access/Access.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace heapprof {

/// Marks those of \p Accesses that are rarely executed as Seldom, and those that
/// are not in loops as Often.
void markPlaces(const llvm::Function &F, const llvm::LoopInfo &LI,
                const llvm::TargetLibraryInfo &TLI,
                const llvm::ProfileSummaryInfo &Profile,
                llvm::MutableArrayRef<MergedAccess> Accesses);

} // namespace heapprof

#endif
