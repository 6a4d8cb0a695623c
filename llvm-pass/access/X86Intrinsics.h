// X86Intrinsics.h - accesses made by x86's own intrinsics (<immintrin.h>).
// Those of unknown extent are left to the caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HEAPPROF_X86_INTRINSICS_H
#define HEAPPROF_X86_INTRINSICS_H

#include "access/AccessList.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heapprof {

/// Adds what \p I touches; false if it is none that is known.
bool addX86Intrinsic(llvm::IntrinsicInst &I, AccessList &To);

} // namespace heapprof

#endif
