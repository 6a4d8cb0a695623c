// MemberGroups.h - which single accesses a hook stands for, as a constant of the module.
// For runs that count them by their place in the chunk; hook_abi.h has the layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_MEMBER_GROUPS_H
#define HEAPPROF_MEMBER_GROUPS_H

#include "access/Access.h"
#include "llvm/IR/Module.h"

namespace heapprof {

/// The group of \p Places, \p Low bytes from which is what the hook is given;
/// each there again every \p Step bytes, or by \p Steps that the hook is told.
llvm::Constant *memberGroup(llvm::Module &M, const PlacesInGroup &Places,
                            int64_t Low, uint64_t Step, unsigned Steps = 0);

/// That of \p A.
inline llvm::Constant *memberGroup(llvm::Module &M, const MergedAccess &A) {
  return memberGroup(M, A.Places, A.Low, A.Repeats ? A.Step : 0);
}

} // namespace heapprof

#endif
